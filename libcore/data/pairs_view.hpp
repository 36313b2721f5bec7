// A view of sentence pairs in vectors, or in mapped files of any size.
//
// Batches and plans use only this view.  It may combine several corpora, each with a weight: the
// number of occurrences of its pairs in an epoch.  A view is cheap to copy, and the data must
// outlive it.  Test: tests/unit/data/pairs_view_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "data/packing.hpp"
#include "data/sentences.hpp"

namespace awend::data {

/// The maximum number of tokens of a sentence, including its end.  Lengths fit 16 bits, so that
/// the plan of an epoch needs 12 bytes per pair.
inline constexpr std::uint32_t kLongestSentence = 0xFFFF;

/// The number of pairs after which a sequential reader of a mapped corpus releases its pages: 16
/// MiB of begins.
inline constexpr std::size_t kPairsBetweenForgetting = std::size_t{1} << 20;

/// Ids are 16 bits wide if the vocabulary permits it.
using IdSpan = std::variant<std::span<const std::uint32_t>, std::span<const std::uint16_t>>;

/// One side of a corpus: sentence i has the ids [begins[stride i], begins[stride i + 1]).
struct SideParts {
  IdSpan ids;
  const std::uint64_t* begins = nullptr;
  std::size_t stride = 1;
  std::uint32_t vocabulary_size = 0xFFFFFFFF;  // a greater id means a damaged file
  std::string file = {};                       // for messages
};

class SideView {
 public:
  explicit SideView(SideParts parts) : parts_(std::move(parts)) {}
  SideView(const Sentences& sentences);  // NOLINT: a view of it, as a span is one of a vector

  /// The number of tokens of a sentence in a batch: its ids and the end of the sentence.
  std::uint32_t tokens(std::size_t sentence) const {
    const auto* begin = parts_.begins + sentence * parts_.stride;
    return static_cast<std::uint32_t>(begin[1] - begin[0]) + 1;
  }

  /// Throws Error if an id is beyond the vocabulary.
  void append_to(std::vector<std::uint32_t>& out, std::size_t sentence) const;

  const std::string& file() const { return parts_.file; }

 private:
  SideParts parts_;
};

/// One corpus of several.
struct CorpusView {
  SideView source, target;
  /// Word alignments, as SentencePairs::alignments.
  std::optional<SideView> alignments = {};
  std::size_t size = 0;
  double weight = 1;                    // above 0; occurrences of each pair per epoch
  std::span<const std::byte> mapped{};  // its bytes in a mapped file
};

class PairsView {
 public:
  PairsView(const SentencePairs& pairs);  // NOLINT: a view of it
  PairsView(std::vector<CorpusView> corpora, std::uint32_t end_of_sentence);
  /// The same pairs with a packing, which must outlive the view; null: sources and translations.
  PairsView packed_by(const Packing* packing) const;

  /// Pairs are numbered across all corpora, from 0.
  std::size_t size() const { return begins_.back(); }
  const std::vector<CorpusView>& corpora() const { return corpora_; }
  std::uint32_t end_of_sentence() const { return end_of_sentence_; }

  struct Place {
    const CorpusView& corpus;
    std::size_t index;  // in the corpus
  };
  /// The corpus and index of a pair.  Requires: pair < size().
  Place operator[](std::size_t pair) const;

  const Packing* packing() const { return packing_; }
  /// The rows of a pair in a batch.
  PairRows rows(const EpochPair& pair) const;

  /// The maximum number of rows of a pair on a side; reads all lengths.
  std::uint32_t longest() const;

  /// Releases the pages of mapped files (see base::forget_mapped).
  void forget() const;

 private:
  std::vector<CorpusView> corpora_;
  std::vector<std::size_t> begins_{0};  // index of the first pair of each corpus, then size()
  std::uint32_t end_of_sentence_;
  const Packing* packing_ = nullptr;
};

}  // namespace awend::data
