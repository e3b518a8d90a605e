// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bad input of every command on images, and the rules of wait lists.
#include <functional>
#include <string>

#include "api/command_buffer/fixture.h"
#include "fixture.h"
#include "support/wait_list.h"
#include "weft/khr/immutable_memory.h"

namespace weft::test {
namespace {

constexpr size_t kZero[4] = {};
constexpr size_t kOne[3] = {1, 1, 1};
const float kColour[4] = {};

/// What a command is given; the tests change one thing at a time.
struct Call {
  cl_mem image = nullptr;
  const size_t* origin = kZero;
  const size_t* region = kOne;
};

class ImageRules : public ImageFixture {
 protected:
  struct Command {
    std::string name;
    std::function<cl_int(const Call&)> run;
  };

  /// Every command with the image in each place that it can have there.
  std::vector<Command> commands() {
    const khr::cl_command_buffer recorded = commandBuffer;
    std::vector<Command> made = {
        {"Read",
         [this](const Call& c) {
           return clEnqueueReadImage(queue, c.image, CL_TRUE, c.origin, c.region, 0, 0, host.data(),
                                     0, nullptr, nullptr);
         }},
        {"Write",
         [this](const Call& c) {
           return clEnqueueWriteImage(queue, c.image, CL_TRUE, c.origin, c.region, 0, 0,
                                      host.data(), 0, nullptr, nullptr);
         }},
        {"Map",
         [this](const Call& c) {
           size_t row = 0, slice = 0;
           cl_int error = CL_INVALID_EVENT;
           void* const mapped =
               clEnqueueMapImage(queue, c.image, CL_TRUE, CL_MAP_READ, c.origin, c.region, &row,
                                 &slice, 0, nullptr, nullptr, &error);
           EXPECT_EQ(mapped != nullptr, error == CL_SUCCESS);
           if (mapped) {
             EXPECT_EQ(clEnqueueUnmapMemObject(queue, c.image, mapped, 0, nullptr, nullptr),
                       CL_SUCCESS);
           }
           return error;
         }},
        {"CopyFrom",
         [this](const Call& c) {
           return clEnqueueCopyImage(queue, c.image, partner, c.origin, kZero, c.region, 0, nullptr,
                                     nullptr);
         }},
        {"CopyTo",
         [this](const Call& c) {
           return clEnqueueCopyImage(queue, partner, c.image, kZero, c.origin, c.region, 0, nullptr,
                                     nullptr);
         }},
        {"ToBuffer",
         [this](const Call& c) {
           return clEnqueueCopyImageToBuffer(queue, c.image, buffer, c.origin, c.region, 0, 0,
                                             nullptr, nullptr);
         }},
        {"FromBuffer",
         [this](const Call& c) {
           return clEnqueueCopyBufferToImage(queue, buffer, c.image, 0, c.origin, c.region, 0,
                                             nullptr, nullptr);
         }},
        {"Fill",
         [this](const Call& c) {
           return clEnqueueFillImage(queue, c.image, kColour, c.origin, c.region, 0, nullptr,
                                     nullptr);
         }},
        {"RecordCopyFrom",
         [this, recorded](const Call& c) {
           return api.clCommandCopyImageKHR(recorded, nullptr, nullptr, c.image, partner, c.origin,
                                            kZero, c.region, 0, nullptr, nullptr, nullptr);
         }},
        {"RecordCopyTo",
         [this, recorded](const Call& c) {
           return api.clCommandCopyImageKHR(recorded, nullptr, nullptr, partner, c.image, kZero,
                                            c.origin, c.region, 0, nullptr, nullptr, nullptr);
         }},
        {"RecordToBuffer",
         [this, recorded](const Call& c) {
           return api.clCommandCopyImageToBufferKHR(recorded, nullptr, nullptr, c.image, buffer,
                                                    c.origin, c.region, 0, 0, nullptr, nullptr,
                                                    nullptr);
         }},
        {"RecordFromBuffer",
         [this, recorded](const Call& c) {
           return api.clCommandCopyBufferToImageKHR(recorded, nullptr, nullptr, buffer, c.image, 0,
                                                    c.origin, c.region, 0, nullptr, nullptr,
                                                    nullptr);
         }},
        {"RecordFill",
         [this, recorded](const Call& c) {
           return api.clCommandFillImageKHR(recorded, nullptr, nullptr, c.image, kColour, c.origin,
                                            c.region, 0, nullptr, nullptr, nullptr);
         }},
    };
    return made;
  }
  void expectAll(const Call& call, cl_int code) {
    for (const Command& command : commands()) {
      SCOPED_TRACE(command.name);
      EXPECT_EQ(command.run(call), code);
    }
  }
  static bool writes(const Command& command) {
    return command.name != "Read" && command.name != "Map" &&
           command.name.find("CopyFrom") == std::string::npos &&
           command.name.find("ToBuffer") == std::string::npos;
  }

