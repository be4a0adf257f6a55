"""What a program of yours may look like; `make check` holds it against the types of corefbench."""

from pathlib import Path

import corefbench as cb


def f1_by_document(key: Path, response: Path, profile: str = "conll-2012") -> dict[str, float]:
    """The LEA of every document."""
    result: cb.Result = cb.score(key, response, profile)
    return {name: scores["lea"].f1 for name, scores in result.by_document().items()}


def longest_chain(corpus: cb.Corpus) -> list[str]:
    """The words of the mentions of the longest chain."""
    chains = [chain for document in corpus for chain in document.chains]
    longest = max(chains, key=lambda chain: len(chain.mentions))
    return [mention.text for mention in longest.mentions]


def main() -> None:
    """Score the example, and look into it."""
    examples = Path(__file__).parent
    key, response = examples / "key.conll", examples / "steady.response.conll"
    for name, f1 in f1_by_document(key, response).items():
        print(f"{name}: {f1:.4f}")
    print(longest_chain(cb.load(key)))
    scorer = cb.Scorer(measures="muc")
    scorer.update(key=[[(0, 0), (3, 3)]], response=[[(0, 0), (3, 3)]], document="a")
    score: cb.Score = scorer.result()["muc"]
    print(score.recall, score.precision, score.f1)
    try:
        cb.load(examples / "missing.conll")
    except cb.DataError as error:
        print(error.code, error.remedy)


if __name__ == "__main__":
    main()
