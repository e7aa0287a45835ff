"""Exact values, walked by the program of this package in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from omerta._core import Rules
from omerta._errors import TableError


def walk(rules: Rules, given: dict[str, object]) -> dict[str, Any]:
    """What `omerta exact --json` tells of rules, which travel with their texts."""
    _, (source, overlays, options, texts, _) = rules.__reduce__()
    with tempfile.TemporaryDirectory(prefix="omerta-") as folder:
        words = [_laid(source, texts, folder)]
        words += [f"--with={_laid(overlay, texts, folder)}" for overlay in overlays]
        words += [f"--set={option}={value}" for option, value in options]
        for name, value in given.items():
            values = value if isinstance(value, list) else [value]
            words += [f"--{name}={one}" for one in values if one is not None]
        line = [sys.executable, "-P", "-m", "omerta", "exact", "--json", *words]
        told = subprocess.run(line, capture_output=True, encoding="utf-8", env=os.environ | {"NO_COLOR": "1"})
    try:
        walked: dict[str, Any] = json.loads(told.stdout)
    except ValueError:
        raise TableError(told.stderr.strip() or f"omerta exact ended with {told.returncode}") from None
    return walked


def _laid(name: str, texts: list[tuple[str, str]], folder: str) -> str:
    """Lays the texts of rules into a folder as they lie to one another, and says where one of them lies; bundled
    rules have no text to lay."""
    for known, text in texts:
        path = Path(folder, *Path(known).absolute().parts[1:])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if known == name:
            name = str(path)
    return name
