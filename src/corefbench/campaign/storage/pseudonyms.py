"""What a team is called where names are hidden: a bird and a number, drawn by lot for every phase.

It has another in the next phase: who was who on a board that has been published tells nothing of
one that has not.
"""

import secrets
from collections.abc import Iterable

from sqlalchemy import Connection, insert, select

from corefbench.campaign.storage.among import among
from corefbench.campaign.storage.tables import pseudonyms, teams

_BIRDS = """
Avocet Bittern Blackbird Brambling Bullfinch Bunting Buzzard Chaffinch Chiffchaff Coot Cormorant
Crane Crossbill Cuckoo Curlew Dipper Dotterel Dunlin Dunnock Egret Eider Fieldfare Firecrest
Flycatcher Gannet Goldcrest Goldfinch Goosander Goshawk Grebe Greenfinch Guillemot Harrier
Hawfinch Heron Hobby Hoopoe Jackdaw Jay Kestrel Kingfisher Kite Kittiwake Knot Lapwing Linnet
Magpie Martin Merlin Moorhen Nightingale Nightjar Nuthatch Oriole Osprey Ouzel Owl Petrel Pipit
Plover Pochard Puffin Quail Rail Raven Razorbill Redpoll Redshank Redstart Redwing Robin Rook Ruff
Sanderling Sandpiper Shelduck Shrike Siskin Skua Skylark Snipe Sparrow Starling Stonechat Swallow
Swan Swift Teal Tern Thrush Treecreeper Turnstone Twite Wagtail Warbler Waxwing Wheatear Whimbrel
Whinchat Whitethroat Wigeon Woodlark Wren Wryneck Yellowhammer
""".split()  # noqa: SIM905


def give_pseudonyms(connection: Connection, wanted: Iterable[tuple[str, str]]) -> None:
    """A pseudonym for these teams in these phases, where they have none yet."""
    pairs = set(wanted)
    query = select(pseudonyms.c.team, pseudonyms.c.phase).where(
        among(connection, pseudonyms.c.team, (team for team, _ in pairs))
    )
    missing = sorted(pairs - {(row.team, row.phase) for row in connection.execute(query)})
    if missing:
        taken = names_taken(connection)
        rows = [{"team": team, "phase": phase, "name": drawn(taken)} for team, phase in missing]
        connection.execute(insert(pseudonyms), rows)


def pseudonyms_of(connection: Connection, team: str | None = None) -> dict[tuple[str, str], str]:
    """What a team, or every team, is called: by team and phase."""
    query = select(pseudonyms)
    if team is not None:
        query = query.where(pseudonyms.c.team == team)
    return {(row.team, row.phase): row.name for row in connection.execute(query)}


def drawn(taken: set[str]) -> str:
    """One that no team is called, and now is; it says nothing of who, when or in which phase."""
    while True:
        lot = f"{secrets.choice(_BIRDS)} {secrets.randbelow(900) + 100}"
        if lot.casefold() not in taken:
            taken.add(lot.casefold())
            return lot


def names_taken(connection: Connection) -> set[str]:
    """All names and pseudonyms, in lower case: no team may pass for another on a board."""
    names = (*connection.scalars(select(teams.c.name)), *connection.scalars(_DRAWN))
    return {name.casefold() for name in names}


_DRAWN = select(pseudonyms.c.name)
