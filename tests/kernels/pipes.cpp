// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipes: single packets, reservations, what happens when they are full or empty, several groups and
// workers at once.
#include <algorithm>
#include <numeric>

#include "harness.h"
#include "weft/abi/pipe.h"

namespace weft::test {
namespace {

/// A pipe as the host makes it, to be given to a launch as a buffer.
class Ring {
 public:
  Ring(uint32_t packets, uint32_t packetBytes, uint64_t startRound = 0, uint32_t startPlace = 0)
      : bytes(abi::pipeBytes(packets, packetBytes)) {
    abi::Pipe& header = *this->header();
    header.capacity = packets;
    header.packetBytes = packetBytes;
    header.packets = abi::pipePackets(packets);
    header.head = header.tail = startRound << 32 | startPlace;
    for (uint32_t place = 0; place < packets; ++place)
      states()[place] = static_cast<uint32_t>(2 * (startRound + (place < startPlace ? 1 : 0)));
  }

  abi::Pipe* header() { return reinterpret_cast<abi::Pipe*>(bytes.data()); }
  uint32_t* states() { return reinterpret_cast<uint32_t*>(bytes.data() + sizeof(abi::Pipe)); }

  /// As a kernel would on one work-item.
  template <class T>
  void write(const T& packet) {
    const uint64_t end = header()->tail;
    const auto place = static_cast<uint32_t>(end);
    ASSERT_EQ(states()[place], static_cast<uint32_t>(end >> 32) * 2);
    std::memcpy(&bytes[header()->packets + place * sizeof(T)], &packet, sizeof packet);
    states()[place] += 1;
    header()->tail = after(end);
  }
  /// All packets, in order.
  template <class T>
  std::vector<T> readAll() {
    std::vector<T> packets;
    EXPECT_EQ(header()->packetBytes, sizeof(T));
    while (header()->head != header()->tail) {
      const uint64_t end = header()->head;
      const auto place = static_cast<uint32_t>(end);
      EXPECT_EQ(states()[place], static_cast<uint32_t>(end >> 32) * 2 + 1) << "place " << place;
      packets.emplace_back();
      std::memcpy(&packets.back(), &bytes[header()->packets + place * sizeof(T)], sizeof(T));
      states()[place] += 1;
      header()->head = after(end);
      if (packets.size() > header()->capacity) break;
    }
    return packets;
  }

  std::vector<uint8_t> bytes;

 private:
  uint64_t after(uint64_t end) {
    return static_cast<uint32_t>(end) + 1 == header()->capacity
               ? ((end >> 32) + 1 & 0x7fffffff) << 32
               : end + 1;
  }
};

template <class T>
std::vector<T> sorted(std::vector<T> values) {
  std::ranges::sort(values);
  return values;
}

std::vector<int> iota(size_t count, int first = 0) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

constexpr const char* kSingle = R"(
  kernel void put(write_only pipe int out, global const int* in, global int* result) {
    size_t i = get_global_id(0);
    result[i] = write_pipe(out, &in[i]);
  }
  kernel void get(read_only pipe int in, global int* out, global int* result) {
    size_t i = get_global_id(0);
    result[i] = read_pipe(in, &out[i]);
  }
  kernel void some(write_only pipe int out, global const int* in, global int* result) {
    size_t i = get_global_id(0);
    if (in[i] % 3 == 0) result[i] = write_pipe(out, &in[i]);
  })";

TEST(Pipes, EveryItemWritesOnePacket) {
  const auto program = build(kSingle, "-cl-std=CL3.0");
  // Rings that begin anywhere, in any round: the counts of rounds wrap.
  for (const auto& [round, place] :
       {std::pair<uint64_t, uint32_t>{0, 0}, {0, 700}, {0x7ffffffe, 999}, {0x7fffffff, 1}}) {
    Ring ring(1000, 4, round, place);
    std::vector<int> in = iota(1000, -10), result(1000, 77);
    Launch(program, "put")
        .range({1000}, {10})
        .buffer(ring.bytes)
        .buffer(in)
        .buffer(result)
        .unordered()
        .inEveryForm([&](const Outcome&) {
          EXPECT_EQ(result, std::vector<int>(1000, 0));
          Ring after = ring;
          EXPECT_EQ(sorted(after.readAll<int>()), in);
        });
  }
}

TEST(Pipes, AFullPipeTakesNoMore) {
  const auto program = build(kSingle, "-cl-std=CL3.0");
  for (const uint32_t packets : {1u, 3u, 37u, 499u}) {
    Ring ring(packets, 4, 3, packets / 2);
    std::vector<int> in = iota(500), result(500, 77);
    Launch(program, "put")
        .range({500}, {50})
        .buffer(ring.bytes)
        .buffer(in)
        .buffer(result)
        .unordered()
        .inEveryForm([&](const Outcome&) {
          std::vector<int> taken;
          for (size_t i = 0; i < in.size(); ++i) {
            EXPECT_TRUE(result[i] == 0 || result[i] < 0);
            if (result[i] == 0) taken.push_back(in[i]);
          }
          EXPECT_EQ(taken.size(), packets);
          Ring after = ring;
          EXPECT_EQ(sorted(after.readAll<int>()), taken);
        });
  }
}

TEST(Pipes, AnEmptyPipeGivesNoMore) {
  const auto program = build(kSingle, "-cl-std=CL3.0");
  Ring ring(400, 4, 1, 390);
  for (int i = 0; i < 333; ++i) ring.write(i * 7);
  std::vector<int> out(500, -1), result(500, 77);
  Launch(program, "get")
      .range({500}, {20})
      .buffer(ring.bytes)
      .buffer(out)
      .buffer(result)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        std::vector<int> got;
        for (size_t i = 0; i < out.size(); ++i) {
          if (result[i] == 0)
            got.push_back(out[i]);
          else
            EXPECT_EQ(out[i], -1);
        }
        ASSERT_EQ(got.size(), 333u);
        std::ranges::sort(got);
        for (int i = 0; i < 333; ++i) EXPECT_EQ(got[i], i * 7);
        Ring after = ring;
        EXPECT_TRUE(after.readAll<int>().empty());
      });
}

