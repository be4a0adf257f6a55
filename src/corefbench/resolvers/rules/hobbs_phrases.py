"""From the nodes of phrase-structure trees to the phrases that the resolvers share."""

from collections.abc import Iterable, Iterator

from corefbench.preprocess.analysis import Constituent
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase


class NodePhrases:
    """Finds the phrase of a noun phrase node: that of its span, else that of its head."""

    def __init__(self, discourse: Discourse) -> None:
        self._heads = discourse.analysis.heads
        self._by_span: dict[tuple[int, int], Phrase] = {}
        self._by_head: dict[int, list[Phrase]] = {}
        for phrase in discourse.phrases:
            self._by_span.setdefault((phrase.start, phrase.end), phrase)
            self._by_head.setdefault(phrase.head, []).append(phrase)

    def phrases(self, nodes: Iterable[tuple[int, Constituent]]) -> Iterator[tuple[str, Phrase]]:
        """The steps and phrases of proposals; nodes without a phrase are passed over."""
        for step, node in nodes:
            phrase = self.phrase(node)
            if phrase is not None:
                yield f"step {step}", phrase

    def phrase(self, node: Constituent) -> Phrase | None:
        """The phrase of a node; of phrases with its head the longest that the node has room for."""
        found = self._by_span.get((node.start, node.end))
        if found is not None:
            return found
        known = self._by_head.get(self._head(node), [])
        fitting = [one for one in known if node.start <= one.start and one.end <= node.end]
        return next(iter(fitting or known), None)

    def _head(self, node: Constituent) -> int:
        """The first word of a node that a word outside it governs."""
        for token in range(node.start, node.end):
            if not node.start <= self._heads[token] < node.end and token in self._by_head:
                return token
        return -1
