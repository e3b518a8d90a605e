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
    if " avx2 " in cpus.read():
        config.available_features.add("avx2")
config.substitutions += [
    ("weft-opt", config.weft_opt),
    ("FileCheck", config.filecheck),
]