TEST(Pipes, UnderMasks) {
  const auto program = build(kSingle, "-cl-std=CL3.0");
  Ring ring(64, 4);
  std::vector<int> in = iota(100), result(100, 77);
  Launch(program, "some")
      .range({100}, {25})
      .buffer(ring.bytes)
      .buffer(in)
      .buffer(result)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        std::vector<int> expected;
        for (int i = 0; i < 100; i += 3) expected.push_back(i);
        for (int i = 0; i < 100; ++i) EXPECT_EQ(result[i], i % 3 == 0 ? 0 : 77);
        Ring after = ring;
        EXPECT_EQ(sorted(after.readAll<int>()), expected);
      });
}

TEST(Pipes, OneItemsPacketsAreInOrder) {
  const auto program = build(R"(
    kernel void k(write_only pipe int out) {
      for (int i = 0; i < 20; ++i) {
        int packet = (int)get_global_id(0) * 100 + i;
        write_pipe(out, &packet);
      }
    })",
                             "-cl-std=CL3.0");
  Ring ring(2000, 4);
  Launch(program, "k")
      .range({100}, {20})
      .buffer(ring.bytes)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        Ring after = ring;
        const auto packets = after.readAll<int>();
        ASSERT_EQ(packets.size(), 2000u);
        std::vector<int> next(100);
        for (const int packet : packets) EXPECT_EQ(packet % 100, next[packet / 100]++);
      });
}

TEST(Pipes, FromOneToAnother) {
  // Each item takes as many as it can: readers and writers of all workers meet.
  const auto program = build(R"(
    kernel void k(read_only pipe int in, write_only pipe int out, global int* failures) {
      int packet, count = 0;
      while (count < 1000 && read_pipe(in, &packet) == 0) {
        ++count;
        packet += 1;
        if (write_pipe(out, &packet) != 0) atomic_inc(failures);
      }
    })",
                             "-cl-std=CL3.0");
  Ring in(5000, 4), out(5000, 4, 9, 4321);
  for (int i = 0; i < 5000; ++i) in.write(i);
  std::vector<int> failures(1);
  Launch(program, "k")
      .range({256}, {16})
      .buffer(in.bytes)
      .buffer(out.bytes)
      .buffer(failures)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(failures[0], 0);
        Ring after = out, before = in;
        EXPECT_TRUE(before.readAll<int>().empty());
        EXPECT_EQ(sorted(after.readAll<int>()), iota(5000, 1));
      });
}

