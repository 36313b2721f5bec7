#include "sentencepiece_options.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "learning.hpp"

namespace awend::tools {
namespace {

using text::SentencePieceTraining;
using Type = SentencePieceTraining::Type;

Type type_of(const cli::Options& options) {
  constexpr std::pair<std::string_view, Type> kTypes[] = {{"bpe", Type::kBpe},
                                                          {"unigram", Type::kUnigram},
                                                          {"word", Type::kWord},
                                                          {"char", Type::kCharacter}};
  const std::string name = options.text("type");
  for (const auto& [known, type] : kTypes) {
    if (name == known) return type;
  }
  throw base::UsageError(base::concat(
      "--format sentencepiece supports --type bpe, unigram, word and char, not ", name));
}

std::string normalization_of(const cli::Options& options) {
  constexpr std::string_view kRules[] = {"nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity"};
  std::string rule = options.has("normalize") ? options.text("normalize") : "nmt_nfkc";
  if (rule == "none") rule = "identity";
  if (std::ranges::find(kRules, rule) == std::end(kRules)) {
    throw base::UsageError(
        base::concat("--format sentencepiece supports --normalize nmt_nfkc, nfkc, nmt_nfkc_cf, ",
                     "nfkc_cf and none, not ", rule));
  }
  if (!options.flag("lowercase") || rule.ends_with("_cf")) return rule;
  if (rule == "identity")
    throw base::UsageError(
        "--format sentencepiece supports --lowercase with --normalize nmt_nfkc and nfkc, not none");
  return rule + "_cf";
}

text::SpecialPiece special_piece(const cli::Options& options, const std::string& name) {
  text::SpecialPiece piece{std::nullopt, options.text(name + "-piece")};
  const auto id = options.integer(name + "-id", {-1, kMostIds});
  if (id >= 0) piece.id = static_cast<std::uint32_t>(id);
  return piece;
}

}  // namespace

SentencePieceTraining sentencepiece_settings(const cli::Options& options) {
  SentencePieceTraining settings{
      .type = type_of(options),
      .size = static_cast<std::uint32_t>(options.integer("size", {1, kMostIds})),
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
  return settings;
}

LineSampling line_sampling(const cli::Options& options) {
  LineSampling sampling;
  sampling.lines = static_cast<std::size_t>(
      options.integer("input-sentence-size", {0, std::numeric_limits<std::int64_t>::max()}));
  const std::string shuffle = options.text("shuffle-input-sentence");
  if (shuffle != "true" && shuffle != "false")
    throw base::UsageError(base::concat(
        "option '--shuffle-input-sentence' must be true or false, got '", shuffle, "'"));
  if (options.has("shuffle-input-sentence") && sampling.lines == 0)
    throw base::UsageError("--shuffle-input-sentence needs --input-sentence-size");
  if (shuffle == "false") sampling.choice = LineSampling::Choice::kFirst;
  return sampling;
}

}  // namespace awend::tools
