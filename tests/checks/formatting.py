# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when clang-format would change a C++ file."""

import subprocess
import sys


def main() -> int:
    root, clang_format = sys.argv[1:3]
    names = subprocess.run(["git", "-C", root, "ls-files", "*.h", "*.cpp"],
                           check=True, capture_output=True, text=True).stdout.split()
    # OpenCL C headers are not C++.
    names = [name for name in names if not name.startswith("builtins/")]
    return subprocess.run([clang_format, "--dry-run", "--Werror", *names], cwd=root).returncode


if __name__ == "__main__":
    sys.exit(main())