TEST(Pipes, ReservationsAreWhole) {
  const auto program = build(R"(
    kernel void put(write_only pipe int out, global int* result) {
      int i = (int)get_global_id(0);
      uint count = 1 + i % 5;
      reserve_id_t id = reserve_write_pipe(out, count);
      result[i] = is_valid_reserve_id(id);
      if (!is_valid_reserve_id(id)) return;
      for (uint k = count; k-- > 0;) {
        int packet = i * 10 + (int)k;
        if (write_pipe(out, id, k, &packet) != 0) result[i] = -1;
      }
      int none = 5;
      if (write_pipe(out, id, count, &none) >= 0) result[i] = -2;
      commit_write_pipe(out, id);
    }
    kernel void get(read_only pipe int in, global int* out, global int* result) {
      int i = (int)get_global_id(0);
      reserve_id_t id = reserve_read_pipe(in, 3);
      result[i] = is_valid_reserve_id(id);
      if (!is_valid_reserve_id(id)) return;
      for (uint k = 0; k < 3; ++k)
        if (read_pipe(in, id, k, &out[3 * i + k]) != 0) result[i] = -1;
      if (read_pipe(in, id, 3, &out[3 * i]) >= 0) result[i] = -2;
      commit_read_pipe(in, id);
    })",
                             "-cl-std=CL3.0");
  for (const uint32_t capacity : {300u, 250u, 4u}) {
    Ring ring(capacity, 4, 2, capacity - 1);
    std::vector<int> result(100, 77);
    Launch(program, "put")
        .range({100}, {25})
        .buffer(ring.bytes)
        .buffer(result)
        .unordered()
        .inEveryForm([&](const Outcome&) {
          size_t expected = 0;
          for (int i = 0; i < 100; ++i) {
            EXPECT_TRUE(result[i] == 0 || result[i] == 1) << result[i];
            if (result[i] == 1) expected += 1 + i % 5;
          }
          Ring after = ring;
          const auto packets = after.readAll<int>();
          EXPECT_EQ(packets.size(), expected);
          if (capacity == 300)
            EXPECT_EQ(expected, 300u);
          else
            EXPECT_GT(expected + 5, capacity) << "room for one more";
          for (size_t at = 0; at < packets.size();) {
            const int item = packets[at] / 10;
            for (int k = 0; k < 1 + item % 5; ++k, ++at) ASSERT_EQ(packets[at], item * 10 + k);
          }
        });
  }
  Ring ring(200, 4, 5, 150);
  for (int i = 0; i < 200; ++i) ring.write(i);
  std::vector<int> out(300, -1), result(100, 77);
  Launch(program, "get")
      .range({100}, {25})
      .buffer(ring.bytes)
      .buffer(out)
      .buffer(result)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(std::ranges::count(result, 1), 66);
        EXPECT_EQ(std::ranges::count(result, 0), 34);
        std::vector<int> got;
        for (int i = 0; i < 100; ++i) {
          if (result[i] != 1) continue;
          for (int k = 0; k < 3; ++k) {
            got.push_back(out[3 * i + k]);
            EXPECT_EQ(out[3 * i + k], out[3 * i] + k);
          }
        }
        EXPECT_EQ(sorted(got), iota(198));
        Ring after = ring;
        EXPECT_EQ(after.readAll<int>(), iota(2, 198));
      });
}

TEST(Pipes, ReservationsMayBeCommittedInAnyOrder) {
  const auto program = build(R"(
    kernel void k(write_only pipe int out, global int* early, read_only pipe int in) {
      reserve_id_t ids[8];
      for (int i = 0; i < 8; ++i) ids[i] = reserve_write_pipe(out, 2);
      for (int i = 7; i >= 0; --i) {
        int packet = i;
        write_pipe(out, ids[i], 1, &packet);
        packet = -i;
        write_pipe(out, ids[i], 0, &packet);
        commit_write_pipe(out, ids[i]);
      }
      early[0] = (int)get_pipe_num_packets(out);
      early[1] = (int)get_pipe_max_packets(out);
      early[2] = (int)get_pipe_num_packets(in);
      early[3] = (int)get_pipe_max_packets(in);
      early[4] = is_valid_reserve_id(CLK_NULL_RESERVE_ID);
      early[5] = is_valid_reserve_id(reserve_write_pipe(out, 5));
      early[6] = is_valid_reserve_id(reserve_write_pipe(out, 3));
    })",
                             "-cl-std=CL3.0");
  Ring out(20, 4, 0, 15), in(9, 4, 4, 3);
  for (int i = 0; i < 8; ++i) in.write(i);
  std::vector<int> early(7, 77);
  Launch(program, "k")
      .range(1)
      .buffer(out.bytes)
      .buffer(early)
      .buffer(in.bytes)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(early, (std::vector<int>{16, 20, 8, 9, 0, 0, 1}));
        Ring after = out;
        after.header()->tail = 1ull << 32 | 11;  // without what has not been written
        std::vector<int> expected;
        for (int i = 0; i < 8; ++i) expected.insert(expected.end(), {-i, i});
        EXPECT_EQ(after.readAll<int>(), expected);
      });
}

