// What a search gives a model: sources and hypotheses.
//
// All of it is plain spans.  An architecture derives from ids and offsets what its kernels need.
#pragma once

#include <cstdint>
#include <span>

#include "batch/packed_batch.hpp"

namespace awend::model {

/// A sentence that enters a search.
struct SourceSentence {
  std::span<const std::uint32_t> ids;  ///< With the end of the sentence.
  std::uint32_t first_row;             ///< The first of its consecutive rows in the source cache.
};

/// One hypothesis that a step extends.
struct StepRow {
  std::uint32_t last_id;   ///< batch::kNoToken before the first token.
  batch::RowRange source;  ///< The rows of its sentence in the source cache.
  batch::RowRange past;    ///< Of StepRows::cache_rows: one row for each of its tokens, the new row
                           ///< of the last one included.
};

/// The hypotheses of a step, of any sentences and lengths.  A cache row belongs to one token of one
/// or several hypotheses: keys and values of an attention, or the state after that token.
struct StepRows {
  std::span<const StepRow> rows;
  std::span<const std::uint32_t> cache_rows;
};

}  // namespace awend::model
