# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one OpenCL program on Weft alone and checks what it says.

usage: run.py PROGRAM VENDORS

Exit status 77 when the program is not installed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "support"))
from test_day import is_of_day


class Failure(Exception):
    pass


def run(command: list[str], environment: dict, timeout: int = 600) -> str:
    result = subprocess.run(command, env=environment, timeout=timeout, text=True, errors="replace",
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    print(result.stdout)
    if result.returncode != 0:
        raise Failure(f"{' '.join(command)} ended with {result.returncode}")
    return result.stdout


def expect(output: str, pattern: str) -> str:
    match = re.search(pattern, output, re.MULTILINE)
    if not match:
        raise Failure(f"not found: {pattern}")
    return match.group(0)


def refuse(output: str, pattern: str) -> None:
    match = re.search(pattern, output, re.MULTILINE)
    if match:
        raise Failure(f"found: {match.group(0)}")


def clinfo(environment: dict) -> None:
    output = run(["clinfo"], environment)
    expect(output, r"^Number of platforms\s+1$")
    expect(output, r"Platform Name\s+Weft")
    expect(output, r"Device Version\s+OpenCL 3\.1")
    refuse(output, r"(?i)<.*(error|failed|CL_INVALID|CL_OUT).*>")


CLPEAK_PARTS = {
    "global-bandwidth": r"float16\s*: *[1-9]",
    "compute-sp": r"float16\s*: *[1-9]",
    "compute-dp": r"double16\s*: *[1-9]",
    "compute-integer": r"int16\s*: *[1-9]",
    "transfer-bandwidth": r"enqueueWriteBuffer\s*: *[1-9]",
    "kernel-latency": r"Kernel launch latency\s*: *[0-9.]+ us",
}


def clpeak(environment: dict) -> None:
    """A third of its parts, others each day."""
    for number, (part, result) in enumerate(CLPEAK_PARTS.items()):
        if is_of_day(number, 3):
            output = run(["clpeak", f"--{part}"], environment)
            expect(output, result)
            refuse(output, r"(?i)error|skipped.*build")


def hashcat(environment: dict, mode: str) -> None:
    """Twice: the second run loads the kernels that the first one saved as binaries."""
    with tempfile.TemporaryDirectory() as home:
        environment = dict(environment, HOME=home, XDG_CACHE_HOME=home + "/cache",
                           XDG_DATA_HOME=home + "/data")
        for _ in range(2):
            output = run(["hashcat", "-b", "-m", mode, "-D", "1,2"], environment)
            refuse(output, r"(?i)self-test failed|kernel .* failed|clBuildProgram|CL_")
            expect(output, r"Speed\.#1\.+: +[1-9]")
            expect(output, r"(?m)^Stopped:")
        if not list(pathlib.Path(home).rglob("*.kernel")):
            raise Failure("hashcat saved no kernel binaries")


def pyopencl(environment: dict) -> None:
    output = run(["/usr/bin/python3", str(HERE / "pyopencl_reduction.py")], environment)
    expect(output, r"^reduction right on Weft")


PROGRAMS = {
    "clinfo": ("clinfo", clinfo),
    "clpeak": ("clpeak", clpeak),
    "hashcat_md5": ("hashcat", lambda environment: hashcat(environment, "0")),
    "hashcat_sha256": ("hashcat", lambda environment: hashcat(environment, "1400")),
    "pyopencl": ("/usr/bin/python3", pyopencl),
}


def main() -> int:
    name, vendors = sys.argv[1:3]
    command, check = PROGRAMS[name]
    if shutil.which(command) is None:
        print(f"{command} is not installed")
        return SKIPPED
    if name == "pyopencl" and subprocess.run([command, "-c", "import pyopencl"],
                                             capture_output=True).returncode != 0:
        print("pyopencl is not installed")
        return SKIPPED
    environment = dict(os.environ, OCL_ICD_VENDORS=vendors)
    try:
        check(environment)
    except (Failure, subprocess.TimeoutExpired) as problem:
        print("FAILED:", problem)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
