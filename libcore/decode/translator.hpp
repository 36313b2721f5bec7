// Translates sentences and returns the translations in order.
//
// A sentence that is too long is split into pieces, which are translated separately and joined.
// Sentences are accepted while others are in progress; a translation does not depend on them. Test:
// tests/properties/translation_test.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "decode/decoders.hpp"

namespace awend::decode {

inline constexpr base::Setting kNBest{"the number of translations"};

/// The tokens of languages: the first of a source, and the first that the decoder reads after its
/// start.  The latter is no part of the translation, its length or its score.
struct SentenceLanguages {
  std::optional<std::uint32_t> source = {}, target = {};
};

class Translator {
 public:
  /// The n best translations of a sentence, ids without the end of sentence.
  using Answer = std::vector<Hypothesis>;

  /// Translates with the parameters as they are at each call, also in training.  The models must
  /// outlive the translator.  Throws UsageError for settings that exclude each other.
  Translator(nn::Engine& engine, const Ensemble& ensemble, const TranslatorSettings& settings);

  /// Appends a sentence, without its end.  Its translation starts with `prefix`.  The random
  /// numbers of samples depend on the number of earlier sentences.  Throws Error if a token of the
  /// prefix is not in the shortlist.  Requires: languages only if the settings allow them.
  void put(std::span<const std::uint32_t> sentence, std::span<const std::uint32_t> prefix = {},
           const SentenceLanguages& languages = {});
  /// Numbers the sentences that follow from 0.
  void restart() { next_sentence_ = 0; }
  /// The maximum length of the translation, its end included, of a sentence of this many tokens in
  /// one piece.
  std::uint32_t longest_output(std::size_t tokens) const;
  /// False while enough sentences wait to keep the device busy, or too many answers wait for an
  /// earlier one.
  bool accepts_input() const;
  /// True until all answers are taken.
  bool has_work() const { return !open_.empty(); }
  /// Computes for some milliseconds, unless the next answer is available.  Requires: has_work().
  void step();
  /// The answer for the first sentence whose answer has not been taken, if it is available.  An
  /// empty sentence has one empty translation.
  std::optional<Answer> take();

  /// The answers for all `sentences`, with the languages of each unless there are none.  After a
  /// stop signal, waits until no decoder computes and throws base::Interrupted; the object cannot
  /// be used afterwards.  Requires: !has_work().
  std::vector<Answer> translate(std::span<const std::vector<std::uint32_t>> sentences,
                                std::span<const SentenceLanguages> languages = {});

  /// The most decoders that work at the same time.
  unsigned decoders() const { return decoders_.number(); }
  /// The longest sentence, in tokens without the end, that is translated in one piece.
  std::uint32_t longest_piece() const { return longest_piece_; }

 private:
  /// A sentence in progress, with the available answers of its pieces.
  struct Open {
    std::uint64_t first_piece;
    std::vector<Answer> pieces;
    std::size_t missing;
  };
  TranslatorSettings settings_;
  Shortlist shortlist_;
  SearchCapacity capacity_;  // of each decoder
  Decoders decoders_;
  std::uint32_t longest_piece_;
  std::set<std::uint32_t> masked_ids_;  // of any model
  std::uint64_t next_piece_ = 0;
  std::uint64_t next_sentence_ = 0;
  std::deque<Open> open_;
};

}  // namespace awend::decode
