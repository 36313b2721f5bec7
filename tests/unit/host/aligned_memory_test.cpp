// Memory of prepared operands.
#include "host/aligned_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "tests/catch.hpp"

namespace awend::host {

TEST_CASE("memory of all sizes is aligned, and moves") {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{4097}, (std::size_t{1} << 20) - 1,
        std::size_t{1} << 20, (std::size_t{5} << 20) + 3}) {
    CAPTURE(size);
    AlignedMemory memory(size);
    auto* const bytes = memory.as<unsigned char>();
    REQUIRE(reinterpret_cast<std::uintptr_t>(bytes) % 64 == 0);
    std::memset(bytes, 7, size);
    AlignedMemory other(3);
    other = std::move(memory);
    REQUIRE(other.as<unsigned char>() == bytes);
    if (size > 0) CHECK(bytes[size - 1] == 7);
  }
}

TEST_CASE("scratch memory grows, and stays where it is while it is large enough") {
  Scratch scratch;
  for (const std::size_t count : {5, 300, 1 << 19}) {
    CAPTURE(count);
    auto* const numbers = scratch.numbers<float>(count);
    REQUIRE(reinterpret_cast<std::uintptr_t>(numbers) % 64 == 0);
    std::fill_n(numbers, count, 1.0F);
    CHECK(scratch.numbers<float>(count) == numbers);
    CHECK(scratch.numbers<std::uint16_t>(2 * count) == reinterpret_cast<std::uint16_t*>(numbers));
  }
}

}  // namespace awend::host
