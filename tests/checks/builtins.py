# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the builtins library is complete and closed.

Complete: every function that Clang's OpenCL header declares is defined by the library, or belongs
to a family named below with the reason why it is not there.
Closed: the library calls only itself, what is compiled for the host, what the compiler lowers and
services of device-side enqueue.
"""

import re
import subprocess
import sys

# Language versions with different declarations: pointers are generic in the last one only.
NO_GENERIC = "-cl-ext=-__opencl_c_generic_address_space,-__opencl_c_device_enqueue," \
             "-__opencl_c_pipes"
VERSIONS = (["-cl-std=CL1.1"], ["-cl-std=CL1.2"], ["-cl-std=CL3.0", NO_GENERIC],
            ["-cl-std=CL3.0"],
            ["-cl-std=CL3.0", "-Dcl_intel_subgroups", "-Dcl_intel_subgroups_short"])

LOWERED = "recognised and lowered by the compiler"
# What may be missing: a pattern for the unmangled name, and the reason.
ABSENT = [(re.compile(pattern + "$"), reason) for pattern, reason in (
    (r"get_(work_dim|global_.*|local_.*|enqueued_local_size|num_groups|group_id)", LOWERED),
    ("get_((max_)?sub_group_size|(enqueued_)?num_sub_groups|sub_group_(local_)?id)", LOWERED),
    ("printf", LOWERED),
    ("intel_sub_group_(avc|ime)_.*", "hardware for video of another vendor"),
    ("amd_.*", "extensions of another vendor"),
)]
ABSENT_SYMBOLS = [(re.compile(pattern), reason) for pattern, reason in (
    (r"ocl_image2d_(array_)?msaa_", "images of several samples are not offered"),
    (r"read_image.*_rw11ocl_sampler", "neither the specification nor Clang's own table has them"),
    (r"intel_sub_group_block_write_.*_ro", "Clang's header writes to images that are read only"),
    (r"^_Z\d+atomic_.*U7_AtomicDh", "atomics on half are not offered yet"),
    (r"^_Z\d+atomic_.*PVU7_Atomic", "atomics on private memory do not exist"),
)]


def declared(clang, flags):
    """Mangled names of all functions that Clang's header declares."""
    tree = subprocess.run(
        [clang, "-cc1", "-triple", "spir64-unknown-unknown", *flags, "-finclude-default-header",
         "-fsyntax-only", "-ast-dump=json", "-x", "cl", "/dev/null"],
        check=True, capture_output=True, text=True).stdout
    return set(re.findall(r'"mangledName": "([^"]+)"', tree))


def plain_name(symbol):
    match = re.match(r"_Z(\d+)", symbol)
    if not match:
        return symbol
    return symbol[match.end():match.end() + int(match.group(1))]


def is_excused(symbol):
    name = plain_name(symbol)
    if any(pattern.match(name) for pattern, _ in ABSENT):
        return True
    return any(pattern.search(symbol) for pattern, _ in ABSENT_SYMBOLS)


def symbols(nm, kind, files):
    output = subprocess.run([nm, f"--{kind}-only", "--no-sort", "--format=posix", *files],
                            check=True, capture_output=True, text=True).stdout
    return {line.split()[0] for line in output.splitlines() if line and not line.endswith(":")}


def main():
    clang, nm, symbol_list, manifest, host_archive = sys.argv[1:]
    with open(symbol_list, encoding="utf-8") as file:
        defined = set(file.read().split())
    with open(manifest, encoding="utf-8") as file:
        modules = [line.split(maxsplit=1)[1] for line in file.read().splitlines()]

    failures = []
    for flags in VERSIONS:
        names = declared(clang, flags)
        if len(names) < 10000:
            failures.append(f"only {len(names)} declarations found with {flags}")
        missing = sorted(name for name in names - defined if not is_excused(name))
        failures += [f"{name} ({' '.join(flags)}) is declared but not defined" for name in missing]
    known = defined | symbols(nm, "defined", [host_archive])
    for name in sorted(symbols(nm, "undefined", modules) - known):
        if name.startswith(("llvm.", "__weft_", "weft_device_")):
            continue
        if any(reason == LOWERED and pattern.match(plain_name(name))
               for pattern, reason in ABSENT):
            continue
        failures.append(f"{name} is called by the library but defined nowhere")
    print("\n".join(failures) or f"{len(defined)} definitions, all declarations covered")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
