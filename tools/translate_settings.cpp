#include "translate_settings.hpp"

#include <utility>

#include "base/numbers.hpp"
#include "cli/option_rules.hpp"
#include "filter_options.hpp"
#include "precision_option.hpp"
#include "shortlist_option.hpp"

namespace awend::tools {
namespace {

std::optional<decode::SamplingSettings> sampling_of(const cli::Options& options) {
  if (!options.flag("sample")) {
    cli::check_needs(options, {"temperature", "top-k", "top-p", "seed"}, {"sample"}, "--sample");
    return std::nullopt;
  }
  if (options.has("beam-size"))
    throw base::UsageError(
        "--sample and --beam-size exclude each other; --n-best sets the number of samples");
  return decode::SamplingSettings{
      .temperature = options.real("temperature", decode::kTemperatureRange),
      .top_k = options.integer<std::uint32_t>("top-k", decode::kTopKRange),
      .top_p = options.real("top-p", decode::kTopPRange),
      .seed = options.integer<std::uint64_t>("seed", {.min = 0})};
}

decode::EnsembleSettings ensemble_settings(const cli::Options& options) {
  return {.mixing = options.choice<kMixingWords>("ensemble"),
          .weights = options.reals("ensemble-weights", decode::kEnsembleWeightRange)};
}

void apply_options(const cli::Options& options, decode::TranslatorSettings& settings) {
  auto& search = settings.search;
  apply(options, decode::search_fields(), search);
  if (options.has("n-best"))
    search.n_best = options.integer<std::uint32_t>("n-best", decode::kNBestRange);
  search.sampling = sampling_of(options);
  settings.longest_piece =
      options.integer<std::uint32_t>("max-input-length", decode::kLongestPieceRange);
  if (options.has("batch-tokens"))
    settings.batch_tokens =
        options.integer<std::uint32_t>("batch-tokens", decode::kBatchTokensRange);
}

}  // namespace

void add_search_options(OptionTable& table) {
  table.add(decode::search_fields());
}

decode::OpenOptions open_options_of(const cli::Options& options, const base::Report& report) {
  auto shortlist = shortlist_file_of(options);
  shortlist.invalid = invalid_utf8_of(options);
  return {
      .device = device_options_of(options),
      .languages = {.source = options.text("source-language"),
                    .target = options.text("target-language")},
      .ensemble = ensemble_settings(options),
      .shortlist = std::move(shortlist),
      .settings =
          [&options](decode::TranslatorSettings& settings) { apply_options(options, settings); },
      .report = &report};
}

decode::Output output_of(const cli::Options& options) {
  const bool json = options.flag("json"), n_best = options.has("n-best") && !json,
             words = options.flag("word-scores"), scores = options.flag("scores");
  if (json + n_best + words + (scores && !n_best) > 1)
    throw base::UsageError("--scores, --word-scores, --n-best and --json exclude each other");
  if (options.flag("raw") && words) {
    throw base::UsageError(
        "--raw and --word-scores exclude each other; use --json for the scores of tokens");
  }
  if (json) return decode::Output::kJson;
  if (n_best) return decode::Output::kNBest;
  if (words) return decode::Output::kWordScores;
  return scores ? decode::Output::kScores : decode::Output::kText;
}

}  // namespace awend::tools
