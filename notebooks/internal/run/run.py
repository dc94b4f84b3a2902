"""Runs a notebook in the Go kernel and tells each cell's fate on descriptor 3.

Arguments: the notebook, the folder to run in, which gets the executed copy,
and the number of rounds in one kernel.
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
    """What a failed cell said: GoNB tells the reason there, and in the error only the exit status."""
    said = "".join(o.text for o in cell.outputs if o.output_type == "stream").strip()
    errors = "\n".join(o.evalue for o in cell.outputs if o.output_type == "error")
    return re.sub(r"\x1b\[[0-9;]*m", "", said or errors)


def failed(cell):
    expected = "raises-exception" in cell.metadata.get("tags", [])
    return not expected and any(output.output_type == "error" for output in cell.outputs)


async def run_cells(client):
    number = 0
    for index, cell in enumerate(client.nb.cells):
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        number += 1
        lines = [line for line in cell.source.splitlines() if line.strip() and line.strip() != "%%"]
        about = dict(cell=number, id=cell.get("id", ""), first=(lines or ["%%"])[0].strip())
        start = time.monotonic()
        reason = ""
        try:
            await client.async_execute_cell(cell, index)
            if failed(cell):
                reason = text(cell)
        except CellTimeoutError:
            reason = f"it had not ended after {LIMIT} s\n{text(cell)}"
            raise
        except DeadKernelError:
            reason = f"the Go kernel ended while it ran\n{text(cell)}"
            raise
        finally:
            tell(**about, seconds=time.monotonic() - start, reason=reason)


async def run(file, folder, rounds):
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
            for _ in range(int(rounds)):
                await run_cells(client)
    except (CellTimeoutError, DeadKernelError):
        pass  # told with its cell
    except RuntimeError as error:
        tell(problem=f"the Go kernel did not start ({error})")
    finally:
        nbformat.write(nb, os.path.join(folder, os.path.basename(file)))


asyncio.run(run(*sys.argv[1:]))
