"""Receipts cannot be made or changed by others."""

import msgspec
import pytest

from corefbench.campaign.domain.receipts import Receipt, is_genuine, sign_receipt

RECEIPT = Receipt(
    what="submission",
    number="1f",
    team="Alpha",
    phase="test",
    task="chains",
    sha256="ab" * 32,
    bytes=1200,
    time="2026-03-31T23:59:59.999999Z",
)


@pytest.mark.parametrize("field", Receipt.__struct_fields__)
def test_a_receipt_with_one_field_changed_is_not_genuine(field):
    genuine = sign_receipt(RECEIPT, b"secret")
    other = 1201 if field == "bytes" else getattr(genuine, field) + "0"
    assert is_genuine(genuine, b"secret")
    assert not is_genuine(msgspec.structs.replace(genuine, **{field: other}), b"secret")


def test_a_receipt_of_another_server_is_not_genuine():
    assert not is_genuine(sign_receipt(RECEIPT, b"another"), b"secret")
