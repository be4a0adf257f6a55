"""Starts the workbench, fetches its first page and stops it: a program of its own, without imports
from this package, so that it runs where nothing but corefbench is installed."""

import re
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

TIMEOUT = 120
"""Seconds that starting may take."""


def main() -> int:
    """Print the status of the first page."""
    command = [str(Path(sys.executable).with_name("corefbench")), "ui"]
    server = subprocess.Popen(
        [*command, "--port", "0", "--no-browser", "--folder", "workbench"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    timer = threading.Timer(TIMEOUT, server.kill)
    timer.start()
    try:
        for line in server.stdout or ():
            match = re.search(r"https?://\S+", line)
            if match:
                # The token of the address is exchanged for a cookie.
                browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
                with browser.open(match.group()) as page:
                    print(page.status, len(page.read()), "bytes")
                return 0
        return 1
    finally:
        timer.cancel()
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
