"""Mentions and chains of MMAX2: what sets and pointers say about markables."""

from collections.abc import Iterator, Mapping, Sequence

from corefbench.errors import Place
from corefbench.findings import Finding
from corefbench.formats.base import Reading
from corefbench.formats.components import components
from corefbench.formats.mmax_markables import Markable, parts_of
from corefbench.formats.mmax_scheme import FIXED, NONE, Role
from corefbench.model.builder import CorpusBuilder, Span
from corefbench.record import Record


class Pointer(Record, frozen=True):
    """What one markable's attribute points to, as numbers of markables."""

    role: Role
    anaphor: int
    targets: tuple[int, ...]


class Mentions:
    """The markables of a level on their way into a corpus."""

    def __init__(
        self,
        build: CorpusBuilder,
        markables: Sequence[Markable],
        meaning: Mapping[str, Role],
        level: str,
        positions: Mapping[str, int],
        reading: Reading,
    ) -> None:
        self.build, self.markables, self.meaning = build, markables, meaning
        self.level, self.positions, self.reading = level, positions, reading
        self.numbers = {markable.id: n for n, markable in enumerate(markables)}

    def add(self) -> None:
        """Mentions first, then what holds between them."""
        pointers = [p for n in range(len(self.markables)) for p in self._pointers(n)]
        labels = self._labels(pointers)
        mentions = [
            self.build.mention(
                label,
                markable.parts,
                minimum=self._minimum(markable),
                columns=self._columns(markable),
            )
            for label, markable in zip(labels, self.markables, strict=True)
        ]
        for pointer in pointers:
            if pointer.role == "bridging":
                label = self.markables[pointer.anaphor].values.get("bridging_relation", "")
                for target in pointer.targets:
                    self.build.bridge(
                        mentions[pointer.anaphor], mention=mentions[target], label=label
                    )
            elif pointer.role == "split":
                plural = self.build.chain(labels[pointer.anaphor])
                for element in dict.fromkeys(labels[target] for target in pointer.targets):
                    self.build.split_antecedent(plural, self.build.chain(element))

    def _labels(self, pointers: Sequence[Pointer]) -> list[str]:
        """The chain of each markable: the name of its set, or of its first markable."""
        sets = [self._set(markable) for markable in self.markables]
        first: dict[str, int] = {}
        links = [(first.setdefault(s, n), n) for n, s in enumerate(sets) if s]
        for pointer in pointers:
            if pointer.role == "antecedent" and not (
                sets[pointer.anaphor] and sets[pointer.targets[0]]
            ):
                links.append((pointer.anaphor, pointer.targets[0]))
        chains = components(len(sets), links)
        names: dict[int, str] = {}
        for chain, name in zip(chains, sets, strict=True):
            if name:
                names.setdefault(chain, name)
        return [
            names.setdefault(chain, markable.id)
            for chain, markable in zip(chains, self.markables, strict=True)
        ]

    def _set(self, markable: Markable) -> str:
        for name, role in self.meaning.items():
            if role == "set" and markable.values.get(name, "") not in NONE:
                return markable.values[name]
        return ""

    def _pointers(self, number: int) -> Iterator[Pointer]:
        """The pointers of a markable; an antecedent in several pieces is a split antecedent."""
        markable = self.markables[number]
        for name, role in self.meaning.items():
            value = markable.values.get(name, "")
            if role not in ("antecedent", "bridging", "split") or value in NONE:
                continue
            targets = tuple(self._targets(value, markable.place))
            if targets:
                several = role == "antecedent" and len(targets) > 1
                yield Pointer(role="split" if several else role, anaphor=number, targets=targets)

    def _targets(self, value: str, place: Place) -> Iterator[int]:
        """The markables that are pointed to, those of other levels apart."""
        for target in value.split(";"):
            level, _, name = target.strip().rpartition(":")
            if level and level != self.level:
                continue
            if name in self.numbers:
                yield self.numbers[name]
            else:
                self.reading.strictness.fault(
                    "CB115",
                    "a pointer names no markable",
                    place=place,
                    found=target,
                    repair="left out",
                )

    def _minimum(self, markable: Markable) -> list[Span]:
        """The minimal span, if it lies within the markable; some of NP4E's do not."""
        for name, role in self.meaning.items():
            value = markable.values.get(name, "")
            if role != "minimum" or value in NONE:
                continue
            minimum = parts_of(value, self.positions)
            if minimum and all(_within(part, markable.parts) for part in minimum):
                return minimum
            self.reading.strictness.report(
                Finding(
                    code="CB114",
                    severity="warning",
                    message="a minimal span lies outside its mention and is left out",
                    place=markable.place,
                    found=f"{value} of {markable.values['span']}",
                )
            )
        return []

    def _columns(self, markable: Markable) -> dict[str, str]:
        return {
            key: value
            for key, value in markable.values.items()
            if key not in FIXED and key not in self.meaning
        }


def _within(part: Span, parts: Sequence[Span]) -> bool:
    return any(start <= part[0] and part[1] <= end for start, end in parts)
