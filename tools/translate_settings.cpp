#include "translate_settings.hpp"

#include <limits>

namespace awend::tools {
namespace {

std::uint32_t count_of(const cli::Options& options, std::string_view name, std::int64_t least,
                       std::int64_t most) {
  return static_cast<std::uint32_t>(options.integer(name, {.min = least, .max = most}));
}

std::optional<decode::SamplingSettings> sampling_of(const cli::Options& options) {
  if (!options.flag("sample")) {
    for (const auto* name : {"temperature", "top-k", "top-p", "seed"}) {
      if (options.has(name)) throw base::UsageError(base::concat("--", name, " needs --sample"));
    }
    return std::nullopt;
  }
  if (options.has("beam-size"))
    throw base::UsageError(
        "--sample and --beam-size exclude each other; --n-best sets the number of samples");
  return decode::SamplingSettings{
      .temperature = options.real("temperature", {.min = 0, .max = 1e6}),
      .top_k = count_of(options, "top-k", 0, 1'000'000'000),
      .top_p = options.real("top-p", {.min = 1e-9, .max = 1}),
      .seed = static_cast<std::uint64_t>(options.integer("seed", {.min = 0}))};
}

}  // namespace

decode::LengthPenalty length_penalty_of(const cli::Options& options) {
  return options.choice<kLengthPenaltyWords>("length-penalty");
}

decode::EnsembleSettings ensemble_settings(const cli::Options& options) {
  return {.mixing = options.choice<kMixingWords>("ensemble"),
          .weights = options.reals("ensemble-weights", {.min = 0, .max = 1e6})};
}

decode::TranslatorSettings translator_settings(const cli::Options& options) {
  decode::TranslatorSettings settings;
  auto& search = settings.search;
  search.beam_size = count_of(options, "beam-size", 1, 100'000);
  search.alpha = options.real("alpha", {.min = 0, .max = 100});
  search.length_penalty = length_penalty_of(options);
  search.max_length_ratio = options.real("max-length-ratio", {.min = 0, .max = 1000});
  search.max_length_extra = count_of(options, "max-length-extra", 0, 1'000'000);
  search.rules.min_length_ratio = options.real("min-length-ratio", {.min = 0, .max = 1000});
  search.rules.min_length_extra = count_of(options, "min-length-extra", 0, 1'000'000);
  search.rules.no_repeat_ngram = count_of(options, "no-repeat-ngram", 0, 1000);
  search.rules.repetition_penalty = options.real("repetition-penalty", {.min = 0.01, .max = 100});
  search.rules.unknown_penalty = options.real("unknown-penalty", {.min = -1e6, .max = 1e6});
  if (options.has("n-best")) search.n_best = count_of(options, "n-best", 1, 100'000);
  search.unknown_token = options.choice<kUnknownTokenWords>("unknown-tokens");
  search.sampling = sampling_of(options);
  if (search.sampling) {
    search.beam_size = search.n_best;
    // The others share its probability.
    if (search.unknown_token == decode::UnknownTokenUse::kExcluded)
      search.rules.unknown_penalty = std::numeric_limits<double>::infinity();
  }
  settings.longest_piece = count_of(options, "max-input-length", 1, 60'000);
  if (options.has("batch-tokens"))
    settings.batch_tokens = count_of(options, "batch-tokens", 1, 1'000'000);
  return settings;
}

decode::Output output_of(const cli::Options& options) {
  const bool json = options.flag("json"), n_best = options.has("n-best") && !json,
             words = options.flag("word-scores"), scores = options.flag("scores");
  if (json + n_best + words + (scores && !n_best) > 1)
    throw base::UsageError("--scores, --word-scores, --n-best and --json exclude each other");
  if (json) return decode::Output::kJson;
  if (n_best) return decode::Output::kNBest;
  if (words) return decode::Output::kWordScores;
  return scores ? decode::Output::kScores : decode::Output::kText;
}

}  // namespace awend::tools
