"""TypeScript types of all messages. The browser code is type-checked against them."""

from __future__ import annotations

import ast
from pathlib import Path

HERE = Path(__file__).parent
DECLARED = HERE.parent / "web" / "payload.d.ts"
MODULES = ("limits", "lanes", "board", "timeline", "cases", "need", "replay", "asks", "page")


def declarations() -> str:
    """Return the types of all messages as TypeScript declarations."""
    made = ["// Written by `python -m padf_ui.wire` from padf_ui/wire: change that."]
    for module in MODULES:
        for node in ast.parse((HERE / f"{module}.py").read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                made.append(_interface(node))
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                made.append(f"export type {node.targets[0].id} = {_type(node.value)};")
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                # The browser code repeats the number. A literal type makes its checker compare the
                # two.
                made.append(f"export type {node.target.id} = {ast.unparse(node.value or node)};")
    return "\n\n".join(made) + "\n"


def _interface(node: ast.ClassDef) -> str:
    parents = [ast.unparse(base) for base in node.bases if ast.unparse(base) != "TypedDict"]
    extends = f" extends {', '.join(parents)}" if parents else ""
    lines = [*_comment(ast.get_docstring(node), ""), f"export interface {node.name}{extends} {{"]
    is_partial = any(word.arg == "total" for word in node.keywords)
    for index, field in enumerate(node.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            lines += _comment(_docstring_behind(node.body, index), "  ")
            optional, kind = _typescript(field.annotation)
            lines.append(f"  {field.target.id}{'?' if optional or is_partial else ''}: {kind};")
    return "\n".join([*lines, "}"])


def _docstring_behind(body: list[ast.stmt], index: int) -> str | None:
    behind = body[index + 1] if index + 1 < len(body) else None
    if isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant):
        return str(behind.value.value)
    return None


def _comment(text: str | None, margin: str) -> list[str]:
    if text is None:
        return []
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) == 1:
        return [f"{margin}/** {lines[0]} */"]
    return [f"{margin}/**", *(f"{margin} * {line}".rstrip() for line in lines), f"{margin} */"]


_PLAIN = {"str": "string", "int": "number", "float": "number", "bool": "boolean", "None": "null"}


def _typescript(annotation: ast.expr) -> tuple[bool, str]:
    """Return whether a field is optional, and its type."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "NotRequired":
        return True, _type(annotation.slice)
    return False, _type(annotation)


def _type(node: ast.expr) -> str:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides = dict.fromkeys((_type(node.left), _type(node.right)))
        return " | ".join(sides)
    if isinstance(node, ast.Subscript):
        outer = ast.unparse(node.value)
        inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if outer == "Annotated":
            return _type(inner[0])
        if outer == "list":
            (kind,) = map(_type, inner)
            return f"({kind})[]" if isinstance(inner[0], ast.BinOp) else f"{kind}[]"
        if outer == "dict":
            key, value = map(_type, inner)
            return f"Record<{key}, {value}>"
        if outer == "Literal":
            return " | ".join(ast.unparse(one).replace("'", '"') for one in inner)
        raise ValueError(f"no declaration for {ast.unparse(node)}")
    name = ast.unparse(node)
    return _PLAIN.get(name, name)
