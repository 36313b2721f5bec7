// What the host gives a model: a packed batch with its target, and the sources and hypotheses of a
// search.
//
// All of it is plain spans, so that model does not depend on corpora.  An architecture derives from
// ids and offsets what its kernels need.  Rows are tokens; sentences are packed end to end without
// padding, and each ends with the end of the sentence.
#pragma once

#include <cstdint>
#include <span>

namespace awend::model {

/// The id of no token: its embedding is the zero vector.  The same number as NO_TOKEN of the
/// kernels.
inline constexpr std::uint32_t kNoToken = 0xFFFFFFFF;

/// The rows [begin, end).
struct RowRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const RowRange&) const = default;
};

/// Rows grouped by a key such as a token id: key keys[i] has rows[begins[i] .. begins[i + 1]).
struct RowsByKey {
  std::span<const std::uint32_t> keys;    ///< (K), ascending
  std::span<const std::uint32_t> begins;  ///< (K + 1)
  std::span<const std::uint32_t> rows;    ///< (N), ascending within a key
};

/// One side of a batch of B sentences.
struct PackedSide {
  std::span<const std::uint32_t> ids;  ///< (rows): what the model reads.
  std::span<const std::uint32_t>
      begins;  ///< (B + 1): the first row of each sentence, then the number of rows.
  std::span<const std::uint32_t> positions;  ///< (rows), from 0 in each sentence
  RowsByKey by_id;                           ///< Of `ids`; rows without a token are left out.
  RowsByKey by_position;                     ///< Of `positions`.
  std::uint32_t first_row = 0;               ///< In the update that the batch is a part of.

  // Of the source, for encoder-only models:
  std::span<const std::uint32_t> segments = {};  ///< (rows): 0, and 1 in the second segment.
  RowsByKey by_segment = {};                     ///< Of `segments`.
  std::span<const std::uint32_t> labels = {};    ///< (B): see model/encoder.hpp.
  std::uint32_t first_sentence = 0;              ///< In the update.
  // Of the target:
  std::span<const std::uint32_t> source_rows = {};  ///< (rows): from which each is predicted.

  std::uint32_t rows() const { return static_cast<std::uint32_t>(ids.size()); }
};

/// Sentence pairs.
struct PackedBatch {
  PackedSide source;                          ///< ids: x1 .. xn, end of sentence
  PackedSide target;                          ///< ids: no token, y1 .. ym
  std::span<const std::uint32_t> output_ids;  ///< (target rows): y1 .. ym, end of sentence
};

/// A sentence that enters a search.
struct SourceSentence {
  std::span<const std::uint32_t> ids;  ///< With the end of the sentence.
  std::uint32_t first_row;             ///< The first of its consecutive rows in the source cache.
};

/// One hypothesis that a step extends.
struct StepRow {
  std::uint32_t last_id;  ///< NO_TOKEN before the first token.
  RowRange source;        ///< The rows of its sentence in the source cache.
  RowRange past;  ///< Of StepRows::cache_rows: one row for each of its tokens, the new row of the
                  ///< last one included.
};

/// The hypotheses of a step, of any sentences and lengths.  A cache row belongs to one token of one
/// or several hypotheses: keys and values of an attention, or the state after that token.
struct StepRows {
  std::span<const StepRow> rows;
  std::span<const std::uint32_t> cache_rows;
};

}  // namespace awend::model
