// A batch as the engine uploads it: sentences packed end to end without padding, and the index
// arrays for the gradients of embeddings.
//
// Symbols: B sentences, S source rows (tokens, including the end of each sentence), T target
// rows.  A row is a row of the matrices of the model.  Batches are limited by tokens as in
// section 5.1 of the paper; packing without padding is an addition. Test:
// tests/unit/data/batch_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/pairs_view.hpp"

namespace awend::data {

/// The id of no token: its embedding is the zero vector, and it has no gradient.
inline constexpr std::uint32_t kNoToken = 0xFFFFFFFF;

/// The rows [begin, end).
struct RowRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const RowRange&) const = default;
};

/// The rows with equal keys, key by key, so that a gradient is summed without atomics and always in
/// the same order.  The rows of keys[i] are rows[begins[i] .. begins[i + 1]), in ascending order.
/// With K distinct keys and N rows:
struct RowsByKey {
  std::vector<std::uint32_t> keys;    // (K), ascending
  std::vector<std::uint32_t> begins;  // (K + 1)
  std::vector<std::uint32_t> rows;    // (N)
};

struct Batch {
  std::uint32_t sentences = 0;         // B
  std::uint32_t first_source_row = 0;  // within the update that contains the batch
  std::uint32_t first_target_row = 0;
  std::vector<std::uint32_t> pairs;         // (B) indices of the sentences in the corpus
  std::vector<std::uint32_t> source_begin;  // (B + 1) first source row of each sentence, then S
  std::vector<std::uint32_t> target_begin;  // (B + 1) first target row of each sentence, then T

  std::vector<std::uint32_t> source_ids;         // (S) x1 .. xn, end of sentence
  std::vector<std::uint32_t> source_positions;   // (S) 0 .. n
  std::vector<std::uint32_t> target_input_ids;   // (T) kNoToken, y1 .. ym
  std::vector<std::uint32_t> target_output_ids;  // (T) y1 .. ym, end of sentence
  std::vector<std::uint32_t> target_positions;   // (T) 0 .. m

  // Rows by token for the gradient of the embedding, rows by position for the gradient of learned
  // positions.
  RowsByKey source_by_id;        // N = S
  RowsByKey target_by_id;        // N = T - B: of the input ids, without first rows
  RowsByKey source_by_position;  // N = S
  RowsByKey target_by_position;  // N = T

  // Of encoder-only models (see data/masked_text.hpp and data/labeled_text.hpp); empty for pairs.
  // Target rows are predictions.
  std::uint32_t first_sentence = 0;            // within the update
  std::vector<std::uint32_t> source_segments;  // (S) 0, and 1 in the second segment
  RowsByKey source_by_segment;                 // N = S
  std::vector<std::uint32_t> predicted_rows;   // (T) the source row of each prediction
  std::vector<std::uint32_t> sentence_labels;  // (B) 0: the second segment follows the first

  std::uint32_t source_rows() const { return static_cast<std::uint32_t>(source_ids.size()); }
  std::uint32_t target_rows() const { return static_cast<std::uint32_t>(target_output_ids.size()); }
};

/// Removes all sentences; keeps the memory.
void clear(Batch& batch);

/// Packs the given sentence pairs, in the given order, into `batch`, whose memory is reused.
void pack_batch(const PairsView& corpus, const EpochPairs& pairs, Batch& batch);

/// The rows of `keys` grouped by value, without rows of kNoToken.
RowsByKey rows_by_key(std::span<const std::uint32_t> keys);

}  // namespace awend::data
