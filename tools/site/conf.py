"""Sphinx's settings for the site; `python -m tools.site` uses them."""

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
html_theme_options = {"navigation_with_keys": True}
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
# A console block shows a command with its sign, which the highlighter of shell sessions knows.
highlight_language = "text"
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
