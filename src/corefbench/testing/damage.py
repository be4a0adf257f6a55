"""Ways in which a file is damaged, by accident or on purpose."""

import random
from collections.abc import Iterator

BOMB = 20_000
"""How deep brackets are nested, and how long a line is made."""


def damaged(content: bytes, seed: int = 0, flips: int = 25) -> Iterator[tuple[str, bytes]]:
    """Damaged copies, each with a name.

    >>> [name for name, _ in damaged(b"abc", flips=0)][:4]
    ['empty', 'blank', 'NUL bytes', 'not UTF-8']
    """
    yield "empty", b""
    yield "blank", b" \n\t\r\n\n"
    yield "NUL bytes", b"\0" * 512
    yield "not UTF-8", content[: len(content) // 2] + b"\xff\xfe\x80" + content[len(content) // 2 :]
    yield "UTF-16", content.decode("utf-8", "replace").encode("utf-16")
    yield "with a byte order mark", b"\xef\xbb\xbf" + content
    yield "with returns", content.replace(b"\n", b"\r\n")
    yield "twice", content + content
    yield "nested brackets", content + b"([{<" * BOMB
    yield "a long line", content + b"x" * BOMB + b"\n"
    yield "a zip archive", b"PK\x03\x04" + content
    for part in range(1, 10):
        yield f"cut after {part} tenths", content[: len(content) * part // 10]
    dice = random.Random(seed)
    for number in range(flips if content else 0):
        yield f"changed bytes {number}", _flipped(content, dice)


def _flipped(content: bytes, dice: random.Random) -> bytes:
    made = bytearray(content)
    for _ in range(dice.randint(1, 4)):
        place = dice.randrange(len(made))
        how = dice.randrange(3)
        if how == 0:
            made[place] = dice.randrange(256)
        elif how == 1:
            made[place:place] = dice.choice(
                [b"\t", b"\n", b"(", b")", b"<", b'"', b"\\", b"-1", b"9" * 30]
            )
        elif len(made) > 1:
            del made[place : place + dice.randint(1, 9)]
        if not made:
            made.extend(b"\n")
    return bytes(made)
