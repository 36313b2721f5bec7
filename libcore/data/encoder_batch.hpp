// Batches of encoder-only models: sentences with their segments, and the rows for which the model
// makes predictions.  Test: tests/unit/data/masked_text_test.cpp.
#pragma once

#include <cstdint>
#include <span>

#include "batch/packed_batch.hpp"
#include "text/vocabulary.hpp"

namespace awend::data {

/// The ids of BERT's special tokens.
struct EncoderIds {
  std::uint32_t pad, unknown, classify, separator, mask;
  std::uint32_t separators = 1;  ///< Between two segments.
};
/// Those of XLM-R (<pad> <unk> <s> </s> <mask>) if the vocabulary has them.  Otherwise throws Error
/// that names the tokens [PAD] [UNK] [CLS] [SEP] [MASK] that are missing.
EncoderIds encoder_ids(const text::Vocabulary& vocabulary);

/// The numbers of special tokens around one segment, and around two: [CLS] A [SEP] B [SEP].
inline constexpr std::uint32_t kAroundSegment = 2, kAroundSegments = 3;

/// One sentence as the model reads it.
struct EncoderExample {
  std::span<const std::uint32_t> ids;        ///< With the special ones.
  std::uint32_t second_segment;              ///< The place where it begins; ids.size(): none.
  std::span<const std::uint32_t> predicted;  ///< Places, ascending.
  std::span<const std::uint32_t> answers;    ///< Of these places; empty if they are unknown.
  std::uint32_t label = 0;                   ///< 0: the second segment follows the first.
};
/// Appends an example.
void add_example(const EncoderExample& example, batch::PackedBatch& batch);
/// Completes the batch after the last example.
void finish_examples(batch::PackedBatch& batch);

}  // namespace awend::data
