// Memory of prepared operands.
#include "host/aligned_memory.hpp"

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

}  // namespace awend::host
