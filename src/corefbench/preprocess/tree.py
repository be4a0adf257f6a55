"""Dependency trees with children, topological order and subtree spans.

Any input is accepted: a word whose governor is missing, outside the sentence or part of a cycle
becomes a root.
"""

from corefbench.preprocess.analysis import Analysis


class Tree:
    """The dependencies of a document, over its token numbers.

    >>> words = dict.fromkeys(("words", "lemmas", "upos", "xpos", "features"), ("",) * 3)
    >>> tree = Tree(Analysis(name="", text="", offsets=(), sentences=((0, 3),), paragraphs=(0,),
    ...     headings=(False,), heads=(1, -1, 1), relations=("det", "root", "acl:relcl"), **words))
    >>> tree.children[1], tree.order, tree.base[2], tree.span(1)
    ([0, 2], [1, 0, 2], 'acl', (0, 3))
    """

    __slots__ = (
        "analysis", "base", "begin", "children", "finish", "heads", "order", "relations",
        "sentence",
    )  # fmt: skip

    def __init__(self, analysis: Analysis) -> None:
        count = len(analysis.words)
        self.analysis = analysis
        self.relations = analysis.relations
        """Relations with subtypes."""
        base_relations = {relation: relation.partition(":")[0] for relation in set(analysis.relations)}
        self.base = [base_relations[relation] for relation in analysis.relations]
        """Relations without subtypes."""
        self.sentence = [0] * count
        """The sentence of every token."""
        self.heads = list(analysis.heads)
        """The governor of every token, -1 at a root; without cycles."""
        self.children: list[list[int]] = [[] for _ in range(count)]
        """The dependents of every token, in text order."""
        self.order: list[int] = []
        """All tokens, sentence after sentence, governors before their dependents."""
        for number, (start, end) in enumerate(analysis.sentences):
            self._sentence(number, start, end)
        self.begin = list(range(count))
        """Where the unbroken part of each token's subtree around the token begins …"""
        self.finish = list(range(1, count + 1))
        """… and ends."""
        for token in reversed(self.order):
            self._spread(token)

    def _sentence(self, number: int, start: int, end: int) -> None:
        heads, children = self.heads, self.children
        size = end - start
        self.sentence[start:end] = [number] * size
        queue: list[int] = []
        for token in range(start, end):
            head = heads[token]
            if start <= head < end and head != token:
                children[head].append(token)
            else:
                heads[token] = -1
                queue.append(token)
        for token in queue:
            queue.extend(children[token])
        # Words that no root reaches are in cycles.
        while len(queue) < size:
            self._break_cycle(queue, start, end)
        self.order += queue

    def _break_cycle(self, queue: list[int], start: int, end: int) -> None:
        """Make a root of a word in a cycle and continue from there."""
        reached = set(queue)
        token = next(token for token in range(start, end) if token not in reached)
        seen: set[int] = set()
        while token not in seen:
            seen.add(token)
            token = self.heads[token]
        self.children[self.heads[token]].remove(token)
        self.heads[token] = -1
        fresh = [token]
        for token in fresh:
            fresh.extend(self.children[token])
        queue += fresh

    def _spread(self, token: int) -> None:
        begin, finish, children = self.begin, self.finish, self.children[token]
        if not children:
            return
        left, right = token, token + 1
        for child in reversed(children):
            if child < token and finish[child] == left:
                left = begin[child]
        for child in children:
            if child > token and begin[child] == right:
                right = finish[child]
        begin[token], finish[token] = left, right

    def span(self, token: int) -> tuple[int, int]:
        """Return the unbroken part of a subtree around its root."""
        return self.begin[token], self.finish[token]

    def above(self, token: int) -> list[int]:
        """Return the governors, from the nearest to the root."""
        path = []
        while (token := self.heads[token]) >= 0:
            path.append(token)
        return path
