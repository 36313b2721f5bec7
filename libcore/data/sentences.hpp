// Sentences as ids, concatenated in one array without an allocation per sentence.  Larger corpora
// are in a corpus cache; data/pairs_view.hpp provides access to both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace awend::data {

/// Sentence i has the ids [begins[i], begins[i + 1]), without an end-of-sentence token.
struct Sentences {
  std::vector<std::uint32_t> ids;
  std::vector<std::uint64_t> begins{0};

  std::size_t size() const { return begins.size() - 1; }

  std::span<const std::uint32_t> operator[](std::size_t index) const {
    return std::span(ids).subspan(begins[index], begins[index + 1] - begins[index]);
  }

  /// The number of tokens of sentence `index` in a batch: its ids and the end of the sentence.
  std::uint32_t tokens(std::size_t index) const {
    return static_cast<std::uint32_t>(begins[index + 1] - begins[index]) + 1;
  }

  void add(std::span<const std::uint32_t> sentence) {
    ids.insert(ids.end(), sentence.begin(), sentence.end());
    begins.push_back(ids.size());
  }
};

/// Sentence i of `target` is the translation of sentence i of `source`.
struct SentencePairs {
  Sentences source;
  Sentences target;
  /// Word alignments: of each pair, the numbers of linked source and target tokens, from 0, in
  /// turn.
  std::optional<Sentences> alignments = {};
  std::uint32_t end_of_sentence = 1;  // the id that ends every sentence in a batch

  std::size_t size() const { return source.size(); }
};

}  // namespace awend::data
