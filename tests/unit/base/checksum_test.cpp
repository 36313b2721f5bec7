// The checksum is XXH3, whatever the size of its parts: values computed by xxhsum.
#include "base/checksum.hpp"

#include "tests/catch.hpp"

namespace {

using awend::base::Checksum;
using awend::base::hex;

std::uint64_t checksum_of(std::string_view bytes) {
  Checksum checksum;
  checksum.add(bytes);
  return checksum.value();
}

TEST_CASE("the checksum is that of XXH3") {
  CHECK(hex(checksum_of("")) == "2d06800538d394c2");
  CHECK(hex(checksum_of("a")) == "e6c632b61e964e1f");
  CHECK(hex(checksum_of("awend\n")) == "ef669aa2cbc7299d");
  CHECK(hex(0) == "0000000000000000");
}

TEST_CASE("the checksum does not depend on how the bytes are split") {
  const std::string bytes(100'000, 'x');
  for (const std::size_t part : {1, 7, 1024, 99'999}) {
    Checksum checksum;
    for (std::size_t begin = 0; begin < bytes.size(); begin += part)
      checksum.add(std::string_view(bytes).substr(begin, part));
    CHECK(checksum.value() == checksum_of(bytes));
  }
}

TEST_CASE("one flipped bit changes the checksum") {
  std::string bytes(5'000, 'x');
  const auto before = checksum_of(bytes);
  for (std::size_t i = 0; i < bytes.size(); i += 13) {
    bytes[i] ^= 1;
    CHECK(checksum_of(bytes) != before);
    bytes[i] ^= 1;
  }
}

TEST_CASE("a number is added as eight little-endian bytes") {
  Checksum checksum;
  checksum.add(std::uint64_t{0x0102});
  CHECK(checksum.value() == checksum_of({"\2\1\0\0\0\0\0\0", 8}));
}

}  // namespace
