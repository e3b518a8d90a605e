// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "math_reference.h"

namespace weft::test::math {

/// Inputs of one function, element i of each array being one call. Unused arrays are empty.
template <class T>
struct Inputs {
  std::vector<T> real[3];
  std::vector<int32_t> whole;
  size_t size() const { return real[0].size(); }
};

/// All combinations of edge cases, numbers of every exponent, and dense samples of the ranges
/// where functions are used: about `random` of the last two together. For functions of one half all
/// its values. Padded to whole vectors of
/// 48 elements, which every width divides.
template <class T>
Inputs<T> makeInputs(const Function& function, size_t random, uint64_t seed);
extern template Inputs<Half> makeInputs<Half>(const Function&, size_t, uint64_t);
extern template Inputs<float> makeInputs<float>(const Function&, size_t, uint64_t);
extern template Inputs<double> makeInputs<double>(const Function&, size_t, uint64_t);

/// What a function computed for some inputs.
template <class T>
struct Results {
  std::vector<T> value;
  std::vector<T> second;
  std::vector<int32_t> whole;
};

/// The worst of a set of results, and where.
struct Worst {
  double ulp = 0;
  size_t index = 0;
  size_t failures = 0;  ///< results beyond the allowed error
  std::string text;     ///< inputs, result and true value there
};

/// Compares results with MPFR's.
template <class T>
Worst judge(const Function& function, const Inputs<T>& inputs, const Results<T>& results);
extern template Worst judge<Half>(const Function&, const Inputs<Half>&, const Results<Half>&);
extern template Worst judge<float>(const Function&, const Inputs<float>&, const Results<float>&);
extern template Worst judge<double>(const Function&, const Inputs<double>&, const Results<double>&);

}  // namespace weft::test::math
