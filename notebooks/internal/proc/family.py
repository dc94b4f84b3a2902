"""Remembers a program's children and theirs until stdin ends, then kills those left.

psutil knows a process by its start too, so a number used anew is safe.
"""

import sys

import psutil

try:
    family = psutil.Process(int(sys.argv[1])).children(recursive=True)
except psutil.NoSuchProcess:
    family = []
print(flush=True)
sys.stdin.read()
for process in family:
    try:
        process.kill()
    except psutil.NoSuchProcess:
        pass