TEST(Pipes, GroupsReserveTogether) {
  const auto program = build(R"(
    kernel void put(write_only pipe int out, global int* result) {
      int i = (int)get_global_id(0);
      uint count = (uint)get_local_size(0);
      for (int round = 0; round < 3; ++round) {
        reserve_id_t id = work_group_reserve_write_pipe(out, count);
        result[i] += is_valid_reserve_id(id);
        if (!is_valid_reserve_id(id)) continue;
        int packet = i * 10 + round;
        if (write_pipe(out, id, count - 1 - (uint)get_local_id(0), &packet) != 0) result[i] = -100;
        work_group_commit_write_pipe(out, id);
      }
    }
    kernel void get(read_only pipe int in, global int* out, global int* result) {
      size_t i = get_global_id(0);
      reserve_id_t id = work_group_reserve_read_pipe(in, (uint)get_local_size(0));
      result[i] = is_valid_reserve_id(id);
      if (!is_valid_reserve_id(id)) return;
      if (read_pipe(in, id, (uint)get_local_id(0), &out[i]) != 0) result[i] = -1;
      work_group_commit_read_pipe(in, id);
    })",
                             "-cl-std=CL3.0");
  for (const uint32_t capacity : {600u, 599u, 100u}) {
    Ring ring(capacity, 4, 1, capacity / 3);
    std::vector<int> result(200);
    Launch(program, "put")
        .range({200}, {20})
        .buffer(ring.bytes)
        .buffer(result)
        .unordered()
        .inEveryForm([&](const Outcome&) {
          size_t expected = 0;
          for (int i = 0; i < 200; ++i) {
            EXPECT_EQ(result[i], result[i / 20 * 20]) << "the same for all of a group";
            EXPECT_TRUE(result[i] >= 0 && result[i] <= 3);
            expected += result[i];
          }
          EXPECT_EQ(expected, capacity / 20 * 20);
          Ring after = ring;
          const auto packets = after.readAll<int>();
          ASSERT_EQ(packets.size(), expected);
          for (size_t at = 0; at < packets.size(); ++at) {
            const int last = packets[at / 20 * 20];
            EXPECT_EQ(packets[at], last - static_cast<int>(at % 20) * 10);
          }
        });
  }
  Ring ring(130, 4, 1, 77);
  for (int i = 0; i < 130; ++i) ring.write(i);
  std::vector<int> out(200, -1), result(200, 77);
  Launch(program, "get")
      .range({200}, {20})
      .buffer(ring.bytes)
      .buffer(out)
      .buffer(result)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(std::ranges::count(result, 1), 120);
        EXPECT_EQ(std::ranges::count(result, 0), 80);
        for (int i = 0; i < 200; ++i)
          if (result[i] == 1) EXPECT_EQ(out[i], out[i / 20 * 20] + i % 20);
      });
}

