// Examples for the pre-training of BERT (Devlin et al., 2019, section 3.1 and appendix A): masked
// tokens of running text, and pairs of segments.
//
// The sources of a corpus are the sentences of a text; an empty one ends a document.  The example
// of a sentence is [CLS] A [SEP] B [SEP], where A is the sentence, and B is the next one of its
// document with a probability of one half, otherwise a random sentence of the corpus; or without
// pairs [CLS] A [SEP].  A share of the tokens is predicted: 80 % of these are replaced with
// [MASK], 10 % with a random token, 10 % are kept.
//
// An example is a function of the seed, the epoch, and the number of its sentence.  It does not
// depend on batches, passes or processes.  Test: tests/unit/data/masked_text_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "data/encoder_batch.hpp"
#include "data/packing.hpp"
#include "data/pairs_view.hpp"

namespace awend::data {

struct MaskingSettings {
  std::uint32_t longest_rows = 512;  ///< Of an example; longer pairs are truncated.
  double mask_rate = 0.15;
  bool makes_pairs = true;
  bool masks_whole_words = false;  ///< A token that begins with ## continues a word.
  std::uint64_t seed = 1;
};

class MaskedText : public Packing {
 public:
  /// Throws Error if the vocabulary lacks a special token.
  MaskedText(const text::Vocabulary& vocabulary, const MaskingSettings& settings);

  PairRows rows(const PairsView& corpus, const EpochPair& pair) const override;
  std::uint32_t longest(const PairsView& corpus) const override;
  void add(const PairsView& corpus, const EpochPair& pair,
           batch::PackedBatch& batch) const override;

 private:
  /// The sentences of an example and their lengths after truncation.
  struct Segments {
    std::uint32_t first, second;  ///< Pairs of the corpus; equal without a second one.
    std::uint32_t first_tokens, second_tokens;
    bool follows;
  };
  Segments segments(const PairsView& corpus, const EpochPair& pair) const;
  /// [CLS] A [SEP] B [SEP]
  std::vector<std::uint32_t> ids_of(const PairsView& corpus, const Segments& segments) const;
  /// The places that are predicted, ascending.
  std::vector<std::uint32_t> predicted(std::span<const std::uint32_t> ids,
                                       const EpochPair& pair) const;
  void mask(std::vector<std::uint32_t>& ids, std::span<const std::uint32_t> places,
            const EpochPair& pair) const;
  std::uint32_t predictions(std::uint32_t tokens) const;
  bool is_special(std::uint32_t id) const {
    return id == special_.classify || id == special_.separator;
  }

  MaskingSettings settings_;
  EncoderIds special_;
  std::vector<std::uint32_t> ordinary_;  // ids of tokens of text
  std::vector<bool> continues_;          // by id: whether a token continues a word
};

}  // namespace awend::data
