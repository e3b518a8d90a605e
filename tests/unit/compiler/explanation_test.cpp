// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explanations of all code, as WEFT_LOG=vectorizer asks for them.
#include <mutex>

#include "compiler_fixture.h"

namespace weft::compiler::testing {
namespace {

constexpr VariantKey kFlat{.form = Form::Flat, .width = 0, .subGroupSize = 16, .localSize = {}};

/// Lines that a compiler tells of its code.
struct Lines {
  std::mutex mutex;
  std::string text;

  std::function<void(std::string_view)> taker() {
    return [this](std::string_view line) {
      const std::lock_guard lock(mutex);
      text.append(line).append("\n");
    };
  }
};

TEST(Explanation, ComesForCachedCodeToo) {
  const PrivateDirectory cache;
  for (int process = 0; process < 2; ++process) {
    Lines lines;
    CompilerOptions options = deviceOptions();
    options.cacheEnabled = true;
    options.cacheDirectory = cache.path();
    options.tiers = Tiers::Auto;
    options.explain = lines.taker();
    const auto compiler = createCompiler(options);
    const Ref<Program> program = programOf(compiler->build(kOneLine, ""));
    ASSERT_TRUE(program);
    const auto variant = program->variant(0, kFlat);
    ASSERT_TRUE(variant);
    EXPECT_EQ((*variant)->tier, Tier::Final);
    EXPECT_TRUE(lines.text.starts_with("<source>:1: remark: kernel 'one': flat form"))
        << lines.text;
  }
}

TEST(Explanation, IsGivenForCodeThatIsThereAlready) {
  const auto compiler = createCompiler(deviceOptions());
  const auto built = compiler->build(kOneLine, "-Rweft");
  ASSERT_TRUE(built);
  EXPECT_TRUE(built->explain);
  EXPECT_EQ(built->log, "");
  const auto variant = built->program->variant(0, kFlat);
  ASSERT_TRUE(variant);
  const auto first = built->program->explain(0, kFlat);
  const auto second = built->program->explain(0, kFlat);
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  EXPECT_TRUE(first->starts_with("<source>:1: remark: kernel 'one': flat form")) << *first;
  EXPECT_EQ(*first, *second);
  const auto again = built->program->variant(0, kFlat);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *variant);
}

TEST(Explanation, HasNoPlacesWhereNobodyAskedInTime) {
  const auto compiler = createCompiler(deviceOptions());
  const auto built = compiler->build(kOneLine, "");
  ASSERT_TRUE(built);
  EXPECT_FALSE(built->explain);
  const auto text = built->program->explain(0, kFlat);
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->starts_with("remark: kernel 'one': flat form")) << *text;
}

}  // namespace
}  // namespace weft::compiler::testing
