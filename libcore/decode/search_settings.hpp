// Settings of a search.  A checkpoint may contain some, by the names in the table: how its model is
// translated unless the caller decides otherwise.
//
// Test: tests/unit/decode/search_settings_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/field.hpp"
#include "decode/special_ids.hpp"
#include "store/stored_settings.hpp"

namespace awend::decode {

class SentenceShortlist;

struct LogitRuleSettings {
  double min_length_ratio = 0;         ///< Minimum length: this times the source's tokens …
  std::uint32_t min_length_extra = 0;  ///< … plus this.
  std::uint32_t no_repeat_ngram = 0;   ///< No n-gram of this length is repeated; 0: off.
  double repetition_penalty = 1;       ///< For tokens already in the output, Keskar et al. (2019).
  double unknown_penalty = 0;          ///< Subtracted from the logit of the unknown token.

  /// The minimum length of the output, without the end, for a source of this many tokens.
  std::uint32_t shortest(std::uint32_t source_tokens) const;
  bool operator==(const LogitRuleSettings&) const = default;
};

/// Sampling instead of beam search.
struct SamplingSettings {
  double temperature = 1;   ///< 0: the most probable token.
  std::uint32_t top_k = 0;  ///< Only the K most probable tokens; 0: all.
  double top_p = 1;         ///< Of those, the smallest set with this total probability.
  std::uint64_t seed = 1;
};

/// kGnmt: ((5 + length) / 6)^alpha, of the paper; kPower: length^alpha, of other toolkits.
enum class LengthPenalty { kGnmt, kPower };
inline constexpr base::Word<LengthPenalty> kLengthPenaltyWords[] = {
    {LengthPenalty::kGnmt, "gnmt"}, {LengthPenalty::kPower, "power"}};

/// Whether beam search produces the unknown token.  Marian excludes it after the softmax, so that
/// the probabilities of the other tokens stay those of the model.
enum class UnknownTokenUse { kAllowed, kExcluded };

struct SearchSettings {
  std::uint32_t beam_size = 4;
  double alpha = 0.6;
  LengthPenalty length_penalty = LengthPenalty::kGnmt;
  double max_length_ratio = 1;
  std::uint32_t max_length_extra = 50;
  std::uint32_t n_best = 1;  ///< Translations of a line; at most the beam size.
  UnknownTokenUse unknown_token = UnknownTokenUse::kAllowed;
  LogitRuleSettings rules{};
  /// n_best is then the number of samples.
  std::optional<SamplingSettings> sampling = std::nullopt;
  /// The number of tokens of each output, whose end is certain; see model::Seq2Seq.  Set by the
  /// translator.
  std::optional<std::uint32_t> output_length = std::nullopt;

  /// The maximum length of the output, end included, for a source of `source_tokens`, end excluded.
  std::uint32_t longest(std::uint32_t source_tokens) const;
  /// Continuations considered for each hypothesis.  A beam of one considers only the best, which is
  /// greedy search: an end of sentence in second place does not finish it.
  std::uint32_t considered() const { return sampling || beam_size == 1 ? 1 : 2 * beam_size; }
  /// Tokens selected for each hypothesis: one more for each that may be excluded.
  std::uint32_t candidates() const {
    if (sampling) return considered();
    return considered() + (unknown_token == UnknownTokenUse::kExcluded ? 1 : 0) +
           (output_length ? 1 : 0);
  }
};

struct TranslatorSettings {
  SearchSettings search;
  std::uint32_t batch_tokens = 0;             ///< Source tokens in flight; 0: chosen by memory.
  std::uint32_t longest_piece = 1024;         ///< Tokens; longer sentences are split.
  SpecialIds special{};                       ///< Their ids in the vocabulary.
  std::vector<std::uint32_t> shortlist = {};  ///< Allowed tokens; empty: all.
  /// For each sentence its own allowed tokens; null: as above.  It must outlive the translator.
  const SentenceShortlist* sentence_shortlist = nullptr;
  std::uint32_t language_tokens = 0;  ///< 1 if sentences may have SentenceLanguages.
};

/// The settings that a model may have; those of a request, such as n_best, are not among them.
std::span<const base::Field<SearchSettings>> search_fields();

/// Sets what a checkpoint contains.  Throws Error naming the setting if it is unknown, or if its
/// value is not in its domain.
void apply_stored(const store::Settings& stored, SearchSettings& settings);

/// The values of the settings that are not search_fields().
inline constexpr base::IntegerRange kNBestRange{1, 100'000}, kTopKRange{0, 1'000'000'000},
    kLongestPieceRange{1, 60'000}, kBatchTokensRange{1, 1'000'000};
inline constexpr base::RealRange kTemperatureRange{0, 1e6}, kTopPRange{1e-9, 1};

/// Throws UsageError naming the first setting whose value is not in its domain.
void require_valid(const TranslatorSettings& settings);

/// Derives the settings of a sampling from its own: each sample is a hypothesis, and an excluded
/// token has probability 0.
void complete_sampling(SearchSettings& settings);

}  // namespace awend::decode
