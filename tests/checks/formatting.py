# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when clang-format would change a C++ file; with --fix, changes it.

usage: formatting.py ROOT CLANG_FORMAT [--fix]
"""

import subprocess
import sys


def main() -> int:
    root, clang_format, *options = sys.argv[1:]
    mode = ["-i"] if "--fix" in options else ["--dry-run", "--Werror"]
    names = subprocess.run(["git", "-C", root, "ls-files", "*.h", "*.cpp"],
                           check=True, capture_output=True, text=True).stdout.split()
    # OpenCL C headers are not C++.
    names = [name for name in names if not name.startswith("builtins/")]
    return subprocess.run([clang_format, *mode, *names], cwd=root).returncode


if __name__ == "__main__":
    sys.exit(main())
