// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of clCompileProgram and clLinkProgram that the programs given besides cause.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/programs.h"

namespace weft::test {
namespace {

class CompileErrors : public testing::Test {
 protected:
  cl_int compile(cl_program program, const std::vector<cl_program>& headers = {},
                 std::vector<const char*> names = {}) {
    return clCompileProgram(program, 0, nullptr, nullptr, static_cast<cl_uint>(headers.size()),
                            headers.empty() ? nullptr : headers.data(),
                            names.empty() ? nullptr : names.data(), nullptr, nullptr);
  }
  cl_int link(const std::vector<cl_program>& inputs) {
    cl_int error = 1;
    const ProgramHolder linked(clLinkProgram(context_, 0, nullptr, nullptr,
                                             static_cast<cl_uint>(inputs.size()), inputs.data(),
                                             nullptr, nullptr, &error));
    EXPECT_EQ(linked.get() != nullptr, error == CL_SUCCESS || error == CL_LINK_PROGRAM_FAILURE);
    return error;
  }
  ProgramHolder compiled(cl_context context) {
    ProgramHolder program = makeProgram(context, "kernel void k() {}");
    EXPECT_EQ(compile(program), CL_SUCCESS);
    return program;
  }

  ContextHolder context_ = makeContext();
  ContextHolder otherContext_ = makeContext();
  ProgramHolder program_ = makeProgram(context_, "#include \"h\"\nkernel void k() {}");
  ProgramHolder header_ = makeProgram(context_, "");
};

TEST_F(CompileErrors, Headers) {
  EXPECT_EQ(compile(program_, {header_}, {"h"}), CL_SUCCESS);
  const ProgramHolder foreign = makeProgram(otherContext_, "");
  EXPECT_EQ(compile(program_, {foreign}, {"h"}), CL_INVALID_CONTEXT);
  EXPECT_EQ(compile(program_, {header_, foreign}, {"h", "g"}), CL_INVALID_CONTEXT);
  EXPECT_EQ(compile(program_, {nullptr}, {"h"}), CL_INVALID_PROGRAM);
  EXPECT_EQ(compile(program_, {reinterpret_cast<cl_program>(context_.get())}, {"h"}),
            CL_INVALID_PROGRAM);
  EXPECT_EQ(compile(program_, {header_}, {nullptr}), CL_INVALID_VALUE);
  EXPECT_EQ(compile(program_, {header_}), CL_INVALID_VALUE);
  EXPECT_EQ(compile(program_, {}, {"h"}), CL_INVALID_VALUE);
  const ProgramHolder object = compiled(context_);
  EXPECT_EQ(compile(program_, {loadBinary(context_, binaryOf(object))}, {"h"}),
            CL_INVALID_OPERATION);
}

TEST_F(CompileErrors, ProgramsWithoutText) {
  const ProgramHolder object = compiled(context_);
  EXPECT_EQ(compile(loadBinary(context_, binaryOf(object))), CL_INVALID_OPERATION);
  EXPECT_EQ(compile(nullptr), CL_INVALID_PROGRAM);
}

TEST_F(CompileErrors, ProgramsWithKernels) {
  const ProgramHolder program = buildProgram(context_, "kernel void k() {}");
  {
    const KernelHolder kernel = makeKernel(program, "k");
    EXPECT_EQ(compile(program), CL_INVALID_OPERATION);
  }
  EXPECT_EQ(compile(program), CL_SUCCESS);
}

TEST_F(CompileErrors, Links) {
  const ProgramHolder object = compiled(context_);
  EXPECT_EQ(link({object}), CL_SUCCESS);
  EXPECT_EQ(link({loadBinary(context_, binaryOf(object))}), CL_SUCCESS);
  const ProgramHolder foreign = compiled(otherContext_);
  EXPECT_EQ(link({foreign}), CL_INVALID_CONTEXT);
  EXPECT_EQ(link({object, foreign}), CL_INVALID_CONTEXT);
  EXPECT_EQ(link({nullptr}), CL_INVALID_PROGRAM);
  EXPECT_EQ(link({object, reinterpret_cast<cl_program>(context_.get())}), CL_INVALID_PROGRAM);
  EXPECT_EQ(link({}), CL_INVALID_VALUE);
  // What was not compiled, or built to its end.
  EXPECT_EQ(link({header_}), CL_INVALID_OPERATION);
  EXPECT_EQ(link({object, header_}), CL_INVALID_OPERATION);
  const cl_device_id on = device();
  cl_int error = 1;
  const cl_program inputs[] = {object};
  EXPECT_EQ(clLinkProgram(context_, 1, nullptr, nullptr, 1, inputs, nullptr, nullptr, &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clLinkProgram(context_, 0, &on, nullptr, 1, inputs, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clLinkProgram(context_, 0, nullptr, nullptr, 1, inputs, nullptr, &error, &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

}  // namespace
}  // namespace weft::test
