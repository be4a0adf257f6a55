"""A client of the JSON interface, from the standard library alone.

What is sent carries a number of the client's own: if the line breaks and it is sent again, the
server knows it and gives the same answer, so that nothing is submitted twice.
"""

import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from corefbench.campaign.client_records import Status, Told
from corefbench.campaign.connection import Answer, Call, send
from corefbench.campaign.domain.receipts import Receipt
from corefbench.campaign.views.records import Checked, Genuine, Handed, Taken
from corefbench.errors import CorefbenchError, DataError
from corefbench.findings import Finding

_ATTEMPTS = 6
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_Kind = TypeVar("_Kind")


class Client(msgspec.Struct, frozen=True):
    """A server, and the token that it knows us by."""

    server: str
    token: str = ""
    attempts: int = _ATTEMPTS
    sleep: Callable[[float], None] = time.sleep
    send: Callable[[Call], Answer] = send

    def submit(
        self,
        phase: str,
        task: str,
        answers: Path,
        *,
        label: str = "",
        check: bool = True,
        request: str = "",
    ) -> Receipt:
        """Send answers, again if need be, until the server has them; its receipt."""
        call = self._call(
            "POST",
            f"/phases/{phase}/tasks/{task}/submissions",
            file_name=answers.name,
            label=label,
            request=request or secrets.token_hex(16),
            check="true" if check else "false",
        )
        return self._ask(msgspec.structs.replace(call, body=answers), Taken).receipt

    def check(self, phase: str, task: str, answers: Path) -> Checked:
        """Whether answers can be read, and what is said of them; nothing is submitted."""
        call = self._call("POST", f"/phases/{phase}/tasks/{task}/check", file_name=answers.name)
        return self._ask(msgspec.structs.replace(call, body=answers), Checked)

    def download(self, phase: str, task: str, out: Path) -> Receipt:
        """Take the data of a task; the first time opens the team's window."""
        handed = self._ask(self._call("POST", f"/phases/{phase}/tasks/{task}/downloads"), Handed)
        call = self._call("GET", f"/downloads/{handed.download}/file")
        out.write_bytes(self._answer(call).body)
        return handed.receipt

    def status(self, submission: str) -> Status:
        """What has become of a submission."""
        return self._ask(self._call("GET", f"/submissions/{submission}"), Status)

    def submissions(self) -> list[Status]:
        """All of one's own, in the order of their arrival."""
        return self._ask(self._call("GET", "/submissions"), list[Status])

    def withdraw(self, submission: str) -> Status:
        """Take a submission back, for good."""
        return self._ask(self._call("POST", f"/submissions/{submission}/withdraw"), Status)

    def wait(self, submission: str, *, seconds: float, every: float = 2.0) -> Status:
        """The status once the server has done with it, or when so much time is over."""
        waited = 0.0
        while True:
            status = self.status(submission)
            if status.is_over or waited >= seconds:
                return status
            self.sleep(every)
            waited += every

    def is_genuine(self, receipt: Receipt) -> bool:
        """Whether the server says that it gave this receipt."""
        call = self._call("POST", "/receipts/check")
        body = msgspec.json.encode(receipt)
        return self._ask(msgspec.structs.replace(call, body=body), Genuine).genuine

    def _call(self, method: str, path: str, **query: str) -> Call:
        return Call(
            server=self.server, token=self.token, method=method, path=f"/api/v1{path}", query=query
        )

    def _ask(self, call: Call, kind: type[_Kind]) -> _Kind:
        answer = self._answer(call)
        try:
            return msgspec.json.decode(answer.body, type=kind)
        except msgspec.DecodeError as error:
            raise DataError(
                "the answer of the server is not understood",
                code="CB314",
                found=str(error),
                remedy="is it a campaign server of this version of corefbench?",
            ) from error

    def _answer(self, call: Call) -> Answer:
        """The answer; what breaks or is put off is tried again, a little later each time."""
        for attempt in range(self.attempts):
            last = attempt == self.attempts - 1
            try:
                answer = self.send(call)
            except OSError as error:
                if last:
                    raise _unreachable(self.server, str(error)) from error
            else:
                if answer.status < 400:
                    return answer
                if last or answer.status not in _AGAIN:
                    raise _refused(answer)
                if answer.retry_after:
                    self.sleep(min(answer.retry_after, 60.0))
                    continue
            self.sleep(min(0.5 * 2**attempt, 10.0))
        raise _unreachable(self.server, "no attempts")


class Refused(CorefbenchError):
    """The server said no; it carries what the server found in the answers."""

    exit_code = 3
    findings: tuple[Finding, ...] = ()


def _refused(answer: Answer) -> Refused:
    try:
        told = msgspec.json.decode(answer.body, type=Told)
    except msgspec.DecodeError:
        told = Told(message=f"the server answered with status {answer.status}")
    error = Refused(
        told.message,
        code=told.error,
        found=told.found,
        expected=told.expected,
        remedy=told.remedy,
    )
    error.findings = told.findings
    return error


def _unreachable(server: str, found: str) -> DataError:
    return DataError(
        "the server cannot be reached",
        code="CB314",
        found=f"{server}: {found}",
        remedy="nothing was charged; send it again with the same --request",
    )
