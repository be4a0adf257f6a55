"""What needs no learning, for trained models to be held against."""

import corefbench as cb
from corefbench.model.corpus import Corpus


def conll(key: Corpus, response: Corpus) -> float:
    return cb.score(key, response).conll.f1


def baselines(key: Corpus) -> dict[str, float]:
    """CoNLL F1 of every noun phrase by itself, and of all in one chain."""
    from corefbench.resolvers import make
    from corefbench.resolvers.learned.analysed import analysed
    from corefbench.resolvers.response import response

    discourses = [discourse for _, discourse in analysed(key, "en-accurate")]
    answers = {
        name: response(make(name).resolve(discourse) for discourse in discourses)
        for name in ("singletons", "all-in-one")
    }
    return {name: conll(key, answer) for name, answer in answers.items()}
