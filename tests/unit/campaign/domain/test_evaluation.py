from corefbench.campaign.domain.evaluation import DocumentRow, Evaluation, Invalid
from corefbench.diagnostics import Finding

ERROR = Finding(code="CB101", severity="error", message="a bracket is not closed")


OTHER = Finding(code="CB102", severity="error", message="a column is missing")


REMARK = Finding(code="CB201", severity="note", message="a document is not answered")


def test_errors_are_told_a_line_each_without_remarks():
    told = Invalid(findings=(REMARK, ERROR, OTHER)).message
    assert told == "error CB101 a bracket is not closed\nerror CB102 a column is missing"


def test_where_there_are_only_remarks_these_are_told():
    assert Invalid(findings=(REMARK,)).message == "note CB201 a document is not answered"


def test_covered_are_the_documents_that_were_answered():
    rows = [DocumentRow(document=name, counts={}, answered=name != "b") for name in "abc"]
    evaluation = Evaluation(signature="", scores={}, ranking="", headline=0, public=0, columns={}, rows=tuple(rows))
    assert evaluation.covered == 2


def test_a_document_counts_as_answered_unless_it_is_said_not_to_be():
    assert DocumentRow(document="a", counts={}).answered
