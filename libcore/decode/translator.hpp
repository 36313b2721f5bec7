// Sentences in, their best translations out, in order; long sentences in pieces.
//
// A sentence beyond the longest piece is cut into pieces, each translated by itself, and the
// translations are joined: nothing is dropped.  Sentences are taken while others are in work, and
// the answer for one does not depend on the others, nor on how many are in work at once.  Test:
// tests/properties/translation_test.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "decode/batch.hpp"
#include "decode/stepper.hpp"

namespace awend::decode {

inline constexpr base::Setting kNBest{"the number of translations"};

struct TranslatorSettings {
  SearchSettings search;
  std::uint32_t batch_tokens = 0;      ///< Source tokens in work; 0: what memory is good for.
  std::uint32_t longest_piece = 1024;  ///< Tokens; a longer sentence is cut.
  nn::Element precision = nn::Element::kFloat32;
  SpecialIds special{};                       ///< The vocabulary's ids of them.
  EnsembleSettings ensemble{};                ///< Of several models.
  std::vector<std::uint32_t> shortlist = {};  ///< Tokens that may be said; none: all.
};

class Translator {
 public:
  /// The n best translations of a sentence, ids without the end of sentence.
  using Answer = std::vector<Hypothesis>;

  /// Throws Error if the checkpoint holds no model, UsageError for settings that cannot be.
  Translator(nn::Engine& engine, const store::ArrayFile& checkpoint,
             const TranslatorSettings& settings);
  /// Translates with several models together.  Requires: one at least.
  Translator(nn::Engine& engine, std::vector<std::unique_ptr<LoadedModel>> models,
             const TranslatorSettings& settings);
  /// Translates with parameters that are on the device, as they are at each call, in their own
  /// precision: the validation of a training.  They must outlive the translator.
  Translator(nn::Engine& engine, nn::Parameters& parameters, const model::Transformer& transformer,
             const TranslatorSettings& settings);

  /// Takes a sentence, without its end, behind those before.  Its translation begins with `prefix`.
  /// Samples are drawn by the number of sentences before.  Throws Error if the prefix has a token
  /// that a shortlist lacks.
  void put(std::span<const std::uint32_t> sentence, std::span<const std::uint32_t> prefix = {});
  /// The most tokens, its end counted, that a sentence of so many tokens becomes in one piece.
  std::uint32_t longest_output(std::size_t tokens) const;
  /// False while what waits keeps the device busy, or too many answers wait for an earlier one.
  bool wants_more() const;
  /// True while a sentence is unanswered or its answer not taken.
  bool works() const { return !open_.empty(); }
  /// Lets the device take one step, unless the next answer is there.  Requires: works().
  void step();
  /// The answer for the first sentence whose answer was not taken, once it is known.  An empty
  /// sentence has one empty translation.
  std::optional<Answer> take();

  /// The answers for all `sentences`.  Requires: !works().
  std::vector<Answer> translate(std::span<const std::vector<std::uint32_t>> sentences);

  /// The longest sentence, in tokens without the end, that is translated in one piece.
  std::uint32_t longest_piece() const { return longest_piece_; }

 private:
  /// A sentence in work: the answers of its pieces, as far as they are known.
  struct Open {
    std::uint64_t first_piece;
    std::vector<Answer> pieces;
    std::size_t missing;
  };
  Translator(nn::Engine& engine, const Ensemble& ensemble, const TranslatorSettings& settings);

  TranslatorSettings settings_;
  Shortlist shortlist_;
  std::vector<std::unique_ptr<LoadedModel>> models_;  // where the translator has its own
  Stepper stepper_;
  Batch batch_;
  std::uint32_t longest_piece_;
  std::uint64_t next_piece_ = 0;
  std::uint64_t next_sentence_ = 0;
  std::deque<Open> open_;
};

}  // namespace awend::decode
