// Corpus caches: the parts, and every sentence that they hand out.
#include "base/error.hpp"
#include "data/cache_format.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "tests/scratch.hpp"

namespace awend::tests {

using namespace data;

std::vector<std::string> seeds() {
  std::vector<std::string> caches;
  for (const std::uint64_t id_bytes : {2, 4}) {
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
    caches.push_back(Scratch::read(scratch.path("x")));
  }
  return caches;
}

void fuzz(std::string_view input) {
  // A mapped file is aligned, which libFuzzer's input need not be.
  const std::vector<char> aligned(input.begin(), input.end());
  const auto parts = parse_cache(std::as_bytes(std::span(aligned)));
  std::vector<std::uint32_t> ids;
  for (const std::size_t side : {0, 1}) {
    const SideView view({.ids = parts.ids,
                         .begins = parts.begins.data() + side,
                         .stride = 2,
                         .vocabulary_size = 256});
    for (std::size_t i = 0; i < parts.tail.pairs; ++i) view.append_to(ids, i);
  }
}

}  // namespace awend::tests
