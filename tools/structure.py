"""Measure the structure of the source: layers, names, lengths, complexity, language.

`python -m tools.structure` prints every measure; `tests/test_structure.py` holds them.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import grice
from tools.expression_types import Annotations, class_name

PACKAGE = Path(grice.__file__).parent
REPOSITORY = Path(__file__).parents[1]
# A layer may import those before it; the packages of one layer do not import each other.
LAYERS = (
    ("core",),
    ("storage",),
    ("tables",),
    ("theory",),
    ("models",),
    (
        "generate",
        "datasets",
        "mining",
        "checks",
        "judges",
        "learners",
        "collecting",
        "analysis",
        "reporting",
    ),
    ("loading", "cluster"),
    ("papers",),
    ("profiling",),
    ("verbs",),
    ("cli",),
    ("__init__", "__main__"),
)
LEVEL = {package: level for level, layer in enumerate(LAYERS) for package in layer}
# A CamelCase name assigned at the top of a module is a type alias.
TYPE_NAME = re.compile(r"_?[A-Z][A-Za-z]*[a-z][A-Za-z]*")
# Names that say how a value came about instead of what it holds.
VAGUE_NAMES = frozenset(
    [
        "found",
        "one",
        "told",
        "said",
        "made",
        "kept",
        "given",
        "asked",
        "mine",
        "place",
        "whole",
        "there",
        "shown",
        "bare",
    ]
)
NEVER_WORDS = (
    r"lest|whence|at birth|sittings?|leads? nowhere|in a ring|of one piece|by lot|patiently|"
    r"stands? twice|however one asks|the doing|doing of|untold|blind twins?|lean shows|"
    r"would have shown|cannot be told|goes up and down with|for the most part|rightly|no news|"
    r"come, become of"
)
# Attributes and methods that hold or read prose; a branch on one of them decides by text.
PROSE = frozenset(
    ["text", "headline", "title", "label", "finding", "note", "reason", "display_name"]
)
READERS = frozenset(["startswith", "endswith", "partition", "rpartition", "split"])
MAX_PARAMETERS = 7
# The error of another library that has no class of its own is told by its text, in this function.
FOREIGN_ERRORS = ("models/torch.py", "no_memory")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file of the package."""

    path: Path

    @cached_property
    def text(self) -> str:
        """The source."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.text)

    @cached_property
    def name(self) -> str:
        """The path below the package."""
        is_inside = self.path.is_relative_to(PACKAGE)
        return str(self.path.relative_to(PACKAGE)) if is_inside else self.path.name

    @cached_property
    def dotted_name(self) -> str:
        """The name that an import statement uses."""
        return "grice." + self.name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")

    @cached_property
    def package(self) -> str:
        """The top-level package, or the module itself beside the packages."""
        return self.path.relative_to(PACKAGE).parts[0].removesuffix(".py")

    @property
    def n_lines(self) -> int:
        """The number of lines."""
        return self.text.count("\n")

    @cached_property
    def imports(self) -> frozenset[str]:
        """Modules and names of grice that are imported anywhere in the file."""
        names = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names |= {f"{node.module}.{alias.name}" for alias in node.names}
        return frozenset(name for name in names if name.startswith("grice."))

    def functions(self) -> Iterator[tuple[str, Function]]:
        """Yield functions and methods with their qualified names."""
        for node in self.tree.body:
            if isinstance(node, Function):
                yield node.name, node
            elif isinstance(node, ast.ClassDef):
                methods = (member for member in node.body if isinstance(member, Function))
                yield from ((f"{node.name}.{method.name}", method) for method in methods)


@cache
def modules() -> tuple[Module, ...]:
    """Return every file of the package."""
    return tuple(Module(path) for path in sorted(PACKAGE.rglob("*.py")))


def layer_violations() -> list[str]:
    """List imports of a higher layer, or of another package of the same layer."""
    violations = []
    for module in modules():
        level = LEVEL.get(module.package, -1)
        for name in sorted(module.imports):
            package = name.split(".")[1]
            if package == module.package or name == "grice.__version__":
                continue
            if package not in LEVEL or LEVEL[package] >= level:
                violations.append(f"{module.name} imports {name}")
    return violations


def private_imports() -> list[str]:
    """List modules or names with an underscore that are imported from another package."""
    return [
        f"{module.name} imports {name}"
        for module in modules()
        for name in sorted(module.imports)
        if name.split(".")[1] != module.package
        and any(part.startswith("_") and not part.startswith("__") for part in name.split("."))
    ]


def mutual_imports() -> list[str]:
    """List pairs of modules that import each other, at the top or inside a function."""
    known = {module.dotted_name for module in modules() if module.path.name != "__init__.py"}
    targets = {
        module.dotted_name: {
            target for name in module.imports for target in (name, name.rpartition(".")[0])
        }
        & known
        for module in modules()
        if module.dotted_name in known
    }
    return sorted(
        f"{name} and {target}"
        for name, names in targets.items()
        for target in names
        if name < target and name in targets.get(target, ())
    )


def homonyms() -> dict[str, list[str]]:
    """Return names of classes and type aliases that are defined more than once, and where."""
    definitions = defaultdict(list)
    for module in modules():
        names = [node.name for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)]
        targets = [node.targets[0] for node in module.tree.body if isinstance(node, ast.Assign)]
        names += [
            target.id
            for target in targets
            if isinstance(target, ast.Name) and TYPE_NAME.fullmatch(target.id)
        ]
        for name in names:
            definitions[name.removeprefix("_")].append(module.name)
    return {name: files for name, files in sorted(definitions.items()) if len(files) > 1}


def undocumented_functions() -> list[str]:
    """List public functions and methods without a docstring; overloads share one."""
    return [
        f"{module.name}:{node.lineno} {name}"
        for module in modules()
        for name, node in module.functions()
        if not any(part.startswith("_") for part in name.split("."))
        and not ast.get_docstring(node)
        and not any(isinstance(d, ast.Name) and d.id == "overload" for d in node.decorator_list)
    ]


def files_without_docstring() -> list[str]:
    """List files that do not say what they are."""
    return [module.name for module in modules() if not ast.get_docstring(module.tree)]


def tree() -> list[str]:
    """Return the packages, their subpackages and single modules, as CONTRIBUTING.md draws them."""
    single = {path.name for path in PACKAGE.glob("*.py") if path.name != "__main__.py"}
    names = []
    for package in (package for layer in LAYERS for package in layer):
        if f"{package}.py" in single:
            names.append(f"{package}.py")
        folder = PACKAGE / package
        if folder.is_dir():
            inner = sorted(p.name for p in folder.iterdir() if (p / "__init__.py").is_file())
            # Each folder of papers/ is one paper; a new one does not change the picture.
            inner = ["NAME"] if package == "papers" else inner
            names += [f"{package}/", *(f"{package}/{name}/" for name in inner)]
    return names


def modules_beside_packages() -> list[str]:
    """List modules that are in no package."""
    return [
        module.name
        for module in modules()
        if module.path.parent == PACKAGE and "__" not in module.name
    ]


def commands_without_example() -> list[str]:
    """List public functions and types whose docstring has no example that runs."""
    return [
        name
        for name in grice.__all__
        if callable(getattr(grice, name)) and ">>>" not in (getattr(grice, name).__doc__ or "")
    ]


@cache
def _all_functions() -> tuple[tuple[Module, Function], ...]:
    return tuple(
        (module, node)
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, Function)
    )


def long_functions(limit: int = 60) -> list[str]:
    """List functions with more lines than the limit, longest first."""
    lengths = (
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{module.name} {node.name}")
        for module, node in _all_functions()
    )
    return [f"{length} {name}" for length, name in sorted(lengths, reverse=True) if length > limit]


def long_files(limit: int = 400) -> list[str]:
    """List files with more lines than the limit, longest first."""
    lengths = sorted(((module.n_lines, module.name) for module in modules()), reverse=True)
    return [f"{length} {name}" for length, name in lengths if length > limit]


def complexity(function: Function) -> int:
    """Return one plus the branches, loops, Boolean operators and comprehensions of a function."""
    total = 1
    for node in ast.walk(function):
        if isinstance(
            node,
            ast.If
            | ast.IfExp
            | ast.For
            | ast.AsyncFor
            | ast.While
            | ast.ExceptHandler
            | ast.match_case,
        ):
            total += 1
        elif isinstance(node, ast.BoolOp):
            total += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            total += 1 + len(node.ifs)
    return total


def complex_functions(limit: int) -> list[str]:
    """List functions whose complexity is over a limit, most complex first."""
    scored = sorted(
        ((complexity(node), f"{module.name} {node.name}") for module, node in _all_functions()),
        reverse=True,
    )
    return [f"{score} {name}" for score, name in scored if score > limit]


def functions_with_many_parameters() -> list[str]:
    """List functions with more than seven parameters, apart from commands.

    Commands are the functions of `cli` and the public functions of `grice`, whose keywords are the
    flags of the command line.
    """
    functions = set(grice.__all__) - set(grice._SEVERAL)
    public = {f"{getattr(grice, name).__module__}.{name}" for name in functions}
    return [
        f"{module.name} {node.name}"
        for module, node in _all_functions()
        if module.package != "cli"
        and f"{module.dotted_name}.{node.name}" not in public
        and len([*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]) > MAX_PARAMETERS
    ]


def vague_names() -> list[str]:
    """List variables and parameters that are named for how a value came about.

    A command has the name of its file.
    """
    sites = []
    for module in modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                name = node.id
            elif isinstance(node, ast.arg):
                name = node.arg
            else:
                continue
            if name in VAGUE_NAMES and name != module.path.stem:
                sites.append(f"{module.name}:{node.lineno} {name}")
    return sites


# Packages whose types hold the language that is studied: comparing its text is their work.
LANGUAGE_PACKAGES = frozenset(["mining"])


def prose_decisions(files: Sequence[Module] = ()) -> list[str]:
    """List expressions that read a sentence or a display name to decide something.

    The text of a parsed sentence, a token or a record of a corpus is data: an attribute of a type
    that a package of `LANGUAGE_PACKAGES` defines does not count.
    """
    foreign = {
        id(inner)
        for module, function in _all_functions()
        if (module.name, function.name) == FOREIGN_ERRORS
        for inner in ast.walk(function)
    }
    return [
        f"{module.name}:{node.lineno}"
        for module in files or modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.expr)
        and id(node) not in foreign
        and (prose := _prose_read(node)) is not None
        and not _is_language(module, prose)
    ]


@cache
def _language_types() -> frozenset[str]:
    """Return the names of classes that hold language."""
    return frozenset(
        node.name
        for module in modules()
        if module.package in LANGUAGE_PACKAGES
        for node in module.tree.body
        if isinstance(node, ast.ClassDef)
    )


@cache
def _annotations() -> Annotations:
    return Annotations.of(module.tree for module in modules())


def _is_language(module: Module, prose: ast.expr) -> bool:
    """Return whether the attribute's owner is of a type that holds language."""
    if not isinstance(prose, ast.Attribute):
        return False
    functions = (node for node in ast.walk(module.tree) if isinstance(node, Function))
    function = next((f for f in functions if prose in set(ast.walk(f))), None)
    if function is None:
        return False
    local = _annotations().locals_of(function)
    return class_name(_annotations().type_of(prose.value, local)) in _language_types()


