// The first input of the decoder as a token: its rows in a packed batch.  Test:
// tests/unit/model/start_rows_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/packed_batch.hpp"

namespace awend::model {

/// The target of a batch with a start token in place of no token at the beginning of each sentence.
/// Keeps its memory from one batch to the next.
class StartRows {
 public:
  /// `target` with the token in ids and by_id, for as long as the object and `target` exist and
  /// until the next call.
  PackedSide with_start(const PackedSide& target, std::uint32_t start_id);

 private:
  std::vector<std::uint32_t> ids_, keys_, begins_, rows_;
};

}  // namespace awend::model
