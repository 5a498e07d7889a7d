"""Settings of Sphinx. `make docs` builds the pages, without network."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src")]

import labelsift  # noqa: E402

project = "labelsift"
author = "The labelsift developers"
copyright = author
version = release = labelsift.__version__

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "tree_of_pages",
    "math_without_scripts",
]
exclude_patterns = ["_build", "gallery/README.rst", "sg_execution_times.rst"]
nitpicky = False
html_theme = "furo"
html_title = f"labelsift {version}"
smartquotes = False
html_show_sourcelink = False
html_copy_source = False
templates_path: list[str] = []
suppress_warnings = [
    # the environment holds the settings of the gallery, which are no plain values
    "config.cache",
]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
myst_links_external_new_tab = False

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say it
numpydoc_show_class_members = False
html_math_renderer = "mathml"

sphinx_gallery_conf = {
    "examples_dirs": [str(HERE.parent / "examples" / "gallery")],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"plot_",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "min_reported_time": 5,
    "show_signature": False,
    "write_computation_times": False,
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
}