def _prose_read(node: ast.expr) -> ast.expr | None:
    """Return the prose that an expression decides by, or None."""
    if isinstance(node, ast.Compare):
        is_membership = any(isinstance(operator, ast.In | ast.NotIn) for operator in node.ops)
        operands = node.comparators if is_membership else []
        return next(filter(None, map(_prose_of, operands)), None)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in READERS:
            return _prose_of(node.func.value)
        is_pattern = node.func.attr in ("search", "match", "fullmatch", "findall")
        return next(filter(None, map(_prose_of, node.args)), None) if is_pattern else None
    return None


def _prose_of(node: ast.expr) -> ast.expr | None:
    """Return `str(error)` or an attribute that holds prose, also below a call of its methods."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name):
            argument = node.args[0] if node.args else None
            is_error = isinstance(argument, ast.Name) and argument.id in ("error", "problem")
            return node if node.func.id == "str" and is_error else None
        return _prose_of(node.func.value) if isinstance(node.func, ast.Attribute) else None
    return node if isinstance(node, ast.Attribute) and node.attr in PROSE else None


def never_words() -> list[str]:
    """List lines of source and docs with a word that STYLE forbids."""
    pattern = re.compile(rf"\b({NEVER_WORDS})\b", re.IGNORECASE)
    files = [module.path for module in modules()]
    files += sorted((REPOSITORY / "web" / "src").glob("*.[tj]s"))
    files += [REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md"]
    files += sorted(
        path
        for path in (REPOSITORY / "docs").rglob("*.md")
        if "example" not in path.relative_to(REPOSITORY).parts
    )
    return [
        f"{path.relative_to(REPOSITORY)}:{number} {match[0]}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (match := pattern.search(line))
    ]


def long_lines(width: int = 100) -> int:
    """Count lines that are longer than the formatter's width: long strings and links."""
    return sum(len(line) > width for module in modules() for line in module.text.splitlines())


