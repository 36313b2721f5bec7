// Runs an encoder-only model over lines.
//
// On the processor several programs, each with one thread, encode batches at the same time, and on
// a GPU one.  The result of a line does not depend on the lines next to it, nor on the number of
// threads.  Test: tests/properties/bert_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "decode/encoder_program.hpp"

namespace awend::decode {

class SentenceEncoder {
 public:
  /// Compiles the model.  Model and engine must outlive the object.  Throws Error if a limit of
  /// the device does not allow the settings.
  SentenceEncoder(nn::Engine& engine, const model::EncoderView& model,
                  const EncoderSettings& settings);

  /// The most tokens of a line, special ones included.
  std::uint32_t longest() const { return longest_; }
  /// Encodes lines; the result is in their order.  Computes with the parameters as they are.
  /// Throws base::Interrupted after a stop signal.  Requires: no line is longer than longest().
  std::vector<EncodedLine> encode(std::span<const data::EncoderLine> lines);

 private:
  using Lines = std::span<const data::EncoderLine>;
  std::vector<Lines> batches_of(Lines lines) const;
  std::vector<EncodedLine> encode_divided(Lines lines);
  void add_program();
  std::size_t programs_for(std::size_t count);

  nn::Engine& engine_;
  model::EncoderView model_;
  EncoderSettings settings_;
  unsigned threads_;
  std::uint32_t longest_;
  EncoderCapacity capacity_;
  std::vector<std::unique_ptr<EncoderProgram>> programs_;
};

}  // namespace awend::decode