  cl_int map(cl_mem image, cl_map_flags flags, size_t* row, size_t* slice) {
    cl_int error = CL_INVALID_EVENT;
    void* const mapped = clEnqueueMapImage(queue, image, CL_TRUE, flags, kZero, kOne, row, slice, 0,
                                           nullptr, nullptr, &error);
    EXPECT_EQ(mapped != nullptr, error == CL_SUCCESS);
    if (mapped) {
      EXPECT_EQ(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr), CL_SUCCESS);
    }
    return error;
  }
  cl_int map(cl_mem image, cl_map_flags flags) {
    size_t row = 0, slice = 0;
    return map(image, flags, &row, &slice);
  }
  cl_int read(cl_mem image, const Triple& region, size_t row, size_t slice, void* pointer) {
    return clEnqueueReadImage(queue, image, CL_TRUE, kZero, region.data(), row, slice, pointer, 0,
                              nullptr, nullptr);
  }
  cl_int write(cl_mem image, const Triple& region, size_t row, size_t slice, const void* pointer) {
    return clEnqueueWriteImage(queue, image, CL_TRUE, kZero, region.data(), row, slice, pointer, 0,
                               nullptr, nullptr);
  }

  const CommandBufferApi& api = commandBufferApi();
  CommandBufferHolder commandBuffer = [this] {
    cl_command_queue handle = queue;
    return CommandBufferHolder(api.clCreateCommandBufferKHR(1, &handle, nullptr, nullptr));
  }();
  Bytes host = Bytes(1 << 20);
  MemoryHolder buffer = makeBuffer(1 << 20);
  /// As large as all of the others.
  MemoryHolder partner = makeImage({CL_MEM_OBJECT_IMAGE3D, {64, 64, 64}}, kBytes);
};

TEST_F(ImageRules, WrongObjects) {
  const ContextHolder otherContext = makeContext();
  const cl_image_desc descriptor = ImageKind{CL_MEM_OBJECT_IMAGE2D, {4, 4, 1}}.descriptor();
  const MemoryHolder foreign(
      clCreateImage(otherContext, 0, &kBytes.cl, &descriptor, nullptr, nullptr));
  ASSERT_NE(foreign.get(), nullptr);
  expectAll({.image = nullptr}, CL_INVALID_MEM_OBJECT);
  expectAll({.image = buffer}, CL_INVALID_MEM_OBJECT);
  expectAll({.image = reinterpret_cast<cl_mem>(queue.get())}, CL_INVALID_MEM_OBJECT);
  expectAll({.image = foreign}, CL_INVALID_CONTEXT);
  const MemoryHolder foreignBuffer(clCreateBuffer(otherContext, 0, 64, nullptr, nullptr));
  for (const cl_mem wrong : {cl_mem{nullptr}, partner.get(), foreignBuffer.get()}) {
    const cl_int code = wrong == foreignBuffer ? CL_INVALID_CONTEXT : CL_INVALID_MEM_OBJECT;
    EXPECT_EQ(
        clEnqueueCopyImageToBuffer(queue, partner, wrong, kZero, kOne, 0, 0, nullptr, nullptr),
        code);
    EXPECT_EQ(
        clEnqueueCopyBufferToImage(queue, wrong, partner, 0, kZero, kOne, 0, nullptr, nullptr),
        code);
  }
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, partner, host.data(), 0, nullptr, nullptr),
            CL_INVALID_VALUE);
}

