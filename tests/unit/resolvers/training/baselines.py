"""What needs no learning, for trained models to be held against."""

import corefbench as cb
from corefbench.corpus.corpus import Corpus


def conll(key: Corpus, response: Corpus) -> float:
    return cb.score(key, response).conll.f1


def baselines(key: Corpus) -> dict[str, float]:
    """CoNLL F1 of every noun phrase by itself, and of all in one chain."""
    from corefbench.preprocess.documents import analyse_documents
    from corefbench.resolvers import make
    from corefbench.resolvers.response import to_corpus

    discourses = [discourse for _, discourse in analyse_documents(key, "en-accurate")]
    answers = {
        name: to_corpus(make(name).resolve(discourse) for discourse in discourses)
        for name in ("singletons", "all-in-one")
    }
    return {name: conll(key, answer) for name, answer in answers.items()}
