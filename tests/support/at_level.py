# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a GoogleTest program with code for a micro-architecture level of x86-64, or for the host.

usage: at_level.py [--slice I/N] LEVEL COMMAND...

With --slice one of N parts of the tests: the I-th, and each day the one after; a third of it for the
highest level that the host has, since tests of code for the host run nearly the same. WEFT_TEST_DAY
says which day it is, and `all` runs all parts. LEVEL may be `host`.

Exit status 77 on a host that has not all features of the level.
"""

import os
import sys

from test_day import test_day

SKIPPED = 77
FEATURES = {
    "x86-64-v2": "cx16 lahf_lm popcnt ssse3 sse4_1 sse4_2",
    "x86-64-v3": "abm avx avx2 bmi1 bmi2 f16c fma movbe",
    "x86-64-v4": "avx512bw avx512cd avx512dq avx512f avx512vl",
}


def missing(level: str) -> set[str]:
    with open("/proc/cpuinfo") as cpus:
        flags = next(line.partition(":")[2].split() for line in cpus if line.startswith("flags"))
    wanted: set[str] = set()
    for name, features in FEATURES.items():
        wanted.update(features.split())
        if name == level:
            return wanted - set(flags)
    raise SystemExit(f"no such level: {level}")


def is_like_host(level: str) -> bool:
    higher = list(FEATURES)[list(FEATURES).index(level) + 1 :]
    return not missing(level) and all(missing(other) for other in higher)


def take_slice(text: str, level: str) -> None:
    """Takes the slice of the day, which the output names so that it can be run again."""
    day = test_day()
    if day == "all":
        return
    first, count = map(int, text.split("/"))
    if level != "host" and is_like_host(level):
        count *= 3
    os.environ["GTEST_TOTAL_SHARDS"] = str(count)
    os.environ["GTEST_SHARD_INDEX"] = str((first + int(day)) % count)
    print(f"WEFT_TEST_DAY={day}", flush=True)


def main() -> int:
    arguments = sys.argv[1:]
    part = None
    if arguments[0] == "--slice":
        part, arguments = arguments[1], arguments[2:]
    level, command = arguments[0], arguments[1:]
    if part:
        take_slice(part, level)
    if level != "host":
        if lacking := missing(level):
            print(f"this host is not {level}: no {', '.join(sorted(lacking))}")
            return SKIPPED
        os.environ["WEFT_CPU"] = level
    os.execv(command[0], command)


if __name__ == "__main__":
    sys.exit(main())
