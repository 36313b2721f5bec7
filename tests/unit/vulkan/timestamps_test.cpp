// The time between two timestamps of a device.
#include "tests/catch.hpp"
#include "vulkan/recording.hpp"

namespace awend::vulkan {
namespace {

TEST_CASE("only the valid bits of timestamps are compared, which may wrap around", "[vulkan]") {
  CHECK(ticks_between(100, 250, 64) == 150);
  CHECK(ticks_between(0xfffffffffffffff0, 0x10, 64) == 0x20);
  // 36 valid bits, as on Intel; the bits above are undefined.
  CHECK(ticks_between(0xabc0000000000064, 0xdef00000000000fa, 36) == 150);
  CHECK(ticks_between(0xffffffff0, 0x10, 36) == 0x20);
  CHECK(ticks_between(7, 7, 36) == 0);
}

}  // namespace
}  // namespace awend::vulkan
