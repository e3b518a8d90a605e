# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the math functions and writes the table of accuracies in docs/maths.md.

`math_table.py TEST_PROGRAM docs/maths.md [INPUTS]` runs the accuracy tests of weft_test_kernels with
so many random inputs for each function (default 40000) and replaces what stands between the
markers of the table.
"""

import os
import re
import subprocess
import sys

BEGIN = "<!-- accuracy: written by tests/kernels/math_table.py -->"
END = "<!-- end of accuracy -->"
LINE = re.compile(r"^(\w+) +(half|float|double) +(\S+) ulp of (\S+)$", re.MULTILINE)
# OpenCL C asks nothing of lgamma and native_, and little of half_; the tests have bounds of their own
# for them.
UNBOUNDED = re.compile(r"lgamma(_r)?|native_.*")
HALF_ULP = "8192"


def measure(program, inputs):
    """{function: {type: (worst, allowed)}}"""
    environment = dict(os.environ, WEFT_TEST_MATH_INPUTS=inputs)
    result = subprocess.run([program, "--gtest_filter=Math/*"], env=environment, text=True,
                            capture_output=True, check=False)
    if result.returncode != 0:
        sys.exit(result.stdout[-4000:])
    worst = {}
    for name, real, ulp, allowed in LINE.findall(result.stdout):
        worst.setdefault(name, {})[real] = (ulp, allowed)
    return worst


def row(name, worst):
    cells = [f"{float(worst[real][0]):.2f}" if real in worst else "-"
             for real in ("half", "float", "double")]
    allowed = "-" if UNBOUNDED.fullmatch(name) else worst["float"][1]
    if name.startswith("half_"):
        allowed = HALF_ULP
    return f"| {name} | {' | '.join(cells)} | {allowed} |"


def main():
    program, document = sys.argv[1:3]
    inputs = sys.argv[3] if len(sys.argv) > 3 else "40000"
    worst = measure(program, inputs)
    names = sorted(worst, key=lambda name: (name.startswith(("half_", "native_")), name))
    lines = [BEGIN, "", "| function | half | float | double | allowed in float |",
             "|---|---|---|---|---|", *(row(name, worst[name]) for name in names), "", END]
    with open(document, encoding="utf-8") as file:
        text = file.read()
    start, end = text.index(BEGIN), text.index(END) + len(END)
    with open(document, "w", encoding="utf-8") as file:
        file.write(text[:start] + "\n".join(lines) + text[end:])


if __name__ == "__main__":
    main()
