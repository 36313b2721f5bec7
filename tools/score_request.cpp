#include "score_request.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "cli/option_rules.hpp"
#include "filter_options.hpp"
#include "score_comet.hpp"
#include "score_metrics.hpp"

namespace awend::tools {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Names of systems in the output must differ.  As in sacreBLEU, a paired test ignores a repeated
/// baseline, and other repetitions are an error with status 1.
std::vector<std::string> different_systems(const cli::Options& options) {
  const bool is_test = options.flag("paired-bs") || options.flag("paired-ar");
  std::vector<std::string> systems;
  for (const auto& path : options.each("systems")) {
    std::error_code ignored;
    const auto is_same = [&](const std::string& other) {
      return other == path || (std::filesystem::is_regular_file(path, ignored) &&
                               std::filesystem::equivalent(path, other, ignored));
    };
    if (std::ranges::none_of(systems, is_same)) {
      systems.push_back(path);
    } else if (!is_test || !is_same(systems.front())) {
      base::fail(path, ": already the name of another system");
    }
  }
  return systems;
}

metrics::CorpusFiles files_of(const cli::Options& options) {
  constexpr std::int64_t kMaxColumns = 1000;
  metrics::CorpusFiles files;
  files.systems = different_systems(options);
  if (files.systems.empty()) files.systems = {"-"};
  files.references = options.operands();
  files.system_columns = options.integer<std::size_t>("systems-in-tsv", {1, kMaxColumns});
  files.reference_columns = options.integer<std::size_t>("references-in-tsv", {1, kMaxColumns});
  files.policy = {invalid_utf8_of(options), options.flag("remove-bom")
                                                ? base::ByteOrderMark::kRemove
                                                : base::ByteOrderMark::kKeep};
  if (options.has("source")) files.source = options.text("source");
  for (const auto& path : files.references) {
    if (is_metric_list(path)) {
      throw base::UsageError(base::concat("'", path, "' is a metric: use --metric ", path,
                                          ", or ./", path, " for a file of this name"));
    }
  }
  return files;
}

// The test that the switch `name` requests, with the number of samples given by the option
// `name-n`.
std::optional<metrics::Sampling> sampling_of(const cli::Options& options, const std::string& name,
                                             metrics::Sampling::Kind kind) {
  if (!options.flag(name)) return std::nullopt;
  constexpr std::int64_t kMaxSamples = 10'000'000;
  const auto samples = options.integer<std::uint64_t>(name + "-n", {1, kMaxSamples});
  // As in sacreBLEU, one sample has no interval.
  if (samples == 1 && name == "confidence") return std::nullopt;
  return metrics::Sampling{kind, samples, seed_of(options)};
}

std::optional<metrics::Sampling> paired_test_of(const cli::Options& options) {
  using Kind = metrics::Sampling::Kind;
  const auto bootstrap = sampling_of(options, "paired-bs", Kind::kBootstrap);
  const auto randomization = sampling_of(options, "paired-ar", Kind::kRandomization);
  cli::check_excludes(options, "paired-bs", {"paired-ar"});
  return bootstrap ? bootstrap : randomization;
}

}  // namespace

Format format_of(const cli::Options& options) {
  if (options.flag("json")) return Format::kJson;
  auto name = options.text("format");
  // The environment variable is sacreBLEU's, which ignores case and unknown formats.
  if (options.has_been_typed("format")) return options.choice<kFormatWords>("format");
  std::ranges::transform(name, name.begin(), lower);
  for (const auto& word : kFormatWords) {
    if (word.text == name) return word.value;
  }
  return Format::kText;
}

std::optional<std::uint64_t> seed_of(const cli::Options& options) {
  const auto text = options.text("seed");
  if (std::ranges::equal(text, std::string_view("none"), {}, lower)) return std::nullopt;
  return options.integer<std::uint64_t>("seed", {.min = 0});
}

int digits_of(const cli::Options& options) {
  constexpr int kNeuralDigits = 4;
  if (needs_source(options) && !options.has_been_typed("width")) return kNeuralDigits;
  return options.integer<int>("width", {.min = 0, .max = 20});
}

Request request_of(const cli::Options& options) {
  using metrics::Detail, metrics::EmptyReferences, metrics::SignatureStyle;
  auto files = files_of(options);
  if (needs_source(options)) require_equal_line_counts(files);
  return {
      .metrics = metrics_of(options),
      .files = std::move(files),
      .measuring = {.threads = threads_of(options),
                    .empty_references = options.flag("skip-empty-references")
                                            ? EmptyReferences::kSkip
                                            : EmptyReferences::kCount},
      .confidence = sampling_of(options, "confidence", metrics::Sampling::Kind::kBootstrap),
      .test = paired_test_of(options),
      .format = format_of(options),
      .text = {.digits = digits_of(options),
               .detail = options.flag("score-only") ? Detail::kScoreOnly : Detail::kFull,
               .signature = options.flag("short") ? SignatureStyle::kShort : SignatureStyle::kLong},
  };
}

}  // namespace awend::tools
