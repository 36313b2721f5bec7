// What a SentencePiece model contains in addition to the pieces of a text: special pieces, and the
// settings of its trainer and normalizer, as the trainer of the library writes them.
//
// Test: tests/unit/text/sentencepiece/pair_trainer_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/sentencepiece/trainer.hpp"

namespace awend::text {

/// A model with the special pieces and settings of this training, whose other pieces mean nothing.
std::string sentencepiece_frame(const SentencePieceTraining& settings);

/// What differs from the frame.
struct FrameChanges {
  SentencePieceTraining::Type type;
  double character_coverage;
  std::size_t size;
};
/// Appends the settings of the frame, with these changes, to a model.
void append_frame(std::string_view frame, const FrameChanges& changes, std::string& model);

}  // namespace awend::text
