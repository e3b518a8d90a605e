// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/uuid.h"

#include <span>
#include <string>

#include "fake_tree.h"

namespace weft::test {
namespace {

std::string hex(std::span<const uint8_t> bytes) {
  std::string text;
  for (const uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

TEST(Sha256, KnownDigests) {
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

class DeviceUuid : public FakeTree {};

TEST_F(DeviceUuid, IsThatOfTheSystem) {
  const Uuid without = deviceUuid(root_);
  file("/var/lib/dbus/machine-id", "0123456789abcdef0123456789abcdef");
  const Uuid first = deviceUuid(root_);
  EXPECT_NE(first, without);
  EXPECT_EQ(first, deviceUuid(root_));
  file("/etc/machine-id", "fedcba9876543210fedcba9876543210");
  const Uuid second = deviceUuid(root_);
  EXPECT_NE(first, second);
  EXPECT_EQ(second[6] >> 4, 8) << "the version";
  EXPECT_EQ(second[8] >> 6, 2) << "the variant";
  EXPECT_NE(driverUuid(), second);
  EXPECT_EQ(driverUuid(), driverUuid());
}

}  // namespace
}  // namespace weft::test
