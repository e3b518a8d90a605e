# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when a pass of ours is run by name in no lit test.

Usage: passes.py WEFT_OPT FOLDER
"""

import pathlib
import re
import subprocess
import sys

NAME = re.compile(r"[a-z0-9<>-]+")


def main() -> int:
    weft_opt, folder = sys.argv[1:]
    names = subprocess.run([weft_opt, "--list-passes"], capture_output=True, text=True, check=True)
    run = set()
    for test in pathlib.Path(folder).rglob("*.ll"):
        for line in test.read_text().splitlines():
            if "RUN:" in line and "--passes=" in line:
                run.update(NAME.findall(line.split("--passes=", 1)[1].split(" %s")[0]))
    missing = [name for name in names.stdout.split() if name not in run]
    print("\n".join(f"no lit test runs {name}" for name in missing) or "every pass has a test")
    return 1 if missing or not names.stdout else 0


if __name__ == "__main__":
    sys.exit(main())