TEST(Pipes, SubGroupsReserveTogether) {
  const auto program = build(R"(
    kernel void put(write_only pipe int out, global int* result) {
      int i = (int)get_global_id(0);
      uint count = get_sub_group_size(), own = get_sub_group_local_id();
      reserve_id_t id = sub_group_reserve_write_pipe(out, count);
      result[i] = is_valid_reserve_id(id) ? (int)count : 0;
      if (!is_valid_reserve_id(id)) return;
      int packet = (i - (int)own) * 1000 + (int)own;
      if (write_pipe(out, id, count - 1 - own, &packet) != 0) result[i] = -100;
      sub_group_commit_write_pipe(out, id);
    }
    kernel void get(read_only pipe int in, global int* out, global int* result) {
      size_t i = get_global_id(0);
      reserve_id_t id = sub_group_reserve_read_pipe(in, get_sub_group_size());
      result[i] = is_valid_reserve_id(id);
      if (!is_valid_reserve_id(id)) return;
      if (read_pipe(in, id, get_sub_group_local_id(), &out[i]) != 0) result[i] = -1;
      sub_group_commit_read_pipe(in, id);
    })",
                             "-cl-std=CL3.0");
  for (const uint32_t capacity : {600u, 100u}) {
    Ring ring(capacity, 4, 1, capacity / 3);
    std::vector<int> result(200, 77);
    Launch(program, "put")
        .range({200}, {20})
        .buffer(ring.bytes)
        .buffer(result)
        .unordered()
        .inEveryForm([&](const Outcome&) {
          size_t written = 0;
          for (int i = 0; i < 200; ++i) {  // groups of 20 are sub-groups of 16 and 4
            const int place = i % 20, first = i - (place < 16 ? place : place - 16);
            EXPECT_EQ(result[i], result[first]) << "the same for all of a sub-group";
            EXPECT_TRUE(result[i] == 0 || result[i] == (place < 16 ? 16 : 4)) << result[i];
            written += result[i] > 0;
          }
          if (capacity == 600) EXPECT_EQ(written, 200u);
          Ring after = ring;
          const auto packets = after.readAll<int>();
          ASSERT_EQ(packets.size(), written);
          for (size_t at = 0; at + 1 < packets.size(); ++at)
            if (packets[at] % 1000 != 0) EXPECT_EQ(packets[at + 1], packets[at] - 1);
        });
  }
  Ring ring(200, 4, 1, 77);
  for (int i = 0; i < 200; ++i) ring.write(i);
  std::vector<int> out(200, -1), result(200, 77);
  Launch(program, "get")
      .range({200}, {20})
      .buffer(ring.bytes)
      .buffer(out)
      .buffer(result)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(std::ranges::count(result, 1), 200);
        for (int i = 0; i < 200; ++i) {
          const int place = i % 20, own = place < 16 ? place : place - 16;
          EXPECT_EQ(out[i], out[i - own] + own);
        }
      });
}

TEST(Pipes, PacketsOfAllSizes) {
  struct Type {
    const char* name;
    uint32_t bytes;
  };
  for (const Type& type : {Type{"char", 1},
                           {"ushort", 2},
                           {"int", 4},
                           {"char3", 4},
                           {"long", 8},
                           {"float4", 16},
                           {"double3", 32},
                           {"long16", 128},
                           {"struct three", 3},
                           {"struct mixed", 24},
                           {"struct big", 1024}}) {
    const std::string source = std::string(R"(
      struct three { char a, b, c; };
      struct mixed { char a; long b; int c; };
      struct big { uchar bytes[1024]; };
      kernel void copy(read_only pipe )") +
                               type.name + " in, write_only pipe " + type.name +
                               R"( out, global int* failures) {
        )" + type.name + R"( packet;
        if (read_pipe(in, &packet) != 0 || write_pipe(out, &packet) != 0) atomic_inc(failures);
      })";
    const auto program = build(source, "-cl-std=CL3.0");
    Ring in(100, type.bytes), out(100, type.bytes, 0, 50);
    for (uint32_t place = 0; place < 100; ++place) {
      for (uint32_t byte = 0; byte < type.bytes; ++byte)
        in.bytes[in.header()->packets + place * type.bytes + byte] =
            static_cast<uint8_t>(place * 31 + byte % 7);
      in.states()[place] = 1;
    }
    in.header()->tail = 1ull << 32;
    std::vector<int> failures(1);
    Launch(program, "copy")
        .range({100}, {10})
        .buffer(in.bytes)
        .buffer(out.bytes)
        .buffer(failures)
        .unordered()
        .inEveryForm([&](const Outcome&) {
          SCOPED_TRACE(type.name);
          EXPECT_EQ(failures[0], 0);
          // Padding may be anything; the first byte tells which packet it was.
          std::vector<int> seen(256);
          for (uint32_t place = 0; place < 100; ++place)
            ++seen[out.bytes[out.header()->packets + place * type.bytes]];
          std::vector<int> expected(256);
          for (uint32_t place = 0; place < 100; ++place)
            ++expected[static_cast<uint8_t>(place * 31)];
          EXPECT_EQ(seen, expected);
        });
  }
}

TEST(Pipes, AnotherTypesPipeIsLeftAlone) {
  const auto program = build(kSingle, "-cl-std=CL3.0");
  Ring ring(64, 16);
  std::vector<int> in = iota(64), result(64, 77);
  const std::vector<uint8_t> before = ring.bytes;
  Launch(program, "put")
      .range(64)
      .buffer(ring.bytes)
      .buffer(in)
      .buffer(result)
      .inEveryForm([&](const Outcome&) {
        EXPECT_TRUE(std::ranges::all_of(result, [](int r) { return r < 0; }));
        EXPECT_EQ(ring.bytes, before);
      });
}

}  // namespace
}  // namespace weft::test
