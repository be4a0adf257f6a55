"""Write reports, findings, corpora and charts to files or standard output."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from corefbench.cli.options import require_one_of

if TYPE_CHECKING:
    from corefbench.corpus.corpus import Corpus
    from corefbench.diagnostics import Finding
    from corefbench.report.charts import AnyChart
    from corefbench.report.renderers import ReportFormat


class ReportWriter:
    """How a command reports: format, file, chart and warnings, checked before any work is done."""

    def __init__(
        self, format: str, output: Path | None = None, *, chart: Path | None = None, quiet: bool = False
    ) -> None:
        require_one_of(format, "table", "json", "markdown", "latex", "csv", "html")
        if chart is not None:
            from corefbench.report.charts import require_charts

            require_charts(chart)
        self.format = cast("ReportFormat", format)
        self._output, self._chart, self._quiet = output, chart, quiet

    def print_findings(self, findings: "Iterable[Finding]") -> None:
        """Print findings to standard error, unless warnings are not wanted."""
        if not self._quiet:
            print_findings(findings)

    def draw(self, make: "Callable[[], AnyChart]") -> str:
        """Write the chart to its file, if any; return it as HTML if the report is a page.

        The page goes without it if the extra ``charts`` is not installed.
        """
        if self._chart is not None:
            from corefbench.report.charts import write_chart

            write_chart(make(), self._chart)
        if self.format != "html":
            return ""
        from corefbench.report.charts import can_draw, inline_svg

        return inline_svg(make()) if can_draw() else ""

    def write(self, text: str) -> None:
        """Print the report, or write it to its file."""
        write_output(text, self._output)


def write_output(text: str, output: Path | None) -> None:
    """Print, or write to a file and make its folder if needed."""
    if output is None:
        typer.echo(text)
        return
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text + "\n", encoding="utf-8")


def print_findings(findings: "Iterable[Finding]") -> None:
    """Print findings to standard error, equal ones once."""
    for finding in dict.fromkeys(map(str, findings)):
        typer.echo(finding, err=True)


def write_corpus(corpus: "Corpus", output: str, format: str | None, *, quiet: bool) -> None:
    """Write to a file, a folder or standard output (``-``), and report what the format loses."""
    from corefbench.formats.convert import convert

    with standard_output(output) as path:
        report = convert(corpus, path, output_format=format)
    if not quiet:
        for line in report.lines():
            typer.echo(line, err=True)


@contextmanager
def standard_output(output: str) -> Iterator[str | Path]:
    """Yield the path; for ``-`` a temporary file that is printed when it is complete."""
    if output != "-":
        yield output
        return
    import shutil
    import sys
    import tempfile

    # Writers rename finished files and may seek, which a pipe cannot; and nothing is printed if
    # they fail.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "output"
        yield path
        with open(path, "rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
