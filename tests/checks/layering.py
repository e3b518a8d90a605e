# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when an #include crosses a layer in the wrong direction.

A file is named by its longest prefix in LAYERS; what it includes must match one of the prefixes
allowed there. A prefix does not reach into a folder below it that has a row of its own. Headers of
the C and C++ libraries and POSIX are free for all.
"""

import pathlib
import re
import sys

CONTRACTS = ["weft/support/", "weft/abi/", "weft/compiler/", "weft/runtime/", "weft/khr/"]
KHRONOS = ["CL/"]
HOST = CONTRACTS + KHRONOS
RUNTIME = ["weft/support/", "weft/abi/", "weft/runtime/"]
COMPILER = ["weft/support/", "weft/abi/", "weft/compiler/", "llvm/"]

# folder or file -> prefixes of the headers that it may include
LAYERS = {
    "include/weft/support": ["weft/support/"],
    "include/weft/abi": ["weft/support/", "weft/abi/"],
    "include/weft/khr": ["weft/support/"] + KHRONOS,
    "include/weft/compiler": ["weft/support/", "weft/abi/", "weft/compiler/"],
    "include/weft/runtime": ["weft/support/", "weft/abi/", "weft/compiler/", "weft/runtime/"],
    # Each folder of the compiler stands on those before it.
    "compiler": COMPILER + ["pch.h", "clang/"],
    "compiler/base": COMPILER + ["clang/Basic/", "base/"],
    "compiler/ir": COMPILER + ["base/", "ir/"],
    "compiler/analysis": COMPILER + ["base/", "ir/", "analysis/"],
    "compiler/prepare": COMPILER + ["base/", "ir/", "analysis/", "prepare/"],
    "compiler/form": COMPILER + ["base/", "ir/", "analysis/", "prepare/", "form/"],
    "compiler/lanes": COMPILER + ["base/", "ir/", "analysis/", "prepare/", "lanes/"],
    "compiler/finish": COMPILER + ["base/", "ir/", "analysis/", "prepare/", "finish/"],
    "compiler/pipeline": COMPILER + ["base/", "ir/", "analysis/", "prepare/", "form/", "lanes/",
                                     "finish/", "pipeline/"],
    # The table of thresholds is plain C++.
    "compiler/launch": ["weft/support/", "weft/abi/", "weft/compiler/", "base/tuning.h", "launch/"],
    "compiler/jit": COMPILER + ["base/", "ir/", "jit/"],
    "compiler/cache": COMPILER + ["base/", "cache/"],
    "compiler/frontend": COMPILER + ["clang/", "base/", "ir/", "cache/", "frontend/"],
    "compiler/frontend/spirv": COMPILER + ["base/", "ir/", "frontend/", "frontend/spirv/",
                                           "spirv/", "spirv-tools/", "spirv_grammar.inc"],
    "compiler/driver": COMPILER + ["base/", "ir/", "analysis/", "pipeline/", "launch/", "jit/",
                                   "cache/", "frontend/", "frontend/spirv/", "driver/"],
    # Programs, not parts of the library: one that runs kernels composes compiler and executor.
    "compiler/tools": ["weft/support/", "weft/abi/", "weft/compiler/", "weft/runtime/", "llvm/",
                       "base/", "ir/", "analysis/", "form/", "pipeline/", "frontend/",
                       "driver/", "tools/"],
    # launch.h names BarrierSite of weft/compiler/kernel_info.h; the runtime never includes
    # anything of the compiler itself.
    "runtime/pch.h": [],
    "runtime/fiber": RUNTIME + ["fiber/", "boost/context/", "sanitizer/"],
    "runtime/sched": RUNTIME + ["sched/"],
    "runtime/printf": RUNTIME + ["printf/"],
    "runtime/children": RUNTIME + ["children/"],
    "runtime/exec": RUNTIME + ["fiber/", "children/", "exec/"],
    "runtime/device_enqueue": RUNTIME + ["children/", "exec/", "device_enqueue/"],
    "runtime/executor": RUNTIME + ["sched/", "printf/", "exec/", "device_enqueue/", "executor/"],
    "src/pch.h": KHRONOS,
    "icd": KHRONOS + ["weft/khr/", "weft/support/", "icd/", "api/", "base/", "platform/"],
}
# The folders of src, each of which stands on those before it and on nothing else.
HOST_ORDER = ["config", "base", "platform", "backend", "context", "memory", "queue", "program",
              "validate", "api"]
LAYERS |= {f"src/{folder}": HOST + [f"{below}/" for below in HOST_ORDER[:place + 1]]
           for place, folder in enumerate(HOST_ORDER)}
BUILTINS = ["weft_", "math/", "half/", "convert/", "integer/", "relational/", "geometric/",
            "atomic/", "vector/", "async/", "workgroup/", "pipe/", "enqueue/", "image/",
            "weft/abi/", "../"]
SYSTEM = re.compile(r"^[a-z0-9_]+(\.h)?$|^(sys|linux|bits)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')


def layer_of(path: str) -> str | None:
    matches = [layer for layer in LAYERS if path == layer or path.startswith(layer + "/")]
    return max(matches, key=len) if matches else None


def is_allowed(header: str, prefixes: list[str]) -> bool:
    folders = [layer.split("/", 1)[1] + "/" for layer in LAYERS if "/" in layer]
    own = max((len(folder) for folder in folders if header.startswith(folder)), default=0)
    return any(header.startswith(prefix) and len(prefix) >= own for prefix in prefixes)


def violations(root: pathlib.Path):
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in (".h", ".cpp", ".def", ".cl", ".inc") or name.startswith("build"):
            continue
        layer = layer_of(name)
        if layer is None and name.startswith(("src/", "compiler/", "runtime/", "include/")):
            yield f"{name}: its folder has no layer"
            continue
        allowed = LAYERS[layer] if layer else BUILTINS if name.startswith("builtins/") else None
        if allowed is None:
            continue
        folder = path.parent
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            header = match.group(1)
            quoted = '"' in line
            if is_allowed(header, allowed):
                continue
            if quoted and (folder / header).exists():
                continue  # a neighbour in the same folder
            if not quoted and SYSTEM.match(header) and not name.startswith("builtins/"):
                continue
            yield f"{name}:{number}: {layer or 'builtins'} may not include {header}"


def main() -> int:
    found = list(violations(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "no include crosses a layer")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
