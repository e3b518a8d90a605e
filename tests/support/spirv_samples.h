// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Modules of SPIR-V in assembly: for tests that run them, and as what others are made of by
/// changes at random.
namespace weft::test::samples {

/// A module with one kernel `k`, of types and constants that most of those here use.
std::string module(std::string_view body, std::string_view annotations = "",
                   std::string_view types = "");

/// Bodies of such modules, and what stands before them.
extern const std::string_view kAdd;
extern const std::string_view kLoop;  ///< phis before what they take, a switch
extern const std::string_view kGroup;
extern const std::string_view kGroupTypes;
extern const std::string_view kSpecialized;
extern const std::string_view kSpecIds;
/// Whole modules.
extern const std::string_view kImages;
extern const std::string_view kCalls;    ///< OpenCL.std, groups, atomics, conversions; version 1.6
extern const std::string_view kObjects;  ///< structures, pipes, events, pointers to themselves

/// All of them, assembled. An error of assembly fails the current test.
std::vector<std::string> all();

}  // namespace weft::test::samples
