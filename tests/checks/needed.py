# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when the library needs another shared library than the plan allows."""

import re
import subprocess
import sys

ALLOWED = {"libc.so.6", "libm.so.6", "libz.so.1", "libzstd.so.1", "ld-linux-x86-64.so.2"}


def main() -> int:
    dynamic = subprocess.run(["readelf", "-dW", sys.argv[1]], check=True, capture_output=True,
                             text=True).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic))
    extra = needed - ALLOWED
    print("needs", *sorted(needed))
    if extra:
        print("not allowed:", *sorted(extra))
    if "(TEXTREL)" in dynamic:
        print("has text relocations")
        return 1
    if "SYMBOLIC" not in dynamic:
        print("is not bound symbolically")
        return 1
    return 1 if extra else 0


if __name__ == "__main__":
    sys.exit(main())
