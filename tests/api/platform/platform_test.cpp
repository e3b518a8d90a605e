// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>

#include "support/info_query.h"
#include "support/objects.h"
#include "support/reported_version.h"

namespace weft::test {
namespace {

InfoCall platformInfo(cl_platform_info parameter) {
  return [=](size_t size, void* value, size_t* sizeRet) {
    return clGetPlatformInfo(platform(), parameter, size, value, sizeRet);
  };
}

TEST(Platform, IsListedOnce) {
  cl_uint count = 0;
  ASSERT_EQ(clGetPlatformIDs(0, nullptr, &count), CL_SUCCESS);
  EXPECT_EQ(count, 1u);
  cl_platform_id found[2] = {nullptr, nullptr};
  ASSERT_EQ(clGetPlatformIDs(2, found, nullptr), CL_SUCCESS);
  EXPECT_NE(found[0], nullptr);
  EXPECT_EQ(found[1], nullptr);
}

TEST(Platform, BadListArguments) {
  cl_platform_id found = nullptr;
  EXPECT_EQ(clGetPlatformIDs(0, &found, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPlatformIDs(1, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPlatformIDs(0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST(Platform, TextsHaveTheirForms) {
  EXPECT_EQ(infoText(platformInfo(CL_PLATFORM_NAME)), "Weft");
  EXPECT_EQ(infoText(platformInfo(CL_PLATFORM_PROFILE)), "FULL_PROFILE");
  EXPECT_TRUE(infoText(platformInfo(CL_PLATFORM_VERSION))
                  .starts_with(expectsOpenCl31() ? "OpenCL 3.1 Weft " : "OpenCL 3.0 Weft "));
  EXPECT_FALSE(infoText(platformInfo(CL_PLATFORM_VENDOR)).empty());
  EXPECT_EQ(infoText(platformInfo(CL_PLATFORM_ICD_SUFFIX_KHR)), "WEFT");
  const std::string extensions = " " + infoText(platformInfo(CL_PLATFORM_EXTENSIONS)) + " ";
  EXPECT_NE(extensions.find(" cl_khr_icd "), std::string::npos);
}

TEST(Platform, NumbersHaveTheirTypes) {
  EXPECT_EQ(infoValue<cl_version>(platformInfo(CL_PLATFORM_NUMERIC_VERSION)), expectedVersion());
  EXPECT_GE(infoValue<cl_ulong>(platformInfo(CL_PLATFORM_HOST_TIMER_RESOLUTION)), 1u);
}

TEST(Platform, BothExtensionListsAgree) {
  std::string joined;
  for (const auto& row :
       infoList<cl_name_version>(platformInfo(CL_PLATFORM_EXTENSIONS_WITH_VERSION))) {
    if (!joined.empty()) joined += ' ';
    joined += row.name;
    EXPECT_NE(row.version, 0u) << row.name;
  }
  EXPECT_EQ(joined, infoText(platformInfo(CL_PLATFORM_EXTENSIONS)));
}

TEST(Platform, BadInfoArguments) {
  size_t size = 0;
  EXPECT_EQ(clGetPlatformInfo(platform(), 0, 0, nullptr, &size), CL_INVALID_VALUE);
  // A handle of another kind is no platform.
  const auto wrong = reinterpret_cast<cl_platform_id>(device());
  EXPECT_EQ(clGetPlatformInfo(wrong, CL_PLATFORM_NAME, 0, nullptr, &size), CL_INVALID_PLATFORM);
  EXPECT_EQ(clGetPlatformInfo(nullptr, CL_PLATFORM_NAME, 0, nullptr, &size), CL_SUCCESS);
}

TEST(Platform, UnloadingTheCompilerIsAHint) {
  EXPECT_EQ(clUnloadPlatformCompiler(platform()), CL_SUCCESS);
  EXPECT_EQ(clUnloadPlatformCompiler(nullptr), CL_INVALID_PLATFORM);
  EXPECT_EQ(clUnloadCompiler(), CL_SUCCESS);
}

size_t threadCount() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    ++count;
  return count;
}

/// Everything a program does that only looks for devices.
void enumerate() {
  size_t size = 0;
  clGetPlatformInfo(platform(), CL_PLATFORM_EXTENSIONS, 0, nullptr, &size);
  const cl_device_id only = device();
  clGetDeviceInfo(only, CL_DEVICE_NAME, 0, nullptr, &size);
  cl_context context = clCreateContext(nullptr, 1, &only, nullptr, nullptr, nullptr);
  clReleaseContext(context);
}

TEST(PlatformDeathTest, EnumeratingStartsNoThread) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const size_t before = threadCount();
        enumerate();
        std::exit(threadCount() == before ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(PlatformDeathTest, EnumeratingIsQuick) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const std::clock_t begin = std::clock();
        enumerate();
        // Time of the processor, so that a busy machine does not matter. It takes under 1 ms.
        std::exit(std::clock() - begin < CLOCKS_PER_SEC / 20 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(PlatformDeathTest, UnknownVariablesAreWarnedAbout) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("WEFT_NO_SUCH_THING", "1", 1);
        setenv("WEFT_THREADS", "many", 1);
        enumerate();
        std::exit(0);
      },
      testing::ExitedWithCode(0),
      "weft: warning: (unknown variable WEFT_NO_SUCH_THING|WEFT_THREADS: bad value \"many\").*\n"
      "weft: warning: (unknown variable WEFT_NO_SUCH_THING|WEFT_THREADS: bad value \"many\").*");
}

TEST(PlatformDeathTest, SaysNothingUnasked) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        enumerate();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace weft::test
