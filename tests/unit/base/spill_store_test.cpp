// Blocks that continue in temporary files.
#include "base/spill_store.hpp"

#include <algorithm>

#include "tests/catch.hpp"

namespace awend::base {
namespace {

std::vector<std::byte> bytes_from(std::size_t size, unsigned seed) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 251 + seed);
  return bytes;
}

}  // namespace

TEST_CASE("blocks are kept on the heap and in files, also when the store is moved") {
  SpillStore first(1 << 20);
  std::vector<std::span<const std::byte>> kept;
  const std::size_t sizes[] = {0, 1, 5000, 1 << 20, 3, (9 << 20) + 5};
  for (unsigned i = 0; i < std::size(sizes); ++i)
    kept.push_back(first.keep(bytes_from(sizes[i], i)));
  SpillStore store = std::move(first);
  for (int round = 0; round < 2; ++round) {
    for (unsigned i = 0; i < std::size(sizes); ++i)
      CHECK(std::ranges::equal(kept[i], bytes_from(sizes[i], i)));
    store.forget();  // only pages
  }
}

}  // namespace awend::base
