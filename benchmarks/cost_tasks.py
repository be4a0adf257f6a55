"""Files of the formats that hold a task instead of a corpus, of any number of mentions."""

from collections.abc import Callable

_GAP = "test-{}\tAnn met Beth and she left.\tshe\t17\tAnn\t0\tTRUE\tBeth\t8\tFALSE\thttp://x.org/\n"
_GAP_HEAD = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
_BIAS = "{} [The farmer] called the clerk because [he] was late.\n"
_GENDER = (
    "technician.customer{}.1.male.txt\tThe technician told the customer{} that he could pay.\n"
)


def _gap(mentions: int) -> bytes:
    return (_GAP_HEAD + "".join(_GAP.format(i) for i in range(mentions // 3))).encode()


def _winobias(mentions: int) -> bytes:
    return "".join(_BIAS.format(i + 1) for i in range(mentions // 2)).encode()


def _winogender(mentions: int) -> bytes:
    rows = (_GENDER.format(i, i) for i in range(mentions // 2))
    return ("sentid\tsentence\n" + "".join(rows)).encode()


TASKS: dict[str, Callable[[int], bytes]] = {
    "gap": _gap,
    "winobias": _winobias,
    "winogender": _winogender,
}
