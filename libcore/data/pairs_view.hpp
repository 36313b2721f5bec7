// Pairs of sentences wherever they stand: in vectors, or in mapped files of any size.
//
// Batches and plans are made from this view alone.  It may join several corpora, each with its
// weight: how often an epoch meets every pair of that corpus.  A view is cheap to copy, and what it
// shows must outlive it.  Test: tests/unit/data/pairs_view_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "data/sentences.hpp"

namespace awend::data {

/// The most tokens of a sentence, its end counted.  Lengths fit 16 bits, so that the plan of an
/// epoch needs 12 bytes a pair.
inline constexpr std::uint32_t kLongestSentence = 0xFFFF;

/// Whoever reads a mapped corpus in its own order lets its pages go after so many pairs: 16 MiB of
/// their begins.
inline constexpr std::size_t kPairsBetweenForgetting = std::size_t{1} << 20;

/// Ids are 16 bits wide where the vocabulary allows it.
using IdSpan = std::variant<std::span<const std::uint32_t>, std::span<const std::uint16_t>>;

/// One side of a corpus: sentence i holds the ids [begins[stride i], begins[stride i + 1]).
struct SideParts {
  IdSpan ids;
  const std::uint64_t* begins = nullptr;
  std::size_t stride = 1;
  std::uint32_t vocabulary_size = 0xFFFFFFFF;  // ids from there on mean a damaged file
  std::string file = {};                       // its name, for messages
};

class SideView {
 public:
  explicit SideView(SideParts parts) : parts_(std::move(parts)) {}
  SideView(const Sentences& sentences);  // NOLINT: a view of it, as a span is one of a vector

  /// The tokens that a sentence has in a batch: its ids and the end of the sentence.
  std::uint32_t tokens(std::size_t sentence) const {
    const auto* begin = parts_.begins + sentence * parts_.stride;
    return static_cast<std::uint32_t>(begin[1] - begin[0]) + 1;
  }

  /// Error if an id is beyond the vocabulary.
  void append_to(std::vector<std::uint32_t>& out, std::size_t sentence) const;

 private:
  SideParts parts_;
};

/// One corpus of several.
struct CorpusView {
  SideView source, target;
  std::size_t size = 0;
  double weight = 1;                    // above 0; the times an epoch meets each of its pairs
  std::span<const std::byte> mapped{};  // where it stands in a mapped file
};

class PairsView {
 public:
  PairsView(const SentencePairs& pairs);  // NOLINT: a view of it
  PairsView(std::vector<CorpusView> corpora, std::uint32_t end_of_sentence);

  /// Pairs are numbered through all corpora, from 0.
  std::size_t size() const { return begins_.back(); }
  const std::vector<CorpusView>& corpora() const { return corpora_; }
  std::uint32_t end_of_sentence() const { return end_of_sentence_; }

  struct Place {
    const CorpusView& corpus;
    std::size_t index;  // in the corpus
  };
  /// Where a pair stands.  Requires pair < size().
  Place operator[](std::size_t pair) const;

  /// The most tokens of a side of a pair; all lengths are read.
  std::uint32_t longest() const;

  /// Lets go of what was read from mapped files (see base::forget_mapped).
  void forget() const;

 private:
  std::vector<CorpusView> corpora_;
  std::vector<std::size_t> begins_{0};  // number of each corpus' first pair, then size()
  std::uint32_t end_of_sentence_;
};

}  // namespace awend::data
