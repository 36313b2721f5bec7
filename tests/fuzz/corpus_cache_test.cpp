// The reader of corpus caches with damaged bytes: it refuses them, or returns sentences within
// them.
//
// Mutations use a fixed random seed.  Under AWEND_SANITIZE a read outside the bytes aborts.
#include "tests/fuzz/corpus_cache.hpp"

#include <cstring>

#include "base/error.hpp"
#include "base/random.hpp"
#include "tests/catch.hpp"

namespace {

using awend::base::Random;
using awend::data::CacheShape;
using awend::tests::read_corpus_cache;
using awend::tests::small_corpus_cache;

/// One to three changes: a byte, eight bytes, a range removed or repeated, the end removed.
std::string mutated(std::string bytes, Random& random) {
  const auto below = [&](std::size_t bound) {
    return std::size_t{random.below(static_cast<std::uint32_t>(bound))};
  };
  for (auto changes = 1 + below(3); changes > 0 && bytes.size() > 8; --changes) {
    const auto place = below(bytes.size() - 8);
    const auto word = std::uint64_t{random.word()} << below(33);
    switch (below(5)) {
      case 0:
        bytes[place] = static_cast<char>(below(256));
        break;
      case 1:
        std::memcpy(bytes.data() + place / 8 * 8, &word, sizeof word);
        break;
      case 2:
        bytes.erase(place, below(17));
        break;
      case 3:
        bytes.insert(place, bytes.substr(place, below(17)));
        break;
      case 4:
        bytes.resize(place);
        break;
    }
  }
  return bytes;
}

TEST_CASE("a damaged corpus cache is read or refused") {
  Random random(1);
  unsigned read = 0, refused = 0;
  for (const auto& shape : {CacheShape{2}, CacheShape{4}, CacheShape{2, 3}}) {
    const auto good = small_corpus_cache(shape);
    REQUIRE(read_corpus_cache(good) == (shape.sides == 3 ? 35 : 25) + 13);
    for (int i = 0; i < 20'000; ++i) {
      const auto bytes = mutated(good, random);
      try {
        read += read_corpus_cache(bytes) > 0 ? 1 : 0;
      } catch (const awend::base::Error&) {
        ++refused;
      }
    }
  }
  CHECK(read > 100);  // counts and ids may have any value
  CHECK(refused > 10'000);
}

}  // namespace
