// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mutation/mutate.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <span>
#include <string_view>

namespace weft::mutation {
namespace {

using Tokens = std::vector<std::string>;

constexpr const char* kDictionary[] = {
    // Numbers at the edges of types, and of sense.
    "0", "1", "-1", "0x7fffffff", "2147483648", "4294967295u", "0x8000000000000000", "1e400",
    "1e-400f", "0.0f/0.0f", "1.0L", "0b101", "08", "1ull<<63", "3wb", "1.0i", "1.0h", "'\\xff'",
    "\"%d\"", "\"",
    // Types.
    "char", "uchar3", "short", "int", "uint4", "long", "ulong16", "float", "float8", "double",
    "double2", "half", "half4", "bool", "void", "size_t", "ptrdiff_t", "event_t", "sampler_t",
    "image2d_t", "image2d_array_t", "queue_t", "atomic_int", "unsigned", "signed", "struct S",
    "union", "enum", "typedef", "__bf16", "_BitInt(33)", "_Complex", "__int128", "long double",
    "_Atomic", "_Bool", "auto",
    // Qualifiers and keywords.
    "const", "volatile", "restrict", "kernel", "global", "local", "constant", "private", "generic",
    "static", "extern", "inline", "read_only", "write_only", "pipe", "if", "else", "for", "while",
    "do", "switch", "case", "default", "break", "continue", "goto", "return", "sizeof", "_Alignof",
    "typeof", "_Generic", "_Static_assert", "__extension__", "template<class T>", "class",
    "operator", "using", "namespace", "constexpr", "asm", "__builtin_offsetof", "__auto_type",
    "_Alignas(64)",
    // Attributes.
    "__attribute__((packed))", "__attribute__((aligned(4096)))", "__attribute__((aligned(1)))",
    "__attribute__((ext_vector_type(5)))", "__attribute__((vector_size(64)))",
    "__attribute__((reqd_work_group_size(0,1,1)))", "__attribute__((vec_type_hint(float4)))",
    "__attribute__((opencl_unroll_hint(1000)))", "__attribute__((noinline))",
    "__attribute__((always_inline))", "__attribute__((alias(\"x\")))", "__attribute__((weak))",
    "__attribute__((noreturn))", "__attribute__((overloadable))", "__attribute__((used))",
    "__attribute__((naked))", "__attribute__((cleanup(f)))", "__attribute__((mode(XC)))",
    "__attribute__((address_space(7)))", "__attribute__((constructor))",
    // Punctuation.
    "(", ")", "{", "}", "[", "]", ";", ",", ":", "::", "?", "...", ".", "->", "*", "&", "&&", "||",
    "!", "~", "++", "--", "<<", ">>", "%", "/", "=", "+=", "==", "<", ">", "#", "##", "\\", "@",
    "$", "`",
    // Functions and builtins.
    "get_global_id", "get_local_id(0)", "get_global_size(9)", "barrier(CLK_LOCAL_MEM_FENCE)",
    "barrier(0)", "mem_fence(3)", "printf(\"%v4f %s\\n\", ", "atomic_add", "async_work_group_copy",
    "wait_group_events", "convert_int4_sat_rte", "as_float4", "vload3", "vstore16", "vload_half",
    "shuffle2", "select", "mad24", "fma", "native_sin", "half_exp", "pow", "frexp", "sincos",
    "__builtin_trap()", "__builtin_unreachable()", "__builtin_alloca(i)", "__builtin_memcpy",
    "__builtin_shufflevector", "__builtin_convertvector", "__builtin_add_overflow",
    "__builtin_choose_expr", "__builtin_va_arg", "__builtin_frame_address(9)",
    "__builtin_bit_cast(int,", "__builtin_expect", "__builtin_assume(0)", "__builtin_setjmp",
    "__builtin_constant_p", "__builtin_object_size", "__sync_fetch_and_add", "__atomic_load_n",
    "__func__", "__FILE__", "__LINE__", "__COUNTER__",
    // Lines.
    "\n#line 4294967295\n", "\n#pragma unroll 1000000\n",
    "\n#pragma OPENCL EXTENSION all : enable\n", "\n#pragma OPENCL FP_CONTRACT OFF\n",
    "\n#pragma clang loop unroll(full)\n", "\n#pragma pack(1)\n", "\n#define X X X\n", "\n#undef",
    "\n#if 1\n", "\n#else\n", "\n#endif\n", "\n#include \"x\"\n", "\n#if __has_include(<y>)\n",
    "\n#error\n", "\n#pragma push_macro(\"X\")\n", "/*", "//", "\\\n"};

size_t below(Random& random, size_t limit) { return limit == 0 ? 0 : random() % limit; }

std::string spaced(const char* text) { return " " + std::string(text); }

std::string anyWord(Random& random) {
  return spaced(kDictionary[below(random, std::size(kDictionary))]);
}

void repeatRange(Tokens& tokens, size_t at, size_t count, size_t times) {
  const Tokens range(tokens.begin() + at, tokens.begin() + std::min(at + count, tokens.size()));
  Tokens copies;
  for (size_t i = 0; i < times; ++i) copies.insert(copies.end(), range.begin(), range.end());
  tokens.insert(tokens.begin() + at, copies.begin(), copies.end());
}

void mutateTokens(Tokens& tokens, const Tokens& others, Random& random) {
  if (tokens.empty()) tokens.push_back(anyWord(random));
  const size_t at = below(random, tokens.size());
  const size_t from = below(random, tokens.size());
  const size_t few = 1 + below(random, 12);
  switch (below(random, 12)) {
    case 0:
      tokens.erase(tokens.begin() + at);
      break;
    case 1:
      tokens.erase(tokens.begin() + at, tokens.begin() + std::min(at + few, tokens.size()));
      break;
    case 2:
      repeatRange(tokens, at, 1, 1);
      break;
    case 3:
      repeatRange(tokens, at, few, 1 + below(random, 3));
      break;
    case 4:
      std::swap(tokens[at], tokens[from]);
      break;
    case 5:
    case 6:
      tokens[at] = tokens[from];
      break;
    case 7:
      tokens.insert(tokens.begin() + at, tokens[from]);
      break;
    case 8:
      tokens[at] = anyWord(random);
      break;
    case 9:
      tokens.insert(tokens.begin() + at, anyWord(random));
      break;
    case 10: {
      if (others.empty()) break;
      const size_t begin = below(random, others.size());
      const size_t end = std::min(begin + 1 + below(random, 40), others.size());
      tokens.insert(tokens.begin() + at, others.begin() + begin, others.begin() + end);
      break;
    }
    case 11:
      // Rarely, as it makes large sources.
      repeatRange(tokens, at, few, below(random, 8) == 0 ? below(random, 1000) : 2);
      break;
  }
}

/// Exchanges a token for one of its kind, after which programs often still build.
void mutateGently(Tokens& tokens, Random& random) {
  static constexpr std::string_view kNumbers[] = {"0",  "1",  "2",   "7",   "31",
                                                  "32", "63", "255", "1000"};
  static constexpr std::string_view kOperators[] = {"+", "-", "*", "/",  "%",
                                                    "&", "|", "^", "<<", ">>"};
  static constexpr std::string_view kComparisons[] = {"<", ">", "<=", ">=", "==", "!="};
  static constexpr std::string_view kAssignments[] = {"=", "+=", "-=", "*=", "/="};
  static constexpr std::string_view kTypes[] = {"char", "uchar", "short", "int",    "uint",
                                                "long", "ulong", "float", "double", "size_t"};
  static constexpr std::span<const std::string_view> kKinds[] = {kNumbers, kOperators, kComparisons,
                                                                 kAssignments, kTypes};
  // Most tokens are of no kind; some of those tried are.
  for (int i = 0; i < 100 && !tokens.empty(); ++i) {
    std::string& token = tokens[below(random, tokens.size())];
    const size_t begin = token.find_last_of(" \t\n") + 1;
    const std::string_view text = std::string_view(token).substr(begin);
    for (const auto& kind : kKinds) {
      if (std::ranges::find(kind, text) == kind.end()) continue;
      token = token.substr(0, begin) + std::string(kind[below(random, kind.size())]);
      return;
    }
  }
}

void mutateBytes(std::string& source, Random& random) {
  if (source.empty()) return;
  const size_t at = below(random, source.size());
  switch (below(random, 6)) {
    case 0:
      source[at] = static_cast<char>(source[at] ^ 1 << below(random, 8));
      break;
    case 1:
      source[at] = static_cast<char>(random());
      break;
    case 2:
      source.insert(at, 1, static_cast<char>(random()));
      break;
    case 3:
      source.erase(at, 1 + below(random, 20));
      break;
    case 4:
      source.insert(at, source.substr(below(random, source.size()), 1 + below(random, 60)));
      break;
    case 5:
      if (below(random, 8) == 0) source.resize(at);
      break;
  }
}

size_t endOfToken(std::string_view text, size_t begin) {
  const auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  size_t end = begin + 1;
  const char first = text[begin];
  if (first == '"' || first == '\'') {
    while (end < text.size() && text[end] != first && text[end] != '\n')
      end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  if (isWord(first)) {
    const bool number = std::isdigit(static_cast<unsigned char>(first)) != 0;
    while (end < text.size() && (isWord(text[end]) || (number && text[end] == '.'))) ++end;
    return end;
  }
  // Operators of two characters.
  constexpr std::string_view kPairs = "++--<<>>&&||==!=<=>=+=-=*=/=->##";
  if (end < text.size())
    for (size_t i = 0; i < kPairs.size(); i += 2)
      if (kPairs.substr(i, 2) == text.substr(begin, 2)) return end + 1;
  return end;
}

}  // namespace

std::vector<std::string> tokensOf(const std::string& source) {
  Tokens tokens;
  for (size_t begin = 0; begin < source.size();) {
    size_t start = begin;
    while (start < source.size()) {
      if (std::isspace(static_cast<unsigned char>(source[start])) || source[start] == '\\') {
        ++start;
      } else if (source.compare(start, 2, "//") == 0) {
        start = std::min(source.find('\n', start), source.size());
      } else if (source.compare(start, 2, "/*") == 0) {
        const size_t close = source.find("*/", start + 2);
        start = close == std::string::npos ? source.size() : close + 2;
      } else {
        break;
      }
    }
    const size_t end = start < source.size() ? endOfToken(source, start) : source.size();
    tokens.push_back(source.substr(begin, end - begin));
    begin = end;
  }
  return tokens;
}

std::string mutate(const std::string& source, const std::string& other, Random& random) {
  Tokens tokens = tokensOf(source);
  const Tokens others = tokensOf(other);
  // Mostly few changes, so that much of the program still means something.
  const size_t changes = below(random, 4) == 0 ? 1 + below(random, 20) : 1 + below(random, 3);
  const size_t way = below(random, 8);
  const bool inBytes = way < 2;
  for (size_t i = 0; i < changes && !inBytes; ++i) {
    if (way < 5)
      mutateGently(tokens, random);
    else
      mutateTokens(tokens, others, random);
  }
  std::string result;
  for (const std::string& token : tokens) result += token;
  if (inBytes)
    for (size_t i = 0; i < changes; ++i) mutateBytes(result, random);
  return result;
}

}  // namespace weft::mutation
