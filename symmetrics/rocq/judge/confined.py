"""Run a program that can write files in one folder alone, where the system offers Landlock (Linux 5.13 and later).

A theory has passed the gate when the compiler sees it, so that this is the second of two walls; where the system has no
Landlock, the first one stands alone.  It is a script of its own, because a process that has threads cannot give up
rights between fork and exec::

    python confined.py FOLDER PROGRAM ARGUMENT...
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from pathlib import Path

CREATE, ADD, RESTRICT = 444, 445, 446
"""System call numbers, the same on all architectures with Landlock."""
VERSION, PATH_BENEATH, NO_NEW_PRIVILEGES = 1, 1, 38
WRITE_FILE, TRUNCATE = 1 << 1, 1 << 14
WRITING = WRITE_FILE | sum(1 << bit for bit in range(4, 13))
"""Landlock access rights: writing files; creating and removing files and folders."""


def confine(folder: Path) -> bool:
    """Restrict this process and its children to writing in one folder.

    :returns: whether the system does that
    """
    if not sys.platform.startswith("linux"):
        return False
    version = _call(CREATE, None, 0, VERSION)
    if version < 1:
        return False
    rights = WRITING | (TRUNCATE if version > 2 else 0)
    rules = _call(CREATE, struct.pack("=Q", rights), 8, 0)
    for place, allowed in ((folder, rights), (Path(os.devnull), WRITE_FILE)):
        opened = os.open(place, os.O_PATH)
        _call(ADD, rules, PATH_BENEATH, struct.pack("=Qi", allowed, opened), 0)
        os.close(opened)
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0)))
    return _call(RESTRICT, rules, 0) == 0


def _call(number: int, *arguments: int | bytes | None) -> int:
    system = ctypes.CDLL(None).syscall
    system.restype = ctypes.c_long
    wide = (ctypes.c_long(each) if isinstance(each, int) else each for each in arguments)
    return int(system(ctypes.c_long(number), *wide))


if __name__ == "__main__":
    confine(Path(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])
