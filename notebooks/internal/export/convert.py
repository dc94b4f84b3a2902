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

def name_of(file):
    return os.path.splitext(os.path.basename(file))[0]


exported = {name_of(file) for file in files}


def lead(link):
    """Leads from lesson to lesson in what is exported. Of what is not, the name is left."""
    file, part, attributes = link.groups()
    name = name_of(file)
    return f'<a href="{name}.html{part}"{attributes}>' if name in exported else f"<a{attributes}>"


for file in files:
    notebook = nbformat.read(file, as_version=4)
    headings = [re.search(r"^# +(.+)$", cell.source, re.MULTILINE) for cell in notebook.cells if cell.cell_type == "markdown"]
    name = name_of(file)
    notebook.metadata["title"] = next((found.group(1).strip() for found in headings if found), name)
    page, _ = exporter.from_notebook_node(notebook, resources={"paper": medium == "paper"})
    page = re.sub(r'<a href="(?!https?:)([^"#]+\.ipynb)(#[^"]*|)"([^>]*)>', lead, page)
    with open(os.path.join(folder, name + ".html"), "w", encoding="utf-8") as out:
        out.write(page)
