// A model over packed batches with given targets, all positions at once: training, validation and
// forced scoring.  See model/seq2seq.hpp.
#pragma once

#include <cstdint>

#include "model/batch_loss.hpp"

namespace awend::model {

/// A model over packed batches with given targets, in one graph.  encode() and decode(), or loss(),
/// append it once; then write() comes before each replay.
class TeacherForcing : public BatchLoss {
 public:
  /// Appends the encoder.
  virtual void encode() = 0;
  /// Appends the decoder after the encoder.  Returns its output before the projection to the
  /// vocabulary, (target rows, d_model); row_of() gives the row of each target token.
  virtual nn::Tensor decode() = 0;
};

}  // namespace awend::model
