// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/topology.h"

#include <vector>

#include "fake_tree.h"
#include "platform/partition.h"

namespace weft::test {
namespace {

using host::CpuPlace;
using host::Domain;
using List = std::vector<unsigned>;

constexpr unsigned kNone = CpuPlace::kNone;

class Topology : public FakeTree {
 protected:
  std::vector<CpuPlace> places(const List& cpus) const { return host::cpuPlaces(cpus, root_); }

  static List cpus(const std::vector<CpuPlace>& places) {
    List list;
    for (const CpuPlace& place : places) list.push_back(place.cpu);
    return list;
  }
  static List in(const std::vector<CpuPlace>& places, Domain domain) {
    List list;
    for (const CpuPlace& place : places) list.push_back(place.in(domain));
    return list;
  }

  /// Two sockets, each a NUMA node with one L3; four cores in all, of two threads each, numbered
  /// as on most servers: the second threads come after all first ones.
  void twoSockets() {
    node(0, "0-1,4-5");
    node(1, "2-3,6-7");
    core({0, 4}, "0,4", "0-1,4-5");
    core({1, 5}, "1,5", "0-1,4-5");
    core({2, 6}, "2,6", "2-3,6-7");
    core({3, 7}, "3,7", "2-3,6-7");
  }
};

TEST(CpuList, IsParsed) {
  EXPECT_EQ(host::parseCpuList(""), List{});
  EXPECT_EQ(host::parseCpuList("3"), List{3});
  EXPECT_EQ(host::parseCpuList("0-2,8,10-11"), (List{0, 1, 2, 8, 10, 11}));
  EXPECT_EQ(host::parseCpuList("8,0-1"), (List{0, 1, 8}));
  EXPECT_EQ(host::parseCpuList("nonsense,1,-,2-x"), List{1});
  EXPECT_EQ(host::parseCpuList("0-4294967295"), List{}) << "no host has as many";
}

TEST_F(Topology, TwoSocketsWithTwoThreadsPerCore) {
  twoSockets();
  const auto all = places({0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(cpus(all), (List{0, 4, 1, 5, 2, 6, 3, 7})) << "threads of a core are neighbours";
  EXPECT_EQ(in(all, Domain::Numa), (List{0, 0, 0, 0, 2, 2, 2, 2}));
  EXPECT_EQ(in(all, Domain::L4), List(8, kNone));
  EXPECT_EQ(in(all, Domain::L3), (List{0, 0, 0, 0, 2, 2, 2, 2}));
  EXPECT_EQ(in(all, Domain::L2), (List{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(in(all, Domain::L1), (List{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST_F(Topology, OnlyWhatTheProcessMayUse) {
  twoSockets();
  const auto some = places({7, 1, 3});
  EXPECT_EQ(cpus(some), (List{1, 3, 7}));
  EXPECT_EQ(in(some, Domain::Numa), (List{0, 2, 2}));
  EXPECT_EQ(in(some, Domain::L2), (List{1, 3, 3}));
}

TEST_F(Topology, CpusThatAreOffline) {
  // The kernel leaves them out of every list and takes their caches away.
  node(0, "0-1");
  node(1, "2");
  core({0}, "0", "0-1");
  core({1}, "1", "0-1");
  core({2}, "2", "2");
  const auto all = places({0, 1, 2, 3});
  EXPECT_EQ(in(all, Domain::Numa), (List{0, 0, 2, kNone}));
  EXPECT_EQ(in(all, Domain::L3), (List{0, 0, 2, kNone}));
  EXPECT_EQ(cpus(all).back(), 3u) << "the unknown comes last";
}

TEST_F(Topology, LevelFourAndMemoryWithoutCpus) {
  for (unsigned cpu = 0; cpu < 4; ++cpu) {
    cache(cpu, 0, "Data", 1, std::to_string(cpu));
    cache(cpu, 1, "Unified", 4, cpu < 2 ? "0-1" : "2-3");
  }
  node(0, "0-3");
  node(1, "");
  file("/sys/devices/system/node/node_extra/cpulist", "0");
  file("/sys/devices/system/node/online", "0-1");
  const auto all = places({0, 1, 2, 3});
  EXPECT_EQ(in(all, Domain::L4), (List{0, 0, 2, 2}));
  EXPECT_EQ(in(all, Domain::L3), List(4, kNone));
  EXPECT_EQ(in(all, Domain::Numa), List(4, 0));
}

TEST_F(Topology, MissingAndDamagedFiles) {
  const auto nothing = places({0, 1});
  EXPECT_EQ(cpus(nothing), (List{0, 1}));
  for (size_t i = 0; i < host::kDomains; ++i)
    EXPECT_EQ(in(nothing, static_cast<Domain>(i)), (List{kNone, kNone}));
  cache(0, 0, "Data", 1, "");
  cache(0, 1, "Unified", 9, "0-1");
  cache(1, 0, "Data", 1, "x");
  node(0, "0-");
  const auto damaged = places({0, 1});
  for (size_t i = 0; i < host::kDomains; ++i)
    EXPECT_EQ(in(damaged, static_cast<Domain>(i)), (List{kNone, kNone}));
  EXPECT_TRUE(places({}).empty());
}

// ---- What is made of it

class Partition : public Topology {
 protected:
  struct Division {
    cl_int code = CL_SUCCESS;
    std::vector<List> slots;
    std::vector<List> cpus;
    std::vector<cl_device_partition_property> list;
    bool operator==(const Division&) const = default;
  };

  void host(unsigned units, const List& cpus) {
    places_ = places(cpus);
    units_ = spreadUnits(units, places_);
  }
  Division divide(decltype(PartitionRequest::scheme) scheme) const {
    Division division;
    const auto parts =
        partition({.units = units_, .places = places_, .isPinned = isPinned_, .pinAll = pinAll_},
                  PartitionRequest{std::move(scheme), {42, 0}});
    if (!parts) {
      division.code = parts.error().code;
      return division;
    }
    for (const DevicePart& part : *parts) {
      division.slots.push_back(part.slots);
      division.cpus.push_back(part.cpus);
      division.list = part.list;
    }
    return division;
  }
  static Division failed(cl_int code) {
    return {.code = code, .slots = {}, .cpus = {}, .list = {}};
  }

  std::vector<CpuPlace> places_;
  std::vector<ComputeUnit> units_;
  bool isPinned_ = false;
  bool pinAll_ = false;
};

TEST_F(Partition, ByNumber) {
  twoSockets();
  host(8, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(divide(EqualParts{3}).slots, (std::vector<List>{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(divide(EqualParts{4}).list, (std::vector<cl_device_partition_property>{42, 0}));
  EXPECT_EQ(divide(EqualParts{1}).slots.size(), 8u);
  EXPECT_EQ(divide(EqualParts{4}).cpus, (std::vector<List>{{}, {}})) << "nobody is pinned";
  EXPECT_EQ(divide(EqualParts{5}), failed(CL_DEVICE_PARTITION_FAILED));
  EXPECT_EQ(divide(EqualParts{8}), failed(CL_DEVICE_PARTITION_FAILED));
  EXPECT_EQ(divide(CountedParts{{1, 5, 2}}).slots,
            (std::vector<List>{{0}, {1, 2, 3, 4, 5}, {6, 7}}));
  EXPECT_EQ(divide(CountedParts{{3}}).slots, (std::vector<List>{{0, 1, 2}}));
  pinAll_ = true;
  EXPECT_EQ(divide(CountedParts{{2, 3}}).cpus, (std::vector<List>{{0, 4}, {1, 5, 2}}));
}

TEST_F(Partition, OfOneUnitFails) {
  twoSockets();
  host(1, {0, 1});
  EXPECT_EQ(affinityDomains(units_), 0u);
  EXPECT_EQ(divide(EqualParts{1}), failed(CL_DEVICE_PARTITION_FAILED));
  EXPECT_EQ(divide(CountedParts{{1}}), failed(CL_DEVICE_PARTITION_FAILED));
  EXPECT_EQ(divide(DomainParts{}), failed(CL_DEVICE_PARTITION_FAILED));
  EXPECT_EQ(divide(DomainParts{Domain::L1}), failed(CL_DEVICE_PARTITION_FAILED));
}

TEST_F(Partition, ByDomain) {
  twoSockets();
  host(8, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(affinityDomains(units_),
            cl_device_affinity_domain{
                CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE |
                CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE | CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE |
                CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE});
  const Division nodes = divide(DomainParts{Domain::Numa});
  EXPECT_EQ(nodes.slots, (std::vector<List>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(nodes.cpus, (std::vector<List>{{0, 4, 1, 5}, {2, 6, 3, 7}}));
  EXPECT_EQ(nodes.list,
            (std::vector<cl_device_partition_property>{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                       CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0}));
  EXPECT_EQ(divide(DomainParts{}), nodes) << "the outermost division";
  EXPECT_EQ(divide(DomainParts{Domain::L2}).cpus,
            (std::vector<List>{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(divide(DomainParts{Domain::L4}), failed(CL_DEVICE_PARTITION_FAILED));
  EXPECT_FALSE(isKnown(Domain::L4, units_));
}

TEST_F(Partition, TheNextDivisionOfAPart) {
  twoSockets();
  host(8, {0, 1, 2, 3, 4, 5, 6, 7});
  // The second node: its L3 divides nothing further, its L2 does.
  units_.erase(units_.begin(), units_.begin() + 4);
  std::erase_if(places_, [](const CpuPlace& place) { return place.in(Domain::Numa) == 0; });
  isPinned_ = true;
  const Division next = divide(DomainParts{});
  EXPECT_EQ(next.slots, (std::vector<List>{{4, 5}, {6, 7}}));
  EXPECT_EQ(next.list[1], cl_device_partition_property{CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE});
  EXPECT_EQ(divide(DomainParts{Domain::Numa}), failed(CL_DEVICE_PARTITION_FAILED));
  EXPECT_EQ(divide(EqualParts{2}).cpus, (std::vector<List>{{2, 6, 3, 7}, {2, 6, 3, 7}}))
      << "parts by number stay where their parent is";
}

TEST_F(Partition, FewerUnitsThanCpus) {
  twoSockets();  // and a quota of four
  host(4, {0, 1, 2, 3, 4, 5, 6, 7});
  const Division nodes = divide(DomainParts{Domain::Numa});
  EXPECT_EQ(nodes.slots, (std::vector<List>{{0, 1}, {2, 3}}));
  EXPECT_EQ(nodes.cpus, (std::vector<List>{{0, 4, 1, 5}, {2, 6, 3, 7}})) << "all CPUs of a node";
  EXPECT_EQ(divide(DomainParts{Domain::L1}).slots.size(), 4u);
}

TEST_F(Partition, MoreUnitsThanCpus) {
  twoSockets();
  host(6, {0, 2});
  EXPECT_EQ(divide(DomainParts{Domain::L1}).slots, (std::vector<List>{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(divide(DomainParts{Domain::L1}).cpus, (std::vector<List>{{0}, {2}}));
}

TEST_F(Partition, ALevelThatSomeCpusLackDividesNothing) {
  core({0}, "0", "0");
  cache(1, 0, "Data", 1, "1");  // without an L3, as low-power cores are
  cache(1, 1, "Unified", 2, "1");
  host(2, {0, 1});
  EXPECT_EQ(affinityDomains(units_),
            cl_device_affinity_domain{CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE |
                                      CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE |
                                      CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE});
}

TEST_F(Partition, WithoutAnyKnowledgeOfCpus) {
  host(4, {});
  EXPECT_EQ(affinityDomains(units_), 0u);
  EXPECT_EQ(divide(DomainParts{}), failed(CL_DEVICE_PARTITION_FAILED));
  pinAll_ = true;
  EXPECT_EQ(divide(EqualParts{2}).cpus, (std::vector<List>{{}, {}}));
}

}  // namespace
}  // namespace weft::test
