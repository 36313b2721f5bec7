// Which rows of a sentence attend to which, in a Transformer.  Test:
// tests/unit/model/attention_ranges_test.cpp.
#pragma once

#include <cstdint>

#include "batch/packed_batch.hpp"
#include "model/config.hpp"

namespace awend::model {

/// The rows of `range` to which `row` attends: with attention_window, no others than that many
/// before and after it.  Windows are symmetric, so this also restricts the queries of a key.
batch::RowRange in_window(const Config& config, const batch::RowRange& range, std::uint32_t row);
/// The most rows of a range of self-attention, in sentences of up to `longest` tokens; 0: unknown.
std::uint32_t longest_range(const Config& config, std::uint32_t longest);

/// The rows of a source that encoder-decoder attention includes: all, or all but its end without
/// source_end.  A source without tokens is its end.
batch::RowRange attended_source(const Config& config, const batch::RowRange& source);
/// The rows to which a row of a source attends, which are also the rows that attend to it.  An end
/// that is not attended forms a sentence of its own.
batch::RowRange encoder_range(const Config& config, const batch::RowRange& source,
                              std::uint32_t row);

}  // namespace awend::model
