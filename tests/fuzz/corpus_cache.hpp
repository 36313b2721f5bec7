// A small corpus cache, and a reader of all sentences in the bytes of a cache.
#pragma once

#include <string>
#include <vector>

#include "data/cache_format.hpp"
#include "tests/scratch.hpp"

namespace awend::tests {

/// The bytes of a cache of five pairs.
inline std::string small_corpus_cache(std::uint64_t id_bytes) {
  const Scratch scratch;
  data::CacheWriter writer(scratch.path("x"), scratch.folder(), {.longest_tokens = 6}, id_bytes);
  data::EncodedPairs pairs;
  for (std::uint32_t length = 1; length <= 5; ++length) {
    pairs.ids.insert(pairs.ids.end(), length + 2, 250 + length);
    pairs.lengths.insert(pairs.lengths.end(), {length, 2});
    pairs.words.push_back(length);
  }
  writer.add(pairs);
  writer.commit({.lines = 5, .first_unknown = "file:3: xyzzy"});
  return Scratch::read(scratch.path("x"));
}

/// Parses a cache and reads every sentence; returns the number of ids and bytes read.
inline std::size_t read_corpus_cache(std::string_view bytes) {
  // An allocation of exactly this size is aligned like a mapped file, and a sanitizer detects reads
  // beyond it.
  const std::vector<char> exact(bytes.begin(), bytes.end());
  const auto parts = data::parse_cache(std::as_bytes(std::span(exact)));
  std::vector<std::uint32_t> ids;
  for (const std::size_t side : {0, 1}) {
    const data::SideView view({.ids = parts.ids,
                               .begins = parts.begins.data() + side,
                               .stride = 2,
                               .vocabulary_size = 256});
    for (std::size_t i = 0; i < parts.tail.pairs; ++i) view.append_to(ids, i);
  }
  return ids.size() + parts.first_unknown.size();
}

}  // namespace awend::tests
