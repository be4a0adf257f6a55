"""What a team is called where names are hidden: a bird and a number, drawn by lot."""

import secrets

from sqlalchemy import Connection, select

from corefbench.campaign.storage.tables import teams

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


def free_pseudonym(connection: Connection) -> str:
    """One that no team is called; it says nothing of who or when."""
    taken = names_taken(connection)
    while True:
        drawn = f"{secrets.choice(_BIRDS)} {secrets.randbelow(900) + 100}"
        if drawn.casefold() not in taken:
            return drawn


def names_taken(connection: Connection) -> set[str]:
    """All names and pseudonyms, in lower case: no team may pass for another on a board."""
    rows = connection.execute(select(teams.c.name, teams.c.pseudonym))
    return {name.casefold() for row in rows for name in row}
