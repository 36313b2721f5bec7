// Sentences in, their best translations out: batches by length, beam search, long sentences in
// pieces.
//
// A sentence beyond the longest that a batch can hold is cut into pieces, each translated by
// itself, and the translations are joined: nothing is dropped.  The answer for a sentence does not
// depend on its neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "decode/beam.hpp"
#include "decode/stepper.hpp"

namespace awend::decode {

struct TranslatorSettings {
  SearchSettings search;
  std::uint32_t batch_tokens = 4096;  ///< Source tokens of a batch.
  nn::Element precision = nn::Element::kFloat32;
  std::uint32_t end_of_sentence = 1;  // the vocabulary's id of it
};

class Translator {
 public:
  /// Throws Error if the checkpoint holds no model, UsageError for settings that cannot be.
  Translator(nn::Engine& engine, const store::ArrayFile& checkpoint,
             const TranslatorSettings& settings);
  /// Translates with parameters that are on the device, as they are at each call, in their own
  /// precision: the validation of a training.  They must outlive the translator.
  Translator(nn::Engine& engine, nn::Parameters& parameters, const model::Transformer& transformer,
             const TranslatorSettings& settings);

  /// The n best translations of each sentence (ids without the end of sentence), in the same order.
  /// An empty sentence has one empty translation.
  std::vector<std::vector<Hypothesis>> translate(
      std::span<const std::vector<std::uint32_t>> sentences);

  /// The longest sentence, in tokens without the end, that is translated in one piece.
  std::uint32_t longest_piece() const { return longest_piece_; }

 private:
  struct Piece {
    std::size_t sentence;
    std::vector<std::uint32_t> ids;  // with the end of sentence
  };
  std::vector<Piece> cut(std::span<const std::vector<std::uint32_t>> sentences) const;
  std::uint32_t longest_output(const Piece& piece) const;
  std::vector<std::vector<Hypothesis>> translate_batch(std::span<const Piece> batch);

  Translator(nn::Engine& engine, std::unique_ptr<LoadedModel> model,
             const TranslatorSettings& settings);

  TranslatorSettings settings_;
  std::unique_ptr<LoadedModel> model_;  // where the translator has its own
  Stepper stepper_;
  std::uint32_t most_steps_ = 0;
  std::uint32_t longest_piece_ = 0;
};

}  // namespace awend::decode
