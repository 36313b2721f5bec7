#include "sentencepiece_options.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "learning.hpp"

namespace awend::tools {
namespace {

using text::SentencePieceTraining;
using Type = SentencePieceTraining::Type;

Type type_of(const cli::Options& options) {
  const std::string name = options.text("type");
  for (const auto& word : kSentencePieceTypes) {
    if (name == word.text) return word.value;
  }
  throw base::UsageError(base::concat(
      "--format sentencepiece supports --type bpe, unigram, word and char, not ", name));
}

std::string normalization_of(const cli::Options& options) {
  std::string rule = options.has("normalize") ? options.text("normalize") : "nmt_nfkc";
  if (rule == "identity") rule = "none";
  if (std::ranges::find(kSentencePieceNormalizations, rule) ==
      std::end(kSentencePieceNormalizations)) {
    throw base::UsageError(
        base::concat("--format sentencepiece supports --normalize nmt_nfkc, nfkc, nmt_nfkc_cf, ",
                     "nfkc_cf and none, not ", rule));
  }
  if (!options.flag("lowercase") || rule.ends_with("_cf"))
    return rule == "none" ? "identity" : rule;
  if (rule == "none")
    throw base::UsageError(
        "--format sentencepiece supports --lowercase with --normalize nmt_nfkc and nfkc, not none");
  return rule + "_cf";
}

text::SpecialPiece special_piece(const cli::Options& options, const std::string& name) {
  text::SpecialPiece piece{std::nullopt, options.text(name + "-piece")};
  const auto id = options.integer(name + "-id", {-1, kMaxIds});
  if (id >= 0) piece.id = static_cast<std::uint32_t>(id);
  if (id < 0 && options.has(name + "-piece"))
    throw base::UsageError(base::concat("--", name, "-piece needs --", name, "-id"));
  return piece;
}

/// The ids of special pieces are different ones of the vocabulary.
void check_ids(const SentencePieceTraining& settings) {
  const std::pair<std::string_view, const text::SpecialPiece*> pieces[] = {
      {"unk-id", &settings.unknown},
      {"bos-id", &settings.begin_of_sentence},
      {"eos-id", &settings.end_of_sentence},
      {"pad-id", &settings.padding}};
  std::map<std::uint32_t, std::string_view> names;
  for (const auto& [name, piece] : pieces) {
    if (!piece->id) continue;
    if (*piece->id >= settings.size) {
      throw base::UsageError(base::concat("option '--", name, "': must be below --size ",
                                          settings.size, ", got ", *piece->id));
    }
    const auto [known, is_new] = names.emplace(*piece->id, name);
    if (!is_new) {
      throw base::UsageError(
          base::concat("--", known->second, " and --", name, " are both ", *piece->id));
    }
  }
}

}  // namespace

SentencePieceTraining sentencepiece_settings(const cli::Options& options) {
  SentencePieceTraining settings{
      .type = type_of(options),
      .size = options.integer<std::uint32_t>("size", {1, kMaxIds}),
      .character_coverage = options.real("character-coverage", {0.98, 1}),
      .byte_fallback = options.flag("byte-fallback"),
      .split_digits = options.flag("split-digits"),
      .normalization = normalization_of(options),
      .user_symbols = options.list("user-symbols"),
      .control_symbols = options.list("control-symbols"),
      .unknown = special_piece(options, "unk"),
      .begin_of_sentence = special_piece(options, "bos"),
      .end_of_sentence = special_piece(options, "eos"),
      .padding = special_piece(options, "pad")};
  if (options.has("unk-surface")) settings.unknown_surface = options.text("unk-surface");
  if (!settings.unknown.id) throw base::UsageError("option '--unk-id' must be at least 0, got -1");
  check_ids(settings);
  return settings;
}

LineSampling line_sampling(const cli::Options& options) {
  LineSampling sampling;
  sampling.lines = options.integer<std::size_t>("input-sentence-size",
                                                {0, std::numeric_limits<std::int64_t>::max()});
  if (options.has("shuffle-input-sentence") && sampling.lines == 0)
    throw base::UsageError("--shuffle-input-sentence needs --input-sentence-size");
  sampling.choice = options.choice<kShuffleWords>("shuffle-input-sentence");
  return sampling;
}

}  // namespace awend::tools
