import os
from datetime import timedelta
from pathlib import Path

from corefbench.campaign.housekeeping import tidy
from corefbench.campaign.platform import Platform, now
from corefbench.campaign.storage.orphans import remove_orphans
from tests.campaign import enter, submit

DAY = timedelta(days=1)


def age(path: Path, days: float) -> None:
    then = (now() - days * DAY).timestamp()
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
    assert remove_orphans(platform.database, files, now()) == 2
    assert set(files.all()) == {named, young}
    assert list(files.abandoned()) == [arriving.path]
    for one in (arriving, broken):
        one.__exit__(None, None, None)


def test_what_is_kept_again_is_young_again(platform: Platform) -> None:
    stored = platform.files.put(b"old")
    age(platform.files.path(stored.sha256), 2)
    platform.files.put(b"old")
    tidy(platform)
    assert list(platform.files.all()) == [stored.sha256]
