#include "score_metrics.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "metrics/bleu.hpp"
#include "metrics/brackets.hpp"
#include "metrics/chrf.hpp"
#include "metrics/paper_bleu.hpp"
#include "metrics/ter.hpp"

namespace awend::tools {
namespace {

using base::Options;
using base::UsageError;

constexpr std::int64_t kMaxOrder = 32;

metrics::Tokenizer tokenizer_of(const Options& options) {
  const auto tokenizer = metrics::tokenizer_named(options.text("tokenize"));
  if (options.text("tokenize").ends_with("-mecab"))
    throw UsageError("option '--tokenize': tokenizers that need MeCab are missing here");
  if (!tokenizer) {
    throw UsageError(base::concat("option '--tokenize': no tokenizer '", options.text("tokenize"),
                                  "', there are 13a, intl, zh, char, none, spm, flores101, "
                                  "flores200 and spBLEU-1K"));
  }
  const bool needs_model = *tokenizer == metrics::Tokenizer::kSentencePiece;
  if (needs_model && !options.has("spm-model")) {
    throw UsageError(base::concat("option '--tokenize': '", options.text("tokenize"),
                                  "' needs a SentencePiece model, given with --spm-model"));
  }
  if (!needs_model && options.has("spm-model")) {
    throw UsageError(base::concat("option '--spm-model': the tokenizer '", options.text("tokenize"),
                                  "' takes no model"));
  }
  return *tokenizer;
}

// A published model has its name; of another one the file's says which it was.
std::string tokenizer_name(const Options& options) {
  const auto name = options.text("tokenize"), path = options.text("spm-model");
  return name == "spm" ? base::concat("spm[", path.substr(path.rfind('/') + 1), "]") : name;
}

metrics::BleuFormula formula_of(const Options& options) {
  const auto smoothing = metrics::smoothing_named(options.text("smooth"));
  if (!smoothing) {
    throw UsageError(base::concat("option '--smooth': no method '", options.text("smooth"),
                                  "', there are none, floor, add-k and exp"));
  }
  metrics::BleuFormula formula{
      .max_order = static_cast<std::size_t>(options.integer("max-order", {1, kMaxOrder})),
      .smoothing = *smoothing,
      .effective_order = options.flag("effective-order") || options.flag("sentence")};
  if (!options.has("smooth-value")) return formula;
  if (*smoothing != metrics::Smoothing::kFloor && *smoothing != metrics::Smoothing::kAddK) {
    throw UsageError(base::concat("option '--smooth-value': the method '", options.text("smooth"),
                                  "' takes no value"));
  }
  formula.smoothing_value = options.real("smooth-value", {.min = 0});
  return formula;
}

std::unique_ptr<metrics::Metric> make_bleu(const Options& options) {
  return std::make_unique<metrics::Bleu>(
      metrics::BleuSettings{.tokenizer = tokenizer_of(options),
                            .letter_case = options.flag("lowercase") ? metrics::LetterCase::kLower
                                                                     : metrics::LetterCase::kMixed,
                            .model_path = options.text("spm-model"),
                            .tokenizer_name = tokenizer_name(options),
                            .formula = formula_of(options)});
}

std::unique_ptr<metrics::Metric> make_chrf(const Options& options) {
  constexpr std::int64_t kMaxBeta = 1000;
  const auto number = [&](std::string_view name, base::IntegerRange range) {
    return static_cast<int>(options.integer(name, range));
  };
  return std::make_unique<metrics::Chrf>(
      metrics::ChrfSettings{.char_order = number("chrf-char-order", {1, kMaxOrder}),
                            .word_order = number("chrf-word-order", {0, kMaxOrder}),
                            .beta = number("chrf-beta", {0, kMaxBeta}),
                            .lowercase = options.flag("chrf-lowercase"),
                            .whitespace = options.flag("chrf-whitespace"),
                            .eps_smoothing = options.flag("chrf-eps-smoothing")});
}

std::unique_ptr<metrics::Metric> make_ter(const Options& options) {
  return std::make_unique<metrics::Ter>(
      metrics::TerSettings{.case_sensitive = options.flag("ter-case-sensitive"),
                           .normalized = options.flag("ter-normalized"),
                           .no_punct = options.flag("ter-no-punct"),
                           .asian_support = options.flag("ter-asian-support")});
}

std::unique_ptr<metrics::Metric> make_counted(const Options& options, bool split_compounds) {
  return std::make_unique<metrics::PaperBleu>(metrics::PaperBleuSettings{
      .split_compounds = split_compounds, .lowercase = options.flag("lowercase")});
}

std::unique_ptr<metrics::Metric> make_paper_bleu(const Options& options) {
  return make_counted(options, true);
}

std::unique_ptr<metrics::Metric> make_multi_bleu(const Options& options) {
  return make_counted(options, false);
}

std::unique_ptr<metrics::Metric> make_brackets(const Options& options) {
  metrics::BracketSettings settings;
  if (options.has("brackets-parameters")) {
    const auto path = options.text("brackets-parameters");
    settings = metrics::read_bracket_settings(base::read_file(path), path);
  }
  if (options.flag("brackets-linear")) settings.form = metrics::TreeForm::kLinearised;
  if (options.flag("brackets-damaged")) settings.damaged = metrics::DamagedTree::kCounted;
  return std::make_unique<metrics::Brackets>(std::move(settings));
}

// One line a metric.
constexpr struct {
  std::string_view name;
  std::unique_ptr<metrics::Metric> (*make)(const Options& options);
} kMetrics[] = {
    {"bleu", make_bleu},
    {"chrf", make_chrf},
    {"ter", make_ter},
    {"paper-bleu", make_paper_bleu},
    {"multi-bleu", make_multi_bleu},
    {"brackets", make_brackets},
};

}  // namespace

metrics::Metrics metrics_of(const Options& options) {
  const auto names = options.list("metric");
  for (const auto& name : names) {
    if (std::ranges::find(kMetrics, name, [](auto row) { return row.name; }) ==
        std::end(kMetrics)) {
      std::string known;
      for (const auto& row : kMetrics) known += base::concat(known.empty() ? "" : ", ", row.name);
      throw UsageError(
          base::concat("option '--metric': no metric '", name, "', there are ", known));
    }
  }
  metrics::Metrics metrics;
  for (const auto& row : kMetrics) {
    if (std::ranges::find(names, row.name) != names.end()) metrics.push_back(row.make(options));
  }
  return metrics;
}

}  // namespace awend::tools