TEST_F(ImageRules, RegionsStayWithinTheImage) {
  for (const ImageKind& kind : kKinds) {
    const MemoryHolder image = makeImage(kind, kBytes);
    for (size_t level = 0; level < std::max<cl_uint>(kind.levels, 1); ++level) {
      SCOPED_TRACE(testing::Message() << kind.type << " level " << level);
      const Triple extent = kind.levelExtent(level);
      const Origin zero = kind.place({}, level);
      expectAll({image, nullptr, extent.data()}, CL_INVALID_VALUE);
      expectAll({image, zero.data(), nullptr}, CL_INVALID_VALUE);
      if (extent[0] <= 64) expectAll({image, zero.data(), extent.data()}, CL_SUCCESS);
      for (size_t i = 0; i < 3; ++i) {
        const bool isLevel = kind.levels > 1 && i == kind.dimensions();
        Triple region{1, 1, 1};
        region[i] = extent[i] + 1;
        expectAll({image, zero.data(), region.data()}, CL_INVALID_VALUE);
        region[i] = 0;
        expectAll({image, zero.data(), region.data()}, CL_INVALID_VALUE);
        region[i] = SIZE_MAX;
        expectAll({image, zero.data(), region.data()}, CL_INVALID_VALUE);
        region[i] = 1;
        Origin origin = zero;
        if (isLevel) continue;
        origin[i] = extent[i] - 1;
        expectAll({image, origin.data(), region.data()}, CL_SUCCESS);
        for (const size_t beyond : {extent[i], SIZE_MAX, SIZE_MAX / 2 + 1}) {
          origin[i] = beyond;
          expectAll({image, origin.data(), region.data()}, CL_INVALID_VALUE);
        }
        origin[i] = 1;
        region[i] = SIZE_MAX;
        expectAll({image, origin.data(), region.data()}, CL_INVALID_VALUE);
      }
    }
    if (kind.levels > 1)
      for (const size_t level : {size_t{kind.levels}, SIZE_MAX, size_t{1} << 32})
        expectAll({image, kind.place({}, level).data(), kOne}, CL_INVALID_MIP_LEVEL);
  }
}

TEST_F(ImageRules, HostAccess) {
  const struct {
    cl_mem_flags flags;
    bool reads, writes;
  } rows[] = {{0, true, true},
              {CL_MEM_HOST_READ_ONLY, true, false},
              {CL_MEM_HOST_WRITE_ONLY, false, true},
              {CL_MEM_HOST_NO_ACCESS, false, false}};
  const ImageKind kind{CL_MEM_OBJECT_IMAGE2D, {4, 4, 1}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.flags);
    const MemoryHolder image = makeImage(kind, kBytes, row.flags);
    const cl_int readCode = row.reads ? CL_SUCCESS : CL_INVALID_OPERATION;
    const cl_int writeCode = row.writes ? CL_SUCCESS : CL_INVALID_OPERATION;
    const cl_int bothCode = row.reads && row.writes ? CL_SUCCESS : CL_INVALID_OPERATION;
    for (const Command& command : commands()) {
      SCOPED_TRACE(command.name);
      const bool readsHost = command.name == "Read" || command.name == "Map";
      const cl_int code = readsHost ? readCode : command.name == "Write" ? writeCode : CL_SUCCESS;
      EXPECT_EQ(command.run({image}), code);
    }
    EXPECT_EQ(map(image, CL_MAP_WRITE), writeCode);
    EXPECT_EQ(map(image, CL_MAP_WRITE_INVALIDATE_REGION), writeCode);
    EXPECT_EQ(map(image, CL_MAP_READ | CL_MAP_WRITE), bothCode);
  }
}

TEST_F(ImageRules, ImmutableImagesAreNotWritten) {
  const ImageKind kind{CL_MEM_OBJECT_IMAGE2D, {4, 4, 1}};
  const MemoryHolder image =
      makeImage(kind, kBytes, khr::kMemImmutable | CL_MEM_COPY_HOST_PTR, host.data());
  for (const Command& command : commands()) {
    SCOPED_TRACE(command.name);
    EXPECT_EQ(command.run({image}), writes(command) ? CL_INVALID_OPERATION : CL_SUCCESS);
  }
  EXPECT_EQ(map(image, CL_MAP_READ), CL_SUCCESS);
  EXPECT_EQ(map(image, CL_MAP_WRITE), CL_INVALID_OPERATION);
  EXPECT_EQ(map(image, CL_MAP_WRITE_INVALIDATE_REGION), CL_INVALID_OPERATION);
  // Of two mistakes the one is told that no other pointer would mend.
  EXPECT_EQ(map(image, CL_MAP_WRITE, nullptr, nullptr), CL_INVALID_OPERATION);
  const MemoryHolder immutableBuffer =
      makeBuffer(64, khr::kMemImmutable | CL_MEM_COPY_HOST_PTR, host.data());
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, image, immutableBuffer, kZero, kOne, 0, 0, nullptr,
                                       nullptr),
            CL_INVALID_OPERATION);
}

