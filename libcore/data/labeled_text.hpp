// Examples for fine-tuning BERT: lines with one label, with a label for each token, or with an
// answer.
//
// The source of a pair is one segment, or two with a separator between them; its target consists
// of ids of labels, or of the first and the last token of an answer (data/corpus.hpp), which
// become places in the line; an answer that does not exist is the first place, as in BERT.  Test:
// tests/unit/data/labeled_text_test.cpp.
#pragma once

#include <algorithm>

#include "data/encoder_batch.hpp"
#include "data/packing.hpp"
#include "data/pairs_view.hpp"

namespace awend::data {

/// What has a label, or an answer.
enum class Labeled { kLines, kTokens, kSpans };

/// A line as the model reads it, without masks.
struct EncoderLine {
  std::vector<std::uint32_t> ids;
  std::uint32_t second_segment;          ///< As in EncoderExample.
  std::vector<std::uint32_t> predicted;  ///< The first place, or those of the tokens; or none.

  /// The places of the second segment; empty if there is none.
  batch::RowRange passage() const {
    const auto end = static_cast<std::uint32_t>(ids.size());
    return {second_segment, std::max(second_segment, end - 1)};
  }
};
/// `ids` are those of the line, with separators between two segments.
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
