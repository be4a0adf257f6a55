"""Works cited by measures, profiles and formats, as records and as BibTeX."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from corefbench.errors import UnknownName
from corefbench.records import Record


class Reference(Record, frozen=True):
    """A published work."""

    author: str
    """As in BibTeX: family name first, joined by "and", in the order of the title page."""
    title: str
    year: int
    venue: str
    url: str = ""
    article: bool = False
    """Whether the venue is a journal; else it is a volume of proceedings."""

    @property
    def short(self) -> str:
        """Author and year, as a text cites it.

        >>> BIBLIOGRAPHY["cai2010"].short, BIBLIOGRAPHY["luo2014"].short
        ('Cai & Strube 2010', 'Luo et al. 2014')
        """
        names = [name.partition(",")[0] for name in self.author.split(" and ")]
        who = " & ".join(names) if len(names) < 3 else f"{names[0]} et al."
        return f"{who} {self.year}"

    def __str__(self) -> str:
        """Author, year, title and venue on one line."""
        return f"{self.short}. {self.title}. {self.venue}."

    def bibtex(self, key: str) -> str:
        """The entry under the given key.

        >>> print(BIBLIOGRAPHY["luo2005"].bibtex("luo2005"))
        @inproceedings{luo2005,
          author = {Luo, Xiaoqiang},
          title = {{On Coreference Resolution Performance Metrics}},
          year = {2005},
          booktitle = {Proceedings of HLT-EMNLP},
          url = {https://aclanthology.org/H05-1004/},
        }
        """
        fields = {
            "author": self.author,
            "title": f"{{{self.title}}}",
            "year": str(self.year),
            "journal" if self.article else "booktitle": self.venue.replace("&", r"\&"),
            "url": self.url,
        }
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
        kind = "article" if self.article else "inproceedings"
        return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def bibtex(keys: Iterable[str]) -> str:
    """The entries of the keys, each once, sorted, with an empty line between.

    >>> bibtex(["luo2014", "luo2005", "luo2014"]).count("@inproceedings")
    2
    """
    chosen = sorted(set(keys))
    for key in chosen:
        if key not in BIBLIOGRAPHY:
            raise UnknownName("reference", key, sorted(BIBLIOGRAPHY))
    return "\n\n".join(BIBLIOGRAPHY[key].bibtex(key) for key in chosen)


BIBLIOGRAPHY: Mapping[str, Reference] = MappingProxyType(
    msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=dict[str, Reference])
)
"""The works of ``citations.toml`` under their keys."""