TEST_F(ImageRules, HostPitches) {
  void* const data = host.data();
  for (const ImageKind& kind : kKinds) {
    SCOPED_TRACE(testing::Message() << kind.type << " levels " << kind.levels);
    const MemoryHolder image = makeImage(kind, kBytes);
    const Triple& region = kind.extent;
    const size_t row = region[0] * 4;
    const size_t slice = row * (kind.isRowArray() ? 1 : region[1]);
    const auto both = [&](size_t rowPitch, size_t slicePitch, void* pointer) {
      const cl_int code = read(image, region, rowPitch, slicePitch, pointer);
      EXPECT_EQ(write(image, region, rowPitch, slicePitch, pointer), code);
      return code;
    };
    EXPECT_EQ(both(0, 0, data), CL_SUCCESS);
    EXPECT_EQ(both(row, 0, data), CL_SUCCESS);
    EXPECT_EQ(both(row + 1, 0, data), CL_SUCCESS);
    EXPECT_EQ(both(row - 1, 0, data), CL_INVALID_VALUE);
    EXPECT_EQ(both(1, 0, data), CL_INVALID_VALUE);
    EXPECT_EQ(both(0, 0, nullptr), CL_INVALID_VALUE);
    const cl_int withSlices = kind.hasSlices() ? CL_SUCCESS : CL_INVALID_VALUE;
    EXPECT_EQ(both(0, slice, data), withSlices);
    EXPECT_EQ(both(row, slice + 7, data), withSlices);
    EXPECT_EQ(both(0, slice - 1, data), CL_INVALID_VALUE);
    // What would wrap around; one row needs no pitch.
    if (region[1] > 2) {
      for (const size_t pitch : {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / (region[1] - 1) + 1})
        EXPECT_EQ(both(pitch, 0, data), CL_INVALID_VALUE);
    }
    if (kind.hasSlices()) {
      EXPECT_EQ(both(0, SIZE_MAX, data), CL_INVALID_VALUE);
      EXPECT_EQ(both(0, SIZE_MAX / 2 + 1, data), CL_INVALID_VALUE);
    }
    EXPECT_EQ(both(0, 0, reinterpret_cast<void*>(UINTPTR_MAX - 16)), CL_INVALID_VALUE);
  }
}

TEST_F(ImageRules, MapPitchesAndFlags) {
  for (const ImageKind& kind : kKinds) {
    SCOPED_TRACE(kind.type);
    const MemoryHolder image = makeImage(kind, kBytes);
    size_t row = 0, slice = 0;
    EXPECT_EQ(map(image, CL_MAP_READ, nullptr, &slice), CL_INVALID_VALUE);
    EXPECT_EQ(map(image, CL_MAP_READ, &row, nullptr),
              kind.hasSlices() ? CL_INVALID_VALUE : CL_SUCCESS);
    EXPECT_EQ(map(image, cl_map_flags{1} << 10), CL_INVALID_VALUE);
    EXPECT_EQ(map(image, CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ), CL_INVALID_VALUE);
    EXPECT_EQ(map(image, CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_WRITE), CL_INVALID_VALUE);
  }
}

