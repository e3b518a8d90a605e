# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when a pass does not say what it does, assumes, leaves and reads, each on lines of its own.

The comment in front of a pass's class, in whatever file it is, has four fields in this order; a field's further lines are indented as far as its
text, which formatting must not undo.
"""

import pathlib
import re
import sys

FIELDS = ["Does", "Assumes", "Leaves", "Reads"]
PASS = re.compile(r"^\s*(?:class|struct) (\w+)(?: final)? : (?:public )?(?:llvm::)?PassInfoMixin<")
FIELD = re.compile(r"^/// (Does|Assumes|Leaves|Reads):( +)\S")
INDENT = " " * 9


def flaws(comment: list[str]):
    found = []
    for number, line in enumerate(comment):
        match = FIELD.match(line)
        if match:
            found.append(match.group(1))
            if len(match.group(1)) + 1 + len(match.group(2)) != len(INDENT):
                yield f"'{match.group(1)}' is not followed by its text in column {len(INDENT) + 5}"
        elif found and not re.match(r"^///" + INDENT + r" +\S", line):
            yield f"a line of '{found[-1]}' is not indented: {line}"
        elif re.search(r"\b(Does|Assumes|Leaves|Reads):", line):
            yield f"a field is not on a line of its own: {line}"
    if found != FIELDS:
        yield f"has the fields {found}"


def main() -> int:
    status = 0
    sources = [path for path in pathlib.Path(sys.argv[1], "compiler").rglob("*")
               if path.suffix in (".h", ".cpp")]
    for path in sorted(sources):
        comment: list[str] = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = PASS.match(line)
            if match:
                for flaw in flaws(comment):
                    print(f"{path}:{number}: {match.group(1)}: {flaw}")
                    status = 1
            if line.startswith("///"):
                comment.append(line)
            elif not line.startswith("template <"):
                comment = []
    if status == 0:
        print("every pass has its contract")
    return status


if __name__ == "__main__":
    sys.exit(main())
