"""Re-running a signature."""

from corefbench.errors import VerificationFailed
from corefbench.scoring.api import Where, score
from corefbench.scoring.choosing import customised
from corefbench.scoring.result import Result
from corefbench.scoring.signature import Signature


def verify(
    signature: str | Signature,
    key: Where,
    response: Where,
    *,
    format: str | None = None,
    lenient: bool = False,
) -> Result:
    """Score again by the choices of the signature; raise VerificationFailed where data or scores
    are not those that were signed."""
    signed = Signature.parse(signature) if isinstance(signature, str) else signature
    profile = customised(signed.profile, signed.choices)
    result = score(key, response, profile, format=format, lenient=lenient)
    again = result.signature
    differing = [
        name
        for name in ("key", "response", "scores")
        if _content(getattr(signed, name)) != _content(getattr(again, name))
    ]
    if differing:
        raise VerificationFailed(
            f"the {' and the '.join(differing)} differ from what was signed",
            found=str(again),
            expected=str(signed),
            remedy=_remedy(signed, again, differing),
        )
    return result


def _content(field: str) -> str:
    """The hash of ``name@hash``: files may be renamed."""
    return field.rpartition("@")[2]


def _remedy(signed: Signature, again: Signature, differing: list[str]) -> str:
    if differing == ["scores"] and signed.version != again.version:
        return f"the data is the same: score with corefbench {signed.version}, as was signed"
    return "give the files that were scored, unchanged"
