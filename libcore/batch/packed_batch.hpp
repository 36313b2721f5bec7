// A batch of sentences, packed end to end without padding, which `data` fills and a model reads.
//
// Symbols: B sentences, S source rows (tokens, including the end of each sentence), T target
// rows.  A row is a row of the matrices of the model.  Rows are also grouped by keys, for the
// gradients of embeddings.  Test: tests/unit/batch/packed_batch_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace awend::batch {

/// The id of no token: its embedding is the zero vector, and it has no gradient.  The same number
/// as NO_TOKEN of the kernels.
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

/// The rows of `keys` grouped by value, without rows of kNoToken.
RowsByKey rows_by_key(std::span<const std::uint32_t> keys);

/// A link of a word alignment.
struct Link {
  std::uint32_t source = 0;      ///< The number of a token in its sentence, from 0.
  std::uint32_t target_row = 0;  ///< The row that predicts the target token.

  bool operator==(const Link&) const = default;
};

/// One side of a batch of B sentences.
struct PackedSide {
  std::vector<std::uint32_t> ids;     ///< (rows): what the model reads.
  std::vector<std::uint32_t> begins;  ///< (B + 1): the first row of each sentence, then rows.
  std::vector<std::uint32_t> positions = {};  ///< (rows), from 0 in each sentence
  RowsByKey by_id = {};                       ///< Of `ids`, for the gradient of the embedding.
  RowsByKey by_position = {};                 ///< Of `positions`, for that of learned positions.
  std::uint32_t first_row = 0;                ///< In the update that the batch is a part of.

  // Of the source, for encoder-only models (data/masked_text.hpp, data/labeled_text.hpp):
  std::vector<std::uint32_t> segments = {};  ///< (rows): 0, and 1 in the second segment.
  RowsByKey by_segment = {};                 ///< Of `segments`.
  std::vector<std::uint32_t> labels = {};    ///< (B): 0: the second segment follows the first.
  std::uint32_t first_sentence = 0;          ///< In the update.
  // Of the target:
  std::vector<std::uint32_t> source_rows = {};  ///< (T): from which each is predicted.

  std::uint32_t rows() const { return static_cast<std::uint32_t>(ids.size()); }
};

/// Sentence pairs; of encoder-only models, sentences and predictions.
struct PackedBatch {
  std::uint32_t sentences = 0;            ///< B
  std::vector<std::uint32_t> pairs;       ///< (B): the sentences in the corpus
  PackedSide source;                      ///< ids: x1 .. xn, end of sentence
  PackedSide target;                      ///< ids: kNoToken, y1 .. ym; none of encoder-only models
  std::vector<std::uint32_t> output_ids;  ///< (T): y1 .. ym, end of sentence
  std::vector<Link> links = {};           ///< By sentence, if the corpus has alignments.

  std::uint32_t target_rows() const { return static_cast<std::uint32_t>(output_ids.size()); }
};

/// Removes all sentences; keeps the memory.
void clear(PackedBatch& batch);

/// `side` with `id` where it has no token.
PackedSide with_start(PackedSide side, std::uint32_t id);

}  // namespace awend::batch
