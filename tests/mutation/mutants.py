"""Mutants: modules with one mistake each.

A fault replaces one node of the syntax tree by another: an operator, a comparison, a constant, a
bound of a slice, a condition, a returned value, a statement. Docstrings, annotations and the texts
of errors are left alone; of strings only those change that are compared or looked up.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import NamedTuple

from tests.mutation.operators import mutations


class Mutant(NamedTuple):
    """One fault: where it is and what it says instead."""

    module: str
    function: str
    """The outermost function that holds it, ``Class.method``; empty in the body of the module."""
    line: int
    before: str
    after: str
    place: int
    """Which node of the tree, in the order of ``ast.walk``."""
    fault: int
    """Which of the faults of that node."""

    twin: int = 1
    """Which of the like faults of that function."""

    @property
    def change(self) -> str:
        """What a list of mutants calls it."""
        return f"{self.before} → {self.after}" + (f" ({self.twin})" if self.twin > 1 else "")


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """Every fault that can be planted in the module, in the order of its lines.

    >>> [mutant.change for mutant in mutants("m.py", "def f(a):\\n    return a < 2")]
    ['return a < 2 → return None', 'a < 2 → a <= 2', 'a < 2 → a >= 2', '2 → 3']
    """
    tree = ast.parse(source)
    found = [
        Mutant(module, function, node.lineno, _words(node), _words(after), place, number)
        for place, function, node in _places(tree)
        for number, after in enumerate(mutations(node))
    ]
    likes: Counter[tuple[str, str]] = Counter()
    for mutant in sorted(found, key=lambda mutant: mutant.line):
        likes[mutant.function, mutant.change] += 1
        yield mutant._replace(twin=likes[mutant.function, mutant.change])


def apply_mutant(source: str, mutant: Mutant) -> ast.Module:
    """The tree of the module with the fault in it."""
    tree = ast.parse(source)
    node = [*ast.walk(tree)][mutant.place]
    fault = [*mutations(node)][mutant.fault]
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, field, fault)
            elif isinstance(value, list) and any(one is node for one in value):
                setattr(parent, field, [fault if one is node else one for one in value])
    return ast.fix_missing_locations(tree)


def _places(tree: ast.Module) -> Iterator[tuple[int, str, ast.expr | ast.stmt]]:
    """The nodes that may change, with their number and their function."""
    numbers = {id(node): place for place, node in enumerate(ast.walk(tree))}
    for function, node in _walk(tree, "", inside=False):
        if isinstance(node, ast.expr | ast.stmt):
            yield numbers[id(node)], function, node


def _walk(node: ast.AST, function: str, *, inside: bool) -> Iterator[tuple[str, ast.AST]]:
    yield function if inside else "", node
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and not inside:
        name = f"{function}.{node.name}".lstrip(".")
        is_function = isinstance(node, ast.FunctionDef)
        for part in node.body:
            if not _is_text(part):
                yield from _walk(part, name, inside=is_function)
        # Defaults are evaluated with the module, not with the function.
        for part in [*node.args.defaults, *node.args.kw_defaults] if is_function else []:
            if part is not None:
                yield from _walk(part, "", inside=False)
        return
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns", "decorator_list"):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST) and not _is_text(part):
                    yield from _walk(part, function, inside=inside)


def _is_text(node: ast.AST) -> bool:
    """What does nothing while all is well: docstrings, formatted strings, type aliases, imports
    for types, methods left to others, and the check that what is zipped is of one length."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    if isinstance(node, ast.Raise):
        return node.exc is not None and ast.unparse(node.exc) == "NotImplementedError"
    is_alias = isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias"
    return is_alias or isinstance(node, ast.JoinedStr)


def _words(node: ast.AST) -> str:
    return " ".join(ast.unparse(deepcopy(node)).split())
