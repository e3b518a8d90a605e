# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import lit.formats

config.name = "weft"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
# Code for another level than the host's, which weft-opt makes without running it. What a test
# expects of one level only, it asks for by --cpu.
config.environment["WEFT_CPU"] = os.environ.get("WEFT_CPU", "host")
config.substitutions += [
    ("weft-opt", config.weft_opt),
    ("FileCheck", config.filecheck),
]
