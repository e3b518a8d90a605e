// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pixels that arrive: random commands on images of every type, in queues and in command buffers,
// against plain models.
#include <bit>
#include <deque>
#include <string>

#include "api/command_buffer/fixture.h"
#include "fixture.h"

namespace weft::test {
namespace {

/// A colour and what elements of the format hold of it.
struct Colour {
  PixelFormat format;
  std::array<cl_uint, 4> colour;  ///< the bits of floats or integers
  std::array<uint8_t, 16> element;
};

constexpr cl_uint bits(float value) { return std::bit_cast<cl_uint>(value); }

const Colour kColours[] = {
    {{{CL_RGBA, CL_UNORM_INT8}, 4}, {bits(1), bits(0.5f), bits(0), bits(2)}, {255, 128, 0, 255}},
    {{{CL_BGRA, CL_UNORM_INT8}, 4}, {bits(1), bits(0.2f), bits(0), bits(0.6f)}, {0, 51, 255, 153}},
    {{{CL_R, CL_UNORM_INT8}, 1}, {bits(0.2f)}, {51}},
    {{{CL_RG, CL_SNORM_INT16}, 4}, {bits(-1), bits(0.5f)}, {0x01, 0x80, 0x00, 0x40}},
    {{{CL_RG, CL_HALF_FLOAT}, 4}, {bits(1), bits(-2)}, {0x00, 0x3c, 0x00, 0xc0}},
    {{{CL_R, CL_FLOAT}, 4}, {bits(1)}, {0, 0, 0x80, 0x3f}},
    {{{CL_RGBA, CL_FLOAT}, 16},
     {bits(1), bits(-1), bits(2), bits(0)},
     {0, 0, 0x80, 0x3f, 0, 0, 0x80, 0xbf, 0, 0, 0, 0x40, 0, 0, 0, 0}},
    {{{CL_RGBA, CL_SIGNED_INT16}, 8},
     {1, static_cast<cl_uint>(-100000), 100000, static_cast<cl_uint>(-2)},
     {1, 0, 0x00, 0x80, 0xff, 0x7f, 0xfe, 0xff}},
    {{{CL_RGBA, CL_UNSIGNED_INT32}, 16},
     {1, 2, 3, 0xfffffffe},
     {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff}},
    {{{CL_R, CL_UNSIGNED_INT8}, 1}, {300}, {255}},
    {{{CL_RGB, CL_UNORM_SHORT_565}, 2}, {bits(1), bits(0), bits(1)}, {0x1f, 0xf8}},
};

class ImageCommands : public ImageFixture, public testing::WithParamInterface<const Colour*> {
 public:
  const PixelFormat& format() const { return GetParam()->format; }
  size_t element() const { return format().element; }

  struct Image {
    ImageKind kind;
    MemoryHolder memory;
    std::vector<Model> levels;
  };

  void addImage(const ImageKind& kind, MemoryHolder memory) {
    Image& image = images.emplace_back();
    image.kind = kind;
    image.memory = std::move(memory);
    for (size_t level = 0; level < std::max<cl_uint>(kind.levels, 1); ++level) {
      Model& model = image.levels.emplace_back(kind.levelExtent(level), element());
      model.bytes() = randomBytes(model.bytes().size());
      const Origin origin = kind.place({}, level);
      EXPECT_EQ(
          clEnqueueWriteImage(queue, image.memory, CL_TRUE, origin.data(), model.extent().data(), 0,
                              0, model.bytes().data(), 0, nullptr, nullptr),
          CL_SUCCESS);
    }
  }
  /// In memory of the application's with gaps after rows and slices.
  void addHostImage(const ImageKind& kind) {
    cl_image_desc descriptor = kind.descriptor();
    const size_t slices = kind.isRowArray() ? kind.extent[1] : kind.extent[2];
    const size_t rows = kind.isRowArray() ? 1 : kind.extent[1];
    descriptor.image_row_pitch = (kind.extent[0] + 3) * element();
    const size_t slice = descriptor.image_row_pitch * (rows + (kind.hasSlices() ? 1 : 0));
    if (kind.hasSlices()) descriptor.image_slice_pitch = slice;
    Bytes& memory = hostImages.emplace_back(slice * slices);
    addImage(kind, makeImage(descriptor, format(), CL_MEM_USE_HOST_PTR, memory.data()));
  }
  /// The bytes of a buffer, likewise.
  void addBufferImage(const ImageKind& kind) {
    cl_image_desc descriptor = kind.descriptor();
    descriptor.image_row_pitch = (kind.extent[0] + 5) * element();
    const MemoryHolder below = makeBuffer(descriptor.image_row_pitch * kind.extent[1]);
    descriptor.mem_object = below;
    addImage(kind, makeImage(descriptor, format()));
  }

