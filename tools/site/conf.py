"""Sphinx's settings for the site; `python -m tools.site` uses them."""

import re
from importlib.resources import files

STYLE = (files("grice.core") / "style" / "design.css").read_text(encoding="utf-8")
FONT = re.findall(r"--font: ([^;]*)", STYLE)[0]


def _theme_colours(style: str) -> dict[str, str]:
    """Return the theme's variables in the colours of the pages that grice writes."""
    colours = dict(re.findall(r"--(\w+): (#\w{6})", style))
    roles = {
        "ink": ("foreground-primary", "brand-primary", "brand-content", "brand-visited"),
        "quiet": ("foreground-secondary", "foreground-muted"),
        "edge": ("foreground-border", "link-underline"),
        "paper": ("background-primary",),
        "panel": ("background-secondary", "code-background", "inline-code-background"),
        "grid": ("background-border", "table-border"),
    }
    return {f"color-{name}": colours[role] for role, names in roles.items() for name in names}


project = "grice"
author = "the grice team"
extensions = ["myst_parser", "sphinx_copybutton"]
root_doc = "index"
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "grice"
html_static_path: list[str] = []
html_show_sphinx = False
html_copy_source = False
_light, _dark = STYLE.split("@media")
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": {**_theme_colours(_light), "font-stack": FONT},
    "dark_css_variables": _theme_colours(_dark),
}
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
# A console block shows a command with its sign, which the highlighter of shell sessions knows.
highlight_language = "text"
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
