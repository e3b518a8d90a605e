# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails unless the library exports exactly the symbols listed, without version nodes."""

import subprocess
import sys


def main() -> int:
    library, listing = sys.argv[1:3]
    output = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                            capture_output=True, text=True).stdout
    exported = {line.split()[-1] for line in output.splitlines() if line.strip()}
    # Sanitizer run-times put their own symbols into every library they are linked to.
    exported = {name for name in exported if not name.startswith(("__asan", "__ubsan", "__tsan"))}
    with open(listing) as file:
        expected = {line.strip() for line in file if line.strip() and not line.startswith("#")}
    for name in sorted(exported - expected):
        print("exported, not listed:", name)
    for name in sorted(expected - exported):
        print("listed, not exported:", name)
    print(len(exported), "symbols")
    return 0 if exported == expected else 1


if __name__ == "__main__":
    sys.exit(main())