  /// A place in some image.
  struct Place {
    Image& image;
    Model& model;
    size_t level;
    Triple origin{};
    Triple region{};
    Origin origin4() const { return image.kind.place(origin, level); }
  };
  Place pickPlace() {
    Image& image = images[pick(0, images.size() - 1)];
    const size_t level = pick(0, image.levels.size() - 1);
    Place place{image, image.levels[level], level};
    place.region = pickRegion(place.model.extent());
    place.origin = pickOrigin(place.model.extent(), place.region);
    return place;
  }

  void read() {
    Place place = pickPlace();
    const ImageKind& kind = place.image.kind;
    const HostPitches pitches = pickPitches(kind, place.region, element());
    const size_t size = pitches.size(kind, place.region, element());
    Bytes host = randomBytes(size + 9);
    Bytes wanted = host;
    place.model.forRows(place.origin, place.region, [&](const std::byte* row, size_t y, size_t z) {
      std::memcpy(wanted.data() + pitches.offset(kind, place.region, element(), y, z), row,
                  place.region[0] * element());
    });
    const bool blocking = pick(0, 1) == 0;
    EXPECT_EQ(clEnqueueReadImage(queue, place.image.memory, blocking, place.origin4().data(),
                                 place.region.data(), pitches.row, pitches.slice, host.data(), 0,
                                 nullptr, nullptr),
              CL_SUCCESS);
    if (!blocking) {
      EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    }
    ASSERT_EQ(host, wanted);
  }

