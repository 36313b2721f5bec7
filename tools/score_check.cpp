#include "score_check.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

#include "cli/option_rules.hpp"
#include "score_metrics.hpp"

namespace awend::tools {
namespace {

using base::UsageError;
using cli::Options;

using Names = cli::OptionNames;
using cli::any_typed;
using cli::check_excludes;
using cli::check_needs;

// Options of metrics, and the metrics that use them.
void check_metrics(const Options& options) {
  const struct {
    Names options, metrics;
  } rows[] = {
      {{"tokenize", "spm-model", "mecab-dictionary", "smooth", "smooth-value", "effective-order",
        "max-order"},
       {"bleu"}},
      {{"lowercase"}, {"bleu", "paper-bleu", "multi-bleu"}},
      {{"chrf-char-order", "chrf-word-order", "chrf-beta", "chrf-lowercase", "chrf-whitespace",
        "chrf-eps-smoothing"},
       {"chrf", "chrf++"}},
      {{"ter-normalized", "ter-no-punct", "ter-asian-support", "ter-case-sensitive"}, {"ter"}},
      {{"brackets-parameters", "brackets-linear", "brackets-damaged"}, {"brackets"}},
      {{"model", "device", "batch-tokens"}, {"comet", "comet-qe"}},
  };
  const auto asked = metric_names(options);
  const auto is_asked = [&](std::string_view name) {
    return std::ranges::find(asked, name) != asked.end();
  };
  const std::string_view mode = options.has("mbr") ? "--mbr " : "--metric ";
  for (const auto& row : rows) {
    if (std::ranges::any_of(row.metrics, is_asked)) continue;
    std::string names;
    for (const auto metric : row.metrics) {
      if (options.has("mbr") && std::ranges::find(kUtilityNames, metric) == std::end(kUtilityNames))
        continue;
      names += base::concat(names.empty() ? "" : ", ", metric);
    }
    for (const auto name : row.options) {
      if (options.has_been_typed(name))
        throw UsageError(base::concat("--", name, " needs ", mode, names));
    }
  }
  for (const std::string_view name : {"comet", "comet-qe"}) {
    if (!is_asked(name)) continue;
    for (const std::string_view needed : {"model", "source"}) {
      if (!options.has_been_typed(needed))
        throw UsageError(base::concat(mode, name, " needs --", needed, " FILE"));
    }
  }
  if (!is_asked("comet") && !is_asked("comet-qe"))
    check_needs(options, {"source"}, {"by-length"},
                options.has("mbr") ? "--mbr comet" : "--by-length or --metric comet");
  if (options.has_been_typed("chrf-word-order") && !is_asked("chrf"))
    throw UsageError("--chrf-word-order needs --metric chrf; chrf++ always uses 2");
}

using Shared = std::initializer_list<std::span<const std::string_view>>;

/// The mode `mode` uses only the options in `own` and `shared`.
void check_mode(const Options& options, std::string_view mode, Names own, Shared shared = {}) {
  for (const cli::Option& option : options.tool().options) {
    if (option.name.empty() || option.name == mode || !options.has_been_typed(option.name))
      continue;
    const auto has_name = [&](const auto& names) {
      return std::ranges::find(names, option.name) != names.end();
    };
    if (!has_name(own) && std::ranges::none_of(shared, has_name))
      throw UsageError(base::concat("--", mode, " and --", option.name, " exclude each other"));
  }
}

// Perplexity is not a metric of translations and uses only a few options.
void check_perplexity(const Options& options) {
  check_mode(options, "perplexity",
             {"alpha", "length-penalty", "word-scores", "replace-invalid", "output", "width"});
}

void check_output_of_choices(const Options& options, std::string_view mode) {
  const auto format = options.text("format");
  if (options.has_been_typed("format") && format != "text" && format != "json")
    throw UsageError(base::concat("--", mode, " supports text and json, not ", format));
  check_excludes(options, "json", {"format"});
}

/// The options of BLEU and chrF.
constexpr std::string_view kOfMetrics[] = {
    "tokenize",       "language-pair",   "spm-model",         "mecab-dictionary",
    "lowercase",      "smooth",          "smooth-value",      "effective-order",
    "max-order",      "chrf-char-order", "chrf-word-order",   "chrf-beta",
    "chrf-lowercase", "chrf-whitespace", "chrf-eps-smoothing"};
/// Those of lists of candidates, and of what is printed.
constexpr std::string_view kOfLists[] = {"candidates", "replace-invalid", "threads",
                                         "output",     "format",          "json"};

void check_mbr(const Options& options) {
  check_mode(options, "mbr",
             {"mbr-scale", "sentence", "model", "batch-tokens", "device", "source", "width"},
             {kOfMetrics, kOfLists});
  check_output_of_choices(options, "mbr");
  check_excludes(options, "sentence", {"json", "format"});
  check_needs(options, {"width"}, {"sentence"}, "--sentence, because --mbr prints texts");
}

// In sacreBLEU -l takes a language pair; here it is a switch, and the pair would become a
// reference.
void check_language_pair(const Options& options) {
  if (!options.flag("lowercase")) return;
  for (const auto& operand : options.operands()) {
    const auto dash = operand.find('-');
    const bool short_words =
        dash >= 2 && dash <= 3 && operand.size() - dash >= 3 && operand.size() - dash <= 4;
    const bool letters = operand.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == operand.npos;
    std::error_code error;
    if (short_words && letters && operand.rfind('-') == dash &&
        !std::filesystem::exists(operand, error)) {
      throw UsageError(base::concat("'", operand,
                                    "' is read as a reference because -l is --lowercase; ",
                                    "did you mean '--language-pair ", operand, "'?"));
    }
  }
}

void check_rerank(const Options& options) {
  check_mode(options, "rerank",
             {"features", "weights", "weights-file", "tune", "tune-starts", "seed", "metric"},
             {kOfMetrics, kOfLists});
  check_output_of_choices(options, "rerank");
  check_excludes(options, "weights", {"weights-file"});
  const bool tunes = options.has("tune");
  if (!tunes && !any_typed(options, {"weights", "weights-file"}))
    throw UsageError("--rerank needs --weights, --weights-file or --tune");
  check_needs(options, {"tune-starts", "seed", "metric", "threads"}, {"tune"}, "--tune");
  for (const auto name : kOfMetrics) check_needs(options, {name}, {"tune"}, "--tune");
  if (!tunes && !options.operands().empty())
    throw UsageError("--rerank without --tune takes no REFERENCE");
  if (!tunes) return;
  if (options.operands().empty()) throw UsageError("--tune needs a REFERENCE");
  const auto metrics = metric_names(options);
  constexpr std::string_view kTuned[] = {"bleu", "chrf", "chrf++"};
  if (metrics.size() != 1 || std::ranges::find(kTuned, metrics.front()) == std::end(kTuned))
    throw UsageError("--tune maximizes one of --metric bleu, chrf or chrf++");
}

}  // namespace

void check_score_options(const Options& options) {
  if (options.flag("perplexity")) return check_perplexity(options);
  if (options.has("mbr")) {
    check_mbr(options);
    return check_metrics(options);
  }
  if (options.flag("rerank")) {
    check_rerank(options);
    return check_metrics(options);
  }
  check_needs(options, {"mbr-scale"}, {"mbr"}, "--mbr");
  check_needs(options, {"candidates"}, {"mbr", "rerank"}, "--mbr or --rerank");
  check_needs(options, {"features", "weights", "weights-file", "tune", "tune-starts"}, {"rerank"},
              "--rerank");
  check_needs(options, {"alpha", "length-penalty", "word-scores"}, {"perplexity"}, "--perplexity");
  check_needs(options, {"confidence-n"}, {"confidence"}, "--confidence");
  check_needs(options, {"paired-bs-n"}, {"paired-bs"}, "--paired-bs");
  check_needs(options, {"paired-ar-n"}, {"paired-ar"}, "--paired-ar");
  check_needs(options, {"seed"}, {"confidence", "paired-bs", "paired-ar"},
              "--confidence, --paired-bs or --paired-ar");
  check_excludes(options, "sentence", {"confidence", "paired-bs", "paired-ar", "json"});
  check_excludes(options, "json", {"format"});
  if (options.has_been_typed("format") && options.text("format") == "tsv")
    check_needs(options, {"width"}, {}, "another --format than tsv");
  check_excludes(options, "by-length",
                 {"sentence", "confidence", "paired-bs", "paired-ar", "short", "score-only"});
  check_needs(options, {"length-bounds"}, {"by-length"}, "--by-length");
  if (options.flag("by-length") && options.has_been_typed("format") &&
      options.text("format") == "latex")
    throw UsageError("--by-length supports text, json and tsv, not latex");
  if (options.flag("sentence") && options.has_been_typed("format") &&
      options.text("format") != "text")
    throw UsageError(
        base::concat("--sentence supports only --format text, not ", options.text("format")));
  check_language_pair(options);
  check_metrics(options);
}

}  // namespace awend::tools
