// A small corpus cache, and a reader of all sentences in the bytes of a cache.
#pragma once

#include <numeric>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "data/batch.hpp"
#include "data/cache_format.hpp"
#include "tests/scratch.hpp"

namespace awend::tests {

/// The bytes of a cache of five pairs, with a link for each of them if it has three sides.
inline std::string small_corpus_cache(const data::CacheShape& shape) {
  const Scratch scratch;
  data::CacheWriter writer(scratch.path("x"), scratch.folder(), {.longest_tokens = 6}, shape);
  data::EncodedPairs pairs;
  for (std::uint32_t length = 1; length <= 5; ++length) {
    pairs.ids.insert(pairs.ids.end(), length + 2, 250 + length);
    pairs.lengths.insert(pairs.lengths.end(), {length, 2});
    if (shape.sides == 3) {
      pairs.ids.insert(pairs.ids.end(), {length - 1, 1});
      pairs.lengths.push_back(2);
    }
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
  const auto side = [&](std::size_t number) {
    return data::SideView({.ids = parts.ids,
                           .begins = parts.begins.data() + number,
                           .stride = parts.tail.sides,
                           .vocabulary_size = 256});
  };
  for (std::size_t number = 0; number < parts.tail.sides; ++number) {
    for (std::size_t i = 0; i < parts.tail.pairs; ++i) side(number).append_to(ids, i);
  }
  // As a batch reads them, which checks the links.
  data::CorpusView corpus{.source = side(0), .target = side(1), .size = parts.tail.pairs};
  if (parts.tail.sides == 3) corpus.alignments = side(2);
  std::vector<std::uint32_t> pairs(std::min<std::uint64_t>(parts.tail.pairs, 100));
  std::iota(pairs.begin(), pairs.end(), 0U);
  batch::PackedBatch batch;
  data::pack_batch(data::PairsView({corpus}, 1), pairs, batch);
  for (const auto& link : batch.links)
    base::check(link.target_row < batch.target_rows(), "a link is in the batch");
  return ids.size() + parts.first_unknown.size();
}

}  // namespace awend::tests