  void write() {
    Place place = pickPlace();
    const ImageKind& kind = place.image.kind;
    const HostPitches pitches = pickPitches(kind, place.region, element());
    Bytes& host = pinned.emplace_back(randomBytes(pitches.size(kind, place.region, element())));
    place.model.forRows(place.origin, place.region, [&](std::byte* row, size_t y, size_t z) {
      std::memcpy(row, host.data() + pitches.offset(kind, place.region, element(), y, z),
                  place.region[0] * element());
    });
    EXPECT_EQ(clEnqueueWriteImage(queue, place.image.memory, pick(0, 1) == 0,
                                  place.origin4().data(), place.region.data(), pitches.row,
                                  pitches.slice, host.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
  }

  void map() {
    Place place = pickPlace();
    const ImageKind& kind = place.image.kind;
    const bool writes = pick(0, 1) == 0;
    const cl_map_flags flags = !writes      ? CL_MAP_READ
                               : pick(0, 1) ? CL_MAP_WRITE_INVALIDATE_REGION
                                            : CL_MAP_WRITE;
    size_t rowPitch = 77, slicePitch = 77;
    cl_int error = CL_INVALID_EVENT;
    auto* const mapped = static_cast<std::byte*>(clEnqueueMapImage(
        queue, place.image.memory, CL_TRUE, flags, place.origin4().data(), place.region.data(),
        &rowPitch, &slicePitch, 0, nullptr, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    if (!kind.hasSlices()) {
      EXPECT_EQ(slicePitch, 0u);
    }
    const HostPitches pitches{rowPitch, slicePitch};
    place.model.forRows(place.origin, place.region, [&](std::byte* row, size_t y, size_t z) {
      std::byte* const at = mapped + pitches.offset(kind, place.region, element(), y, z);
      const size_t size = place.region[0] * element();
      if (flags == CL_MAP_READ || flags == CL_MAP_WRITE) {
        EXPECT_EQ(std::memcmp(at, row, size), 0);
      }
      if (!writes) return;
      const Bytes fresh = randomBytes(size);
      std::memcpy(at, fresh.data(), size);
      std::memcpy(row, fresh.data(), size);
    });
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, place.image.memory, mapped, 0, nullptr, nullptr),
              CL_SUCCESS);
  }

  // ---- What command buffers can do as well: enqueued, or recorded when there is one.

  void copy() {
    Place from = pickPlace();
    Place to = pickPlace();
    Triple region;
    for (size_t i = 0; i < 3; ++i) region[i] = std::min(from.region[i], to.region[i]);
    from.origin = pickOrigin(from.model.extent(), region);
    to.origin = pickOrigin(to.model.extent(), region);
    bool overlaps = &from.model == &to.model;
    for (size_t i = 0; i < 3; ++i)
      overlaps = overlaps && from.origin[i] < to.origin[i] + region[i] &&
                 to.origin[i] < from.origin[i] + region[i];
    const cl_int code =
        commandBuffer
            ? api.clCommandCopyImageKHR(commandBuffer, nullptr, nullptr, from.image.memory,
                                        to.image.memory, from.origin4().data(), to.origin4().data(),
                                        region.data(), 0, nullptr, nullptr, nullptr)
            : clEnqueueCopyImage(queue, from.image.memory, to.image.memory, from.origin4().data(),
                                 to.origin4().data(), region.data(), 0, nullptr, nullptr);
    ASSERT_EQ(code, overlaps ? CL_MEM_COPY_OVERLAP : CL_SUCCESS);
    if (overlaps) return;
    from.model.forRows(from.origin, region, [&](const std::byte* row, size_t y, size_t z) {
      std::memcpy(to.model.at(to.origin[0], to.origin[1] + y, to.origin[2] + z), row,
                  region[0] * element());
    });
  }

  void fill() {
    Place place = pickPlace();
    const Colour& colour = *GetParam();
    const cl_int code =
        commandBuffer
            ? api.clCommandFillImageKHR(commandBuffer, nullptr, nullptr, place.image.memory,
                                        colour.colour.data(), place.origin4().data(),
                                        place.region.data(), 0, nullptr, nullptr, nullptr)
            : clEnqueueFillImage(queue, place.image.memory, colour.colour.data(),
                                 place.origin4().data(), place.region.data(), 0, nullptr, nullptr);
    ASSERT_EQ(code, CL_SUCCESS);
    place.model.forRows(place.origin, place.region, [&](std::byte* row, size_t, size_t) {
      for (size_t x = 0; x < place.region[0]; ++x)
        std::memcpy(row + x * element(), colour.element.data(), element());
    });
  }

  void toBuffer() {
    Place place = pickPlace();
    const size_t row = place.region[0] * element();
    const size_t size = row * place.region[1] * place.region[2];
    const size_t offset = pick(0, bufferModel.size() - size);
    const cl_int code =
        commandBuffer
            ? api.clCommandCopyImageToBufferKHR(commandBuffer, nullptr, nullptr, place.image.memory,
                                                buffer, place.origin4().data(), place.region.data(),
                                                offset, 0, nullptr, nullptr, nullptr)
            : clEnqueueCopyImageToBuffer(queue, place.image.memory, buffer, place.origin4().data(),
                                         place.region.data(), offset, 0, nullptr, nullptr);
    ASSERT_EQ(code, CL_SUCCESS);
    std::byte* at = bufferModel.data() + offset;
    place.model.forRows(place.origin, place.region, [&](const std::byte* from, size_t, size_t) {
      std::memcpy(at, from, row);
      at += row;
    });
  }

  void fromBuffer() {
    Place place = pickPlace();
    const size_t row = place.region[0] * element();
    const size_t size = row * place.region[1] * place.region[2];
    const size_t offset = pick(0, bufferModel.size() - size);
    const cl_int code =
        commandBuffer
            ? api.clCommandCopyBufferToImageKHR(commandBuffer, nullptr, nullptr, buffer,
                                                place.image.memory, offset, place.origin4().data(),
                                                place.region.data(), 0, nullptr, nullptr, nullptr)
            : clEnqueueCopyBufferToImage(queue, buffer, place.image.memory, offset,
                                         place.origin4().data(), place.region.data(), 0, nullptr,
                                         nullptr);
    ASSERT_EQ(code, CL_SUCCESS);
    const std::byte* at = bufferModel.data() + offset;
    place.model.forRows(place.origin, place.region, [&](std::byte* to, size_t, size_t) {
      std::memcpy(to, at, row);
      at += row;
    });
  }

  void checkAll() {
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    for (Image& image : images)
      for (size_t level = 0; level < image.levels.size(); ++level) {
        Model& model = image.levels[level];
        Bytes found(model.bytes().size());
        EXPECT_EQ(
            clEnqueueReadImage(queue, image.memory, CL_TRUE, image.kind.place({}, level).data(),
                               model.extent().data(), 0, 0, found.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
        ASSERT_EQ(found, model.bytes()) << image.kind.type << " level " << level;
      }
    Bytes found(bufferModel.size());
    EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, found.size(), found.data(), 0, nullptr,
                                  nullptr),
              CL_SUCCESS);
    ASSERT_EQ(found, bufferModel);
    pinned.clear();
  }

  void SetUp() override {
    for (const ImageKind& kind : kKinds) addImage(kind, makeImage(kind, format()));
    addHostImage({CL_MEM_OBJECT_IMAGE1D_ARRAY, {19, 5, 1}});
    addHostImage({CL_MEM_OBJECT_IMAGE2D, {23, 17, 1}});
    addHostImage({CL_MEM_OBJECT_IMAGE2D_ARRAY, {11, 9, 6}});
    addHostImage({CL_MEM_OBJECT_IMAGE3D, {13, 8, 7}});
    addBufferImage({CL_MEM_OBJECT_IMAGE2D, {21, 12, 1}});
    bufferModel = randomBytes(64 << 10);
    buffer = makeBuffer(bufferModel.size(), CL_MEM_COPY_HOST_PTR, bufferModel.data());
  }

  std::deque<Bytes> hostImages;
  std::deque<Image> images;
  Bytes bufferModel;
  MemoryHolder buffer;
  std::deque<Bytes> pinned;  ///< of writes that may still be under way

  khr::cl_command_buffer commandBuffer = nullptr;
  const CommandBufferApi& api = commandBufferApi();
};

INSTANTIATE_TEST_SUITE_P(Formats, ImageCommands, testing::ValuesIn([] {
                           std::vector<const Colour*> rows;
                           for (const Colour& row : kColours) rows.push_back(&row);
                           return rows;
                         }()),
                         [](const auto& info) {
                           return std::to_string(info.param->format.cl.image_channel_order) + "_" +
                                  std::to_string(info.param->format.cl.image_channel_data_type);
                         });

TEST_P(ImageCommands, DoWhatTheirModelsDo) {
  using Step = void (ImageCommands::*)();
  constexpr Step kSteps[] = {&ImageCommands::read,      &ImageCommands::write,
                             &ImageCommands::map,       &ImageCommands::copy,
                             &ImageCommands::fill,      &ImageCommands::toBuffer,
                             &ImageCommands::fromBuffer};
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE(round);
    for (int i = 0; i < 25 && !HasFatalFailure(); ++i)
      (this->*kSteps[pick(0, std::size(kSteps) - 1)])();
    checkAll();
    if (HasFatalFailure()) return;
  }
}

TEST_P(ImageCommands, InCommandBuffers) {
  using Step = void (ImageCommands::*)();
  constexpr Step kSteps[] = {&ImageCommands::copy, &ImageCommands::fill, &ImageCommands::toBuffer,
                             &ImageCommands::fromBuffer};
  for (int round = 0; round < 10; ++round) {
    SCOPED_TRACE(round);
    cl_command_queue handle = queue;
    commandBuffer = api.clCreateCommandBufferKHR(1, &handle, nullptr, nullptr);
    ASSERT_NE(commandBuffer, nullptr);
    for (int i = 0; i < 25 && !HasFatalFailure(); ++i)
      (this->*kSteps[pick(0, std::size(kSteps) - 1)])();
    if (HasFatalFailure()) return;
    EXPECT_EQ(api.clFinalizeCommandBufferKHR(commandBuffer), CL_SUCCESS);
    EXPECT_EQ(api.clEnqueueCommandBufferKHR(0, nullptr, commandBuffer, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(api.clReleaseCommandBufferKHR(commandBuffer), CL_SUCCESS);
    commandBuffer = nullptr;
    checkAll();
    if (HasFatalFailure()) return;
  }
}

class LargeImages : public ImageFixture {};

// What several workers share, and what is written past the caches.
TEST_F(LargeImages, AreMovedAsSmallOnes) {
  const size_t width = 4099, height = 4100;
  const ImageKind kind{CL_MEM_OBJECT_IMAGE2D, {width, height, 1}};
  const MemoryHolder image = makeImage(kind, kBytes);
  const MemoryHolder second = makeImage(kind, kBytes);
  std::vector<cl_uint> pixels(width * height);
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<cl_uint>(i * 2654435761u);
  const size_t zero[3] = {}, at[3] = {3, 5, 0}, all[3] = {width, height, 1};
  const size_t most[3] = {width - 3, height - 5, 1};
  EXPECT_EQ(clEnqueueWriteImage(queue, image, CL_FALSE, zero, all, 0, 0, pixels.data(), 0, nullptr,
                                nullptr),
            CL_SUCCESS);
  const std::array<float, 4> colour{1, 0, 1, 0};
  EXPECT_EQ(clEnqueueFillImage(queue, second, colour.data(), zero, all, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clEnqueueCopyImage(queue, image, second, zero, at, most, 0, nullptr, nullptr),
            CL_SUCCESS);
  std::vector<cl_uint> found(pixels.size());
  EXPECT_EQ(clEnqueueReadImage(queue, second, CL_TRUE, zero, all, 0, 0, found.data(), 0, nullptr,
                               nullptr),
            CL_SUCCESS);
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x) {
      const cl_uint wanted = x < 3 || y < 5 ? 0x00ff00ffu : pixels[(y - 5) * width + (x - 3)];
      ASSERT_EQ(found[y * width + x], wanted) << x << " " << y;
    }
}

}  // namespace
}  // namespace weft::test
