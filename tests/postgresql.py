"""A PostgreSQL of the tests' own, from Debian's package: its files in a folder, a socket, no port.

``COREFBENCH_POSTGRESQL`` names the folder of its programs; without it the newest under
``/usr/lib/postgresql`` is taken, or what is on the path. PostgreSQL refuses to run as root: there
it runs as the user ``postgres`` or ``nobody``.
"""

import getpass
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from sqlalchemy import create_engine

_FAST = "-c fsync=off -c full_page_writes=off -c listen_addresses='' -c max_connections=100"
_ROOM = 500 << 20


class Cluster:
    """A server with databases; all of them are gone when it stops."""

    def __init__(self) -> None:
        self._programs = _programs()
        self.folder = Path(tempfile.mkdtemp(prefix="cb-pg-", dir=_place()))
        self._user = _user()
        if self._user != getpass.getuser():
            shutil.chown(self.folder, self._user)
        self._run("initdb", "--no-sync", "--auth=trust", "--username=tests", "-E", "UTF8",
                  "--locale=C", "-D", str(self._data))  # fmt: skip
        self._run("pg_ctl", "-w", "-s", "-D", str(self._data), "-l", str(self.folder / "log"),
                  "-o", f"-k {self.folder} {_FAST}", "start")  # fmt: skip

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def url(self, name: str) -> str:
        return f"postgresql+psycopg://tests@/{name}?host={self.folder}"

    def create(self, template: str = "template0") -> str:
        """A new database, empty or a copy of another; its name."""
        name = "t" + secrets.token_hex(6)
        self._sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, name: str) -> None:
        self._sql(f"DROP DATABASE {name} WITH (FORCE)")

    def stop(self) -> None:
        self._run("pg_ctl", "-w", "-s", "-m", "immediate", "-D", str(self._data), "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _sql(self, statement: str) -> None:
        engine = create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(statement)
        engine.dispose()

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        if self._user != getpass.getuser():
            command = ["runuser", "-u", self._user, "--", *command]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr.decode()


def _place() -> str:
    """In memory where there is room; a short path, as the name of a socket has 100 characters."""
    memory = Path("/dev/shm")
    usable = memory.is_dir() and os.access(memory, os.W_OK)
    return str(memory) if usable and shutil.disk_usage(memory).free > _ROOM else "/tmp"


def _programs() -> Path:
    given = os.environ.get("COREFBENCH_POSTGRESQL")
    if given:
        return Path(given)
    installed = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = sorted(installed, key=lambda path: float(path.parts[-3]))
    if newest:
        return newest[-1].parent
    found = shutil.which("initdb")
    if found is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    return Path(found).resolve().parent


def _user() -> str:
    if os.geteuid() != 0:
        return getpass.getuser()
    if shutil.which("runuser") is None:
        pytest.skip("PostgreSQL does not run as root, and there is no runuser")
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"
