// Which accesses need a barrier between them, and which accesses a launch makes.  No device: ranges
// lie in buffers that are only names.
#include "nn/hazards.hpp"

#include "tests/catch.hpp"
#include "vulkan/buffers.hpp"

namespace awend::nn {
namespace {

int first_buffer = 0;
int second_buffer = 0;

vulkan::Range range(int& buffer, std::uint64_t offset, std::uint64_t size_bytes) {
  vulkan::Range made;
  made.buffer = reinterpret_cast<std::uintptr_t>(&buffer);
  made.offset = offset;
  made.size_bytes = size_bytes;
  return made;
}

Access reads(std::uint64_t offset, std::uint64_t size_bytes) {
  return {range(first_buffer, offset, size_bytes), false};
}
Access writes(std::uint64_t offset, std::uint64_t size_bytes) {
  return {range(first_buffer, offset, size_bytes), true};
}

bool conflict(const Access& earlier, const Access& next) {
  Hazards hazards;
  hazards.add(earlier);
  return hazards.conflicts(next);
}

TEST_CASE("a write conflicts with any access to the same memory", "[hazards]") {
  CHECK(conflict(writes(256, 64), reads(256, 64)));
  CHECK(conflict(reads(256, 64), writes(256, 64)));
  CHECK(conflict(writes(256, 64), writes(256, 64)));
}

TEST_CASE("reads do not conflict with each other", "[hazards]") {
  CHECK_FALSE(conflict(reads(256, 64), reads(256, 64)));
  CHECK_FALSE(conflict(reads(256, 64), reads(240, 32)));
}

TEST_CASE("a partial overlap conflicts, from either side and from within", "[hazards]") {
  const Access written = writes(256, 64);
  for (const Access& read : {reads(192, 65), reads(319, 64), reads(272, 4), reads(0, 4096)}) {
    CAPTURE(read.range.offset, read.range.size_bytes);
    CHECK(conflict(written, read));
    CHECK(conflict(read, written));
  }
}

TEST_CASE("adjacent ranges do not conflict", "[hazards]") {
  const Access written = writes(256, 64);
  for (const Access& next : {reads(192, 64), reads(320, 64), writes(192, 64), writes(320, 64)}) {
    CAPTURE(next.range.offset, next.written);
    CHECK_FALSE(conflict(written, next));
    CHECK_FALSE(conflict(next, written));
  }
}

TEST_CASE("the same place in another buffer does not conflict", "[hazards]") {
  CHECK_FALSE(conflict(writes(256, 64), {range(second_buffer, 256, 64), true}));
}

TEST_CASE("a new access is compared with all since the last barrier", "[hazards]") {
  Hazards hazards;
  CHECK_FALSE(hazards.conflicts(writes(0, 64)));
  hazards.add(writes(0, 64));
  hazards.add(reads(64, 64));
  hazards.add(reads(128, 64));
  CHECK(hazards.conflicts(reads(0, 64)));
  CHECK(hazards.conflicts(writes(64, 64)));
  CHECK(hazards.conflicts(writes(128, 64)));
  CHECK_FALSE(hazards.conflicts(reads(64, 128)));
  CHECK_FALSE(hazards.conflicts(writes(192, 64)));
}

TEST_CASE("after a barrier, earlier accesses no longer conflict", "[hazards]") {
  Hazards hazards;
  hazards.add(writes(0, 64));
  hazards.clear();
  CHECK_FALSE(hazards.conflicts(writes(0, 64)));
  hazards.add(writes(64, 64));
  CHECK_FALSE(hazards.conflicts(reads(0, 64)));
  CHECK(hazards.conflicts(reads(64, 64)));
}

TEST_CASE("a launch accesses all ranges but the counts", "[hazards]") {
  // Binding 2 is not used, so the ranges belong to bindings 0, 1, 3 and 4.
  const std::map<std::uint32_t, vulkan::Binding> bindings = {
      {0, {}}, {1, {}}, {3, {.written = true}}, {4, {}}};
  const std::vector<vulkan::Range> ranges = {
      range(second_buffer, 0, 16), range(first_buffer, 0, 1024), range(first_buffer, 1024, 2048),
      range(second_buffer, 4096, 512)};
  const auto accesses = accesses_of(bindings, ranges);
  REQUIRE(accesses.size() == 3);
  const bool written[] = {false, true, false};
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    CAPTURE(i);
    CHECK(accesses[i].written == written[i]);
    CHECK(accesses[i].range.buffer == ranges[i + 1].buffer);
    CHECK(accesses[i].range.offset == ranges[i + 1].offset);
    CHECK(accesses[i].range.size_bytes == ranges[i + 1].size_bytes);
  }
}

}  // namespace
}  // namespace awend::nn
