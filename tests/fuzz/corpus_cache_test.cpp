// The reader of corpus caches against damaged bytes: it refuses them, or hands out sentences that
// lie within them.
//
// Mutations are drawn from a fixed seed.  Under AWEND_SANITIZE a read outside the bytes aborts.
#include <cstring>

#include "base/error.hpp"
#include "base/random.hpp"
#include "data/cache_format.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::data;
using awend::base::Random;
using awend::tests::Scratch;

std::string sample(std::uint64_t id_bytes) {
  const Scratch scratch;
  CacheWriter writer(scratch.path("x"), scratch.folder(), {.longest_tokens = 6}, id_bytes);
  EncodedPairs pairs;
  for (std::uint32_t length = 1; length <= 5; ++length) {
    pairs.ids.insert(pairs.ids.end(), length + 2, 250 + length);
    pairs.lengths.insert(pairs.lengths.end(), {length, 2});
    pairs.words.push_back(length);
  }
  writer.add(pairs);
  writer.commit({.lines = 5, .first_unknown = "file:3: xyzzy"});
  return Scratch::read(scratch.path("x"));
}

/// One to three changes: a byte, eight bytes, a run cut out or doubled, the end cut off.
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

/// Reads every sentence that the parts hand out.
std::size_t read_all(const CacheParts& parts) {
  std::vector<std::uint32_t> ids;
  for (const std::size_t side : {0, 1}) {
    const SideView view({.ids = parts.ids,
                         .begins = parts.begins.data() + side,
                         .stride = 2,
                         .vocabulary_size = 256});
    for (std::size_t i = 0; i < parts.tail.pairs; ++i) view.append_to(ids, i);
  }
  return ids.size() + parts.first_unknown.size();
}

TEST_CASE("a damaged corpus cache is read or refused") {
  Random random(1);
  unsigned read = 0, refused = 0;
  for (const std::uint64_t id_bytes : {2, 4}) {
    const auto good = sample(id_bytes);
    REQUIRE(read_all(parse_cache(std::as_bytes(std::span(good)))) == 25 + 13);
    for (int i = 0; i < 20'000; ++i) {
      const auto bytes = mutated(good, random);
      // Bytes of their own size, so that the first one beyond them is noticed.
      const std::vector<char> exact(bytes.begin(), bytes.end());
      try {
        read += read_all(parse_cache(std::as_bytes(std::span(exact)))) > 0 ? 1 : 0;
      } catch (const awend::base::Error&) {
        ++refused;
      }
    }
  }
  CHECK(read > 100);  // counts and ids are free to be others
  CHECK(refused > 10'000);
}

}  // namespace
