"""Mutation operators: what one node of a syntax tree might have been by mistake."""

import ast
from collections.abc import Callable, Iterator
from copy import copy
from typing import TypeAlias, TypeVar

_Node = TypeVar("_Node", bound=ast.AST)

_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_NAMES = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "minimum": "maximum",
    "maximum": "minimum",
    "argmax": "argmin",
    "argmin": "argmax",
}
_Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_SIGNED = ast.Compare | ast.BoolOp
"""Conditions that have faults of their own."""


def mutations(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of the node.

    >>> [ast.unparse(fault) for fault in mutations(ast.parse("a[1:]").body[0].value)]
    ['a[:]']
    """
    for kind, alternatives in _FAULTS.items():
        if isinstance(node, kind):
            yield from alternatives(node)


def _binary(node: ast.BinOp) -> Iterator[ast.AST]:
    if not (isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant)):
        yield _with(node, op=_ARITHMETIC[type(node.op)]())


def _augmented(node: ast.AugAssign) -> Iterator[ast.AST]:
    yield _with(node, op=_ARITHMETIC[type(node.op)]())


def _unary(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if not isinstance(node.operand, ast.Constant):
        yield node.operand


def _comparison(node: ast.Compare) -> Iterator[ast.AST]:
    for place, operator in enumerate(node.ops):
        for other in _COMPARISONS[type(operator)]:
            yield _with(node, ops=[*node.ops[:place], other(), *node.ops[place + 1 :]])
    for place, operand in enumerate([node.left, *node.comparators]):
        if isinstance(operand, ast.Constant) and isinstance(operand.value, str):
            operands = [node.left, *node.comparators]
            operands[place] = ast.Constant(f"{operand.value}?")
            yield _with(node, left=operands[0], comparators=operands[1:])
        elif isinstance(operand, ast.Tuple) and place:
            for fewer in _one_fewer(operand):
                yield _with(node, comparators=[*node.comparators[: place - 1], fewer, *node.comparators[place:]])


def _one_fewer(node: ast.Tuple) -> Iterator[ast.Tuple]:
    for place in range(len(node.elts)):
        yield _with(node, elts=[*node.elts[:place], *node.elts[place + 1 :]])


def _logical(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)


def _conditional(node: ast.If | ast.IfExp | ast.While) -> Iterator[ast.AST]:
    if not isinstance(node.test, _SIGNED) and not _is_not(node.test):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))


def _is_not(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _returned(node: ast.Return) -> Iterator[ast.AST]:
    if node.value is not None and not _is_none(node.value):
        yield ast.Return(ast.Constant(None))


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _dropped(node: ast.Expr | ast.Raise) -> Iterator[ast.AST]:
    yield ast.Pass()


def _assigned(node: ast.Assign) -> Iterator[ast.AST]:
    """Dropped, where something changes that goes on without: an element or an attribute."""
    if isinstance(node.targets[0], ast.Subscript | ast.Attribute):
        yield ast.Pass()


def _left(node: ast.Continue | ast.Break) -> Iterator[ast.AST]:
    yield ast.Break() if isinstance(node, ast.Continue) else ast.Continue()


def _subscript(node: ast.Subscript) -> Iterator[ast.AST]:
    if isinstance(node.slice, ast.Slice):
        for bound in ("lower", "upper", "step"):
            if getattr(node.slice, bound) is not None:
                yield _with(node, slice=_with(node.slice, **{bound: None}))


def _called(node: ast.Call) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Name) and node.func.id in _NAMES:
        yield _with(node, func=_with(node.func, id=_NAMES[node.func.id]))
    elif isinstance(node.func, ast.Attribute) and node.func.attr in _NAMES:
        yield _with(node, func=_with(node.func, attr=_NAMES[node.func.attr]))


def _filter(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Iterator[ast.AST]:
    """A comprehension without its first condition."""
    for place, part in enumerate(node.generators):
        if part.ifs:
            others = [*node.generators]
            others[place] = _with(part, ifs=part.ifs[1:])
            yield _with(node, generators=others)


def _with(node: _Node, **fields: object) -> _Node:
    changed = copy(node)
    for field, value in fields.items():
        setattr(changed, field, value)
    return changed


_FAULTS: dict[type[ast.AST], Callable[..., Iterator[ast.AST]]] = {
    ast.BinOp: _binary,
    ast.AugAssign: _augmented,
    ast.UnaryOp: _unary,
    ast.Compare: _comparison,
    ast.BoolOp: _logical,
    ast.Constant: _constant,
    ast.If: _conditional,
    ast.IfExp: _conditional,
    ast.While: _conditional,
    ast.Return: _returned,
    ast.Expr: _dropped,
    ast.Raise: _dropped,
    ast.Assign: _assigned,
    ast.Continue: _left,
    ast.Break: _left,
    ast.Subscript: _subscript,
    ast.Call: _called,
    ast.ListComp: _filter,
    ast.SetComp: _filter,
    ast.DictComp: _filter,
    ast.GeneratorExp: _filter,
}
