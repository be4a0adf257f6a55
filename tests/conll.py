"""Small CoNLL files for tests, written cell by cell."""


def conll(*cells: str, name: str = "d", part: str = "000", words: list[str] | None = None) -> bytes:
    """One document of one-token words with these coreference cells; ``""`` ends a sentence."""
    lines, number = [f"#begin document ({name}); part {part}"], 0
    for cell in cells:
        if not cell:
            lines.append("")
            continue
        word = words[number] if words else f"w{number}"
        lines.append(f"{name}\t{int(part)}\t{number}\t{word}\t{cell}")
        number += 1
    return "\n".join([*lines, "", "#end document", ""]).encode()
