// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ for OpenCL.

template <class Type, int Size>
class Heap {
 public:
  Heap() : count(0) {}
  void push(Type value) {
    if (count < Size) items[count++] = value;
  }
  Type pop() { return count > 0 ? items[--count] : Type(); }
  Type& operator[](int i) { return items[i % Size]; }

 private:
  Type items[Size];
  int count;
};

struct Complex {
  float re, im;
  constexpr Complex(float r = 0, float i = 0) : re(r), im(i) {}
  Complex operator*(const Complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  Complex operator+(const Complex& o) const { return {re + o.re, im + o.im}; }
};

namespace detail {
template <int Index>
struct Factorial {
  static constexpr int value = Index * Factorial<Index - 1>::value;
};
template <>
struct Factorial<0> {
  static constexpr int value = 1;
};
template <typename... Ts>
auto sum(Ts... values) {
  return (values + ... + 0);
}
}  // namespace detail

constexpr int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

constexpr int tenth = fibonacci(10);

kernel void objects(global float* out, global const int* in) {
  const int i = get_global_id(0);
  Heap<int, 8> stack;
  for (int j = 0; j < 10; ++j) stack.push(in[i] + j);
  auto twice = [&](int x) { return 2 * x + stack[1]; };
  Complex z(0.5f, i * 0.01f), c = z;
  for (int j = 0; j < 4; ++j) z = z * z + c;
  if constexpr (sizeof(float) == 4) out[i] = z.re;
  out[i] += twice(stack.pop()) + detail::Factorial<5>::value + detail::sum(1, 2, i) + tenth;
  static_assert(detail::Factorial<4>::value == 24, "");
}
