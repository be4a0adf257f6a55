import os
from datetime import timedelta
from pathlib import Path

from corefbench.campaign.jobs.maintenance import maintain_once, remove_orphaned_files
from corefbench.campaign.platform import Platform, utc_now
from tests.campaign import enter, submit

DAY = timedelta(days=1)


def age(path: Path, days: float) -> None:
    then = (utc_now() - days * DAY).timestamp()
    os.utime(path, (then, then))


def test_only_old_files_that_nothing_names_are_removed(platform: Platform) -> None:
    files = platform.files
    named = submit(platform, enter(platform), b"named").sha256
    old, young = files.put(b"old").sha256, files.put(b"young").sha256
    arriving, broken = files.incoming(10), files.incoming(10)
    for one in (arriving, broken):
        one.flush()
    for path in (files.path(named), files.path(old), broken.path):
        age(path, 2)
    assert remove_orphaned_files(platform.database, files, utc_now()) == 2
    assert set(files.all()) == {named, young}
    assert list(files.list_incoming()) == [arriving.path]
    for one in (arriving, broken):
        one.__exit__(None, None, None)


def test_what_is_kept_again_is_young_again(platform: Platform) -> None:
    stored = platform.files.put(b"old")
    age(platform.files.path(stored.sha256), 2)
    platform.files.put(b"old")
    maintain_once(platform)
    assert list(platform.files.all()) == [stored.sha256]
