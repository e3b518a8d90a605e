# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import lit.formats

config.name = "weft"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
with open("/proc/cpuinfo") as cpus:
    flags = cpus.read()
    if " avx2 " in flags:
        config.available_features.add("avx2")
    if " avx512f " in flags and " avx512vl " in flags:
        config.available_features.add("estimates")
config.substitutions += [
    ("weft-opt", config.weft_opt),
    ("FileCheck", config.filecheck),
]