TEST_F(ImageRules, Copies) {
  const ImageKind kind{CL_MEM_OBJECT_IMAGE2D, {8, 8, 1}};
  const MemoryHolder image = makeImage(kind, kBytes);
  const auto copy = [&](cl_mem source, cl_mem target, const Triple& from, const Triple& to,
                        const Triple& region) {
    const cl_int code = clEnqueueCopyImage(queue, source, target, from.data(), to.data(),
                                           region.data(), 0, nullptr, nullptr);
    EXPECT_EQ(
        api.clCommandCopyImageKHR(commandBuffer, nullptr, nullptr, source, target, from.data(),
                                  to.data(), region.data(), 0, nullptr, nullptr, nullptr),
        code);
    return code;
  };
  for (const cl_image_format& format :
       {cl_image_format{CL_BGRA, CL_UNORM_INT8}, cl_image_format{CL_RGBA, CL_SIGNED_INT8},
        cl_image_format{CL_R, CL_FLOAT}}) {
    const MemoryHolder other = makeImage(kind, {format, 4});
    EXPECT_EQ(copy(image, other, {}, {}, {1, 1, 1}), CL_IMAGE_FORMAT_MISMATCH);
  }
  EXPECT_EQ(copy(image, image, {0, 0, 0}, {4, 0, 0}, {4, 8, 1}), CL_SUCCESS);
  EXPECT_EQ(copy(image, image, {0, 0, 0}, {0, 4, 0}, {8, 4, 1}), CL_SUCCESS);
  EXPECT_EQ(copy(image, image, {0, 4, 0}, {1, 0, 0}, {7, 4, 1}), CL_SUCCESS);
  EXPECT_EQ(copy(image, image, {0, 0, 0}, {3, 0, 0}, {4, 8, 1}), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(image, image, {1, 1, 0}, {2, 2, 0}, {2, 2, 1}), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(image, image, {1, 1, 0}, {1, 1, 0}, {1, 1, 1}), CL_MEM_COPY_OVERLAP);
  // Levels are places of their own.
  for (const ImageKind& levels : kKinds) {
    if (levels.levels < 2) continue;
    const MemoryHolder mipmaps = makeImage(levels, kBytes);
    const Origin top = levels.place({}, 0), below = levels.place({}, 1);
    EXPECT_EQ(clEnqueueCopyImage(queue, mipmaps, mipmaps, top.data(), below.data(), kOne, 0,
                                 nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clEnqueueCopyImage(queue, mipmaps, mipmaps, below.data(), below.data(), kOne, 0,
                                 nullptr, nullptr),
              CL_MEM_COPY_OVERLAP);
  }
}

TEST_F(ImageRules, CopiesWithinOneBuffer) {
  const MemoryHolder shared = makeBuffer(1024);
  const auto imageOf = [&](const ImageKind& kind) {
    cl_image_desc descriptor = kind.descriptor();
    descriptor.mem_object = shared;
    return makeImage(descriptor, kBytes);
  };
  const MemoryHolder row = imageOf({CL_MEM_OBJECT_IMAGE1D_BUFFER, {64, 1, 1}});
  const MemoryHolder plane = imageOf({CL_MEM_OBJECT_IMAGE2D, {16, 8, 1}});
  const auto both = [&](cl_mem image, size_t offset, const Triple& origin, const Triple& region) {
    const cl_int code = clEnqueueCopyImageToBuffer(queue, image, shared, origin.data(),
                                                   region.data(), offset, 0, nullptr, nullptr);
    EXPECT_EQ(clEnqueueCopyBufferToImage(queue, shared, image, offset, origin.data(), region.data(),
                                         0, nullptr, nullptr),
              code);
    return code;
  };
  EXPECT_EQ(both(row, 512, {}, {1, 1, 1}), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(both(plane, 512, {}, {16, 8, 1}), CL_SUCCESS);
  EXPECT_EQ(both(plane, 511, {}, {16, 8, 1}), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(both(plane, 16, {}, {4, 4, 1}), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(both(plane, 16, {}, {4, 3, 1}), CL_SUCCESS);
  EXPECT_EQ(both(plane, 1024, {}, {1, 1, 1}), CL_INVALID_VALUE);
  EXPECT_EQ(both(plane, SIZE_MAX, {}, {1, 1, 1}), CL_INVALID_VALUE);
  const Triple first{0, 0, 0}, second{32, 0, 0}, region{16, 1, 1}, third{0, 2, 0};
  EXPECT_EQ(clEnqueueCopyImage(queue, row, plane, second.data(), first.data(), region.data(), 0,
                               nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clEnqueueCopyImage(queue, row, plane, second.data(), third.data(), region.data(), 0,
                               nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
}

TEST_F(ImageRules, BuffersHaveRoomForTheRegion) {
  const ImageKind kind{CL_MEM_OBJECT_IMAGE2D, {8, 8, 1}};
  const MemoryHolder image = makeImage(kind, kBytes);
  const MemoryHolder small = makeBuffer(256);
  const struct {
    size_t offset;
    Triple region;
    bool fits;
  } rows[] = {{0, {8, 8, 1}, true},         {1, {8, 8, 1}, false},
              {32, {8, 7, 1}, true},        {33, {8, 7, 1}, false},
              {252, {1, 1, 1}, true},       {256, {1, 1, 1}, false},
              {SIZE_MAX, {1, 1, 1}, false}, {SIZE_MAX - 3, {1, 1, 1}, false}};
  for (const auto& row : rows) {
    const cl_int code = row.fits ? CL_SUCCESS : CL_INVALID_VALUE;
    const size_t* const region = row.region.data();
    EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, image, small, kZero, region, row.offset, 0, nullptr,
                                         nullptr),
              code);
    EXPECT_EQ(clEnqueueCopyBufferToImage(queue, small, image, row.offset, kZero, region, 0, nullptr,
                                         nullptr),
              code);
  }
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(ImageRules, FillsNeedAColour) {
  const MemoryHolder image = makeImage({CL_MEM_OBJECT_IMAGE2D, {8, 8, 1}}, kBytes);
  EXPECT_EQ(clEnqueueFillImage(queue, image, nullptr, kZero, kOne, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(api.clCommandFillImageKHR(commandBuffer, nullptr, nullptr, image, nullptr, kZero, kOne,
                                      0, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
}

TEST_F(ImageRules, WaitLists) {
  const MemoryHolder image = makeImage({CL_MEM_OBJECT_IMAGE2D, {8, 8, 1}}, kBytes);
  const cl_mem handle = image;
  size_t row = 0, slice = 0;
  std::vector<void*> mapped;
  const EnqueueCall calls[] = {
      {"Read", CL_COMMAND_READ_IMAGE,
       [&](auto q, auto count, auto list, auto event) {
         return clEnqueueReadImage(q, image, CL_FALSE, kZero, kOne, 0, 0, host.data(), count, list,
                                   event);
       }},
      {"Write", CL_COMMAND_WRITE_IMAGE,
       [&](auto q, auto count, auto list, auto event) {
         return clEnqueueWriteImage(q, image, CL_FALSE, kZero, kOne, 0, 0, host.data(), count, list,
                                    event);
       }},
      {"Copy", CL_COMMAND_COPY_IMAGE,
       [&](auto q, auto count, auto list, auto event) {
         return clEnqueueCopyImage(q, image, partner, kZero, kZero, kOne, count, list, event);
       }},
      {"ToBuffer", CL_COMMAND_COPY_IMAGE_TO_BUFFER,
       [&](auto q, auto count, auto list, auto event) {
         return clEnqueueCopyImageToBuffer(q, image, buffer, kZero, kOne, 0, count, list, event);
       }},
      {"FromBuffer", CL_COMMAND_COPY_BUFFER_TO_IMAGE,
       [&](auto q, auto count, auto list, auto event) {
         return clEnqueueCopyBufferToImage(q, buffer, image, 0, kZero, kOne, count, list, event);
       }},
      {"Fill", CL_COMMAND_FILL_IMAGE,
       [&](auto q, auto count, auto list, auto event) {
         return clEnqueueFillImage(q, image, kColour, kZero, kOne, count, list, event);
       }},
      {"Map", CL_COMMAND_MAP_IMAGE,
       [&](auto q, auto count, auto list, auto event) {
         cl_int error = CL_INVALID_EVENT;
         clEnqueueMapImage(q, image, CL_FALSE, CL_MAP_READ, kZero, kOne, &row, &slice, count, list,
                           event, &error);
         return error;
       }},
      {"Migrate", CL_COMMAND_MIGRATE_MEM_OBJECTS,
       [&](auto q, auto count, auto list, auto event) {
         return clEnqueueMigrateMemObjects(q, 1, &handle, 0, count, list, event);
       }},
  };
  for (const cl_command_queue_properties properties :
       {cl_command_queue_properties{0},
        cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
    const QueueHolder used = makeQueue(context, properties);
    for (const EnqueueCall& call : calls) {
      checkWaitListErrors(call, context, used);
      checkWaitListOrder(call, context, used);
    }
  }
}

}  // namespace
}  // namespace weft::test
