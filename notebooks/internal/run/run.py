"""Runs notebooks in the Go kernel and tells each cell's fate on descriptor 3.

Arguments: the folder to run in and keep the executed copies in, the number of
rounds in one kernel, and the notebooks.
"""

import asyncio
import json
import os
import re
import sys
import time

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

LIMIT = 120  # seconds a cell may take
events = os.fdopen(3, "w")


def tell(**event):
    print(json.dumps(event), file=events, flush=True)


def text(cell):
    """What a failed cell said; GoNB tells the reason there and not in the error."""
    parts = []
    for output in cell.outputs:
        if output.output_type == "stream":
            parts.append(output.text)
        elif output.output_type == "error":
            parts.append("\n".join(output.traceback) or output.evalue)
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(part.strip() for part in parts))


def failed(cell):
    expected = "raises-exception" in cell.metadata.get("tags", [])
    return not expected and any(output.output_type == "error" for output in cell.outputs)


async def run_cells(client, file):
    number = 0
    for index, cell in enumerate(client.nb.cells):
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        number += 1
        lines = [line for line in cell.source.splitlines() if line.strip() and line.strip() != "%%"]
        about = dict(file=file, cell=number, id=cell.get("id", ""), first=(lines or ["%%"])[0].strip())
        start = time.monotonic()
        try:
            await client.async_execute_cell(cell, index)
        except CellTimeoutError:
            tell(**about, seconds=LIMIT, failed=True, reason=f"it had not ended after {LIMIT} s\n{text(cell)}")
            raise
        except DeadKernelError:
            tell(**about, seconds=0, failed=True, reason=f"the Go kernel ended while it ran\n{text(cell)}")
            raise
        tell(**about, seconds=time.monotonic() - start, failed=failed(cell), reason=text(cell) if failed(cell) else "")


async def run(folder, rounds, file):
    nb = nbformat.read(file, as_version=4)
    client = NotebookClient(
        nb,
        kernel_name="gonb",
        timeout=LIMIT,
        allow_errors=True,  # Run All in JupyterLab goes on, too
        extra_arguments=["-raw_error"],  # compile errors as text, not HTML
        resources={"metadata": {"path": folder}},
    )
    try:
        async with client.async_setup_kernel():
            for _ in range(rounds):
                await run_cells(client, file)
    finally:
        nbformat.write(nb, os.path.join(folder, os.path.basename(file)))


async def main(folder, rounds, files):
    for file in files:
        problem = ""
        try:
            await run(folder, int(rounds), file)
        except (CellTimeoutError, DeadKernelError):
            pass  # told with its cell
        except RuntimeError as error:
            problem = f"the Go kernel did not start ({error})"
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        tell(file=file, done=True, reason=problem)


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
