# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails on a source file without the licence lines, or longer than MAX_LINES."""

import pathlib
import subprocess
import sys

MAX_LINES = 900
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    names = subprocess.run(["git", "-C", root, "ls-files", "*.h", "*.cpp", "*.cl", "*.def", "*.py"],
                           check=True, capture_output=True, text=True).stdout.split()
    found = []
    for name in names:
        path = root / name
        if not path.exists():
            continue
        lines = path.read_text().splitlines()
        if not any(LICENCE in line for line in lines[:5]):
            found.append(f"{name}: no licence lines")
        if len(lines) > MAX_LINES:
            found.append(f"{name}: {len(lines)} lines")
    print("\n".join(found) or f"{len(names)} files are in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
