# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The day that chooses what a test takes of much, as test_day.h says."""

import os
import time


def test_day() -> str:
    """WEFT_TEST_DAY, or today, since 1970: a number, or `all`."""
    return os.environ.get("WEFT_TEST_DAY", str(int(time.time()) // 86400))


def is_of_day(number: int, parts: int) -> bool:
    """Whether the number-th of much is among the one in so many parts that today chooses."""
    day = test_day()
    return day == "all" or number % parts == int(day) % parts
