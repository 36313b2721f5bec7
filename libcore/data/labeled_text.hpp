// Examples for fine-tuning BERT: lines with one label, or with a label for each token.
//
// The source of a pair is one segment, or two with a separator between them; its target consists
// of ids of labels.  Test: tests/unit/data/labeled_text_test.cpp.
#pragma once

#include "data/encoder_batch.hpp"
#include "data/packing.hpp"
#include "data/pairs_view.hpp"

namespace awend::data {

/// What has a label.
enum class Labeled { kLines, kTokens };

/// A line as the model reads it, without masks.
struct EncoderLine {
  std::vector<std::uint32_t> ids;
  std::uint32_t second_segment;          ///< As in EncoderExample.
  std::vector<std::uint32_t> predicted;  ///< The first place, or those of the tokens.
};
/// `ids` are those of the line, with a separator between two segments.
EncoderLine encoder_line(std::span<const std::uint32_t> ids, const EncoderIds& special,
                         Labeled labeled);

class LabeledText : public Packing {
 public:
  LabeledText(const EncoderIds& special, Labeled labeled) : special_(special), labeled_(labeled) {}

  PairRows rows(const PairsView& corpus, const EpochPair& pair) const override;
  std::uint32_t longest(const PairsView& corpus) const override;
  void add(const PairsView& corpus, const EpochPair& pair,
           batch::PackedBatch& batch) const override;

 private:
  EncoderIds special_;
  Labeled labeled_;
};

}  // namespace awend::data