def measures() -> Mapping[str, object]:
    """Return every measure by name."""
    trees = [module.tree for module in modules()]
    complexities = [complexity(node) for _, node in _all_functions()]
    return {
        "imports against the layers": len(layer_violations()),
        "private imports across packages": len(private_imports()),
        "modules that import each other": len(mutual_imports()),
        "class names defined more than once": len(homonyms()),
        "modules beside the packages": len(modules_beside_packages()),
        "files": len(modules()),
        "lines": sum(module.n_lines for module in modules()),
        "lines longer than 100": long_lines(),
        "'fmt: skip' comments": sum(module.text.count("# fmt: skip") for module in modules()),
        "statements": sum(isinstance(node, ast.stmt) for tree in trees for node in ast.walk(tree)),
        "functions over 60 lines": len(long_functions()),
        "files over 400 lines": len(long_files()),
        "complexity over 12 / 15 / 20": " / ".join(
            str(sum(value > limit for value in complexities)) for limit in (12, 15, 20)
        ),
        "functions with more than 7 parameters": len(functions_with_many_parameters()),
        "public functions without a docstring": len(undocumented_functions()),
        "public names without a running example": len(commands_without_example()),
        "vague local names": len(vague_names()),
        "expressions that read prose": len(prose_decisions()),
        "lines with a forbidden word": len(never_words()),
    }


if __name__ == "__main__":
    for measure, value in measures().items():
        print(f"{measure:46} {value}")
