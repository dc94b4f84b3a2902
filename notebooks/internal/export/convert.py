"""Writes executed notebooks as HTML pages.

Arguments: "screen" or "paper", the folder of the templates, the folder to write
to, the notebooks. A page's title is the notebook's own first heading.
"""

import os
import re
import sys

import nbformat
from nbconvert import HTMLExporter

medium, templates, folder, *files = sys.argv[1:]
exporter = HTMLExporter(template_name="course", extra_template_basedirs=[templates], exclude_anchor_links=True)

for file in files:
    notebook = nbformat.read(file, as_version=4)
    headings = [re.search(r"^# +(.+)$", cell.source, re.MULTILINE) for cell in notebook.cells if cell.cell_type == "markdown"]
    name = os.path.splitext(os.path.basename(file))[0]
    notebook.metadata["title"] = next((found.group(1).strip() for found in headings if found), name)
    page, _ = exporter.from_notebook_node(notebook, resources={"paper": medium == "paper"})
    # Links between lessons lead to the exported ones.
    page = re.sub(r'(<a href="(?!https?:)[^"#]+)\.ipynb(?=["#])', r"\1.html", page)
    with open(os.path.join(folder, name + ".html"), "w", encoding="utf-8") as out:
        out.write(page)
