"""Infer the class of an expression from the annotations of the package, as far as they reach."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

ELEMENTS = frozenset(["Sequence", "Iterable", "Iterator", "Collection", "list", "set", "frozenset"])
Function = ast.FunctionDef | ast.AsyncFunctionDef
Loop = ast.For | ast.AsyncFor | ast.comprehension


@dataclass
class Annotations:
    """Annotated members of classes and results of functions, by name."""

    members: dict[tuple[str, str], ast.expr] = field(default_factory=dict)
    results: dict[str, ast.expr] = field(default_factory=dict)
    classes: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, trees: Iterable[ast.Module]) -> Annotations:
        """Collect the annotations of the package."""
        known = cls()
        for tree in trees:
            for node in tree.body:
                if isinstance(node, Function) and node.returns is not None:
                    known.results[node.name] = node.returns
                elif isinstance(node, ast.ClassDef):
                    known._add_class(node)
        return known

    def _add_class(self, node: ast.ClassDef) -> None:
        self.classes.add(node.name)
        for member in node.body:
            if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
                self.members[node.name, member.target.id] = member.annotation
            elif isinstance(member, Function) and member.returns is not None:
                self.members[node.name, member.name] = member.returns

    def type_of(self, node: ast.expr, local: Mapping[str, ast.expr]) -> ast.expr | None:
        """Return the annotation that holds for an expression, or None where nothing says it."""
        match node:
            case ast.Name(id=name):
                return local.get(name)
            case ast.Attribute(value=value, attr=attr):
                return self.members.get((class_name(self.type_of(value, local)), attr))
            case ast.Subscript(value=value, slice=index):
                return self._item(self.type_of(value, local), index)
            case ast.Call(func=ast.Name(id="next" | "sorted" | "reversed"), args=[first, *_]):
                inner = self.type_of(first, local)
                is_next = isinstance(node.func, ast.Name) and node.func.id == "next"
                return element_of(inner) if is_next else inner
            case ast.Call(func=ast.Name(id=name)):
                return ast.Name(name) if name in self.classes else self.results.get(name)
            case ast.Call(func=function):
                return self.type_of(function, local)
            case ast.GeneratorExp(elt=elt) | ast.ListComp(elt=elt) | ast.SetComp(elt=elt):
                inner = self.type_of(elt, local)
                return None if inner is None else ast.Subscript(ast.Name("Sequence"), inner)
        return None

    def _item(self, container: ast.expr | None, index: ast.expr) -> ast.expr | None:
        if isinstance(container, ast.Subscript):
            return container if isinstance(index, ast.Slice) else element_of(container)
        return self.members.get((class_name(container), "__getitem__"))

    def locals_of(self, function: Function) -> dict[str, ast.expr]:
        """Return the annotations of a function's parameters and of what is assigned from them."""
        arguments = function.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        local = {a.arg: a.annotation for a in every if a.annotation is not None}
        for node in ast.walk(function):
            if isinstance(node, Loop) and isinstance(node.target, ast.Name):
                self._bind(local, node.target, element_of(self.type_of(node.iter, local)))
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                # The elements of a comprehension are bound by its own loops.
                for inner in ast.walk(node.value):
                    if isinstance(inner, ast.comprehension) and isinstance(inner.target, ast.Name):
                        element = element_of(self.type_of(inner.iter, local))
                        self._bind(local, inner.target, element)
                self._bind(local, node.targets[0], self.type_of(node.value, local))
        return local

    @staticmethod
    def _bind(local: dict[str, ast.expr], name: ast.Name, annotation: ast.expr | None) -> None:
        if annotation is not None:
            local.setdefault(name.id, annotation)


def element_of(annotation: ast.expr | None) -> ast.expr | None:
    """Return the type of the elements of a collection."""
    match annotation:
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[first, *_])):
            return first
        case ast.Subscript(value=ast.Name(id=name), slice=inner) if name in ELEMENTS:
            return inner
    return None


def class_name(annotation: ast.expr | None) -> str:
    """Return the class that an annotation names, without `| None`; empty if it names none."""
    if isinstance(annotation, ast.BinOp):
        return class_name(annotation.left)
    return annotation.id if isinstance(annotation, ast.Name) else ""
