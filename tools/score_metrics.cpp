#include "score_metrics.hpp"

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "base/format.hpp"
#include "metrics/alignment_error_rate.hpp"
#include "metrics/bleu/bleu.hpp"
#include "metrics/bleu/paper_bleu.hpp"
#include "metrics/brackets/brackets.hpp"
#include "metrics/chrf/chrf.hpp"
#include "metrics/ter/ter.hpp"
#include "score_comet.hpp"

namespace awend::tools {
namespace {

using base::UsageError;
using cli::Options;
using metrics::kMaxOrder;

// The tokenizers that sacreBLEU prefers for a target language.
std::string tokenizer_for_pair(const std::string& pair) {
  const auto dash = pair.find('-');
  if (dash == pair.npos || dash == 0 || dash + 1 == pair.size())
    throw UsageError(
        base::concat("option '--language-pair': expected a pair such as en-de, got '", pair, "'"));
  // As in sacreBLEU, a region is ignored: zh-CN.
  const auto target = pair.substr(dash + 1, pair.find('-', dash + 1) - dash - 1);
  if (target == "zh") return "zh";
  return target == "ja" || target == "ko" ? target + "-mecab" : "13a";
}

std::string tokenizer_text(const Options& options) {
  if (options.has("tokenize") || !options.has("language-pair")) return options.text("tokenize");
  return tokenizer_for_pair(options.text("language-pair"));
}

metrics::BleuTokenizer tokenizer_of(const std::string& name) {
  if (const auto tokenizer = metrics::tokenizer_named(name)) return *tokenizer;
  const bool test_set = name.starts_with("wmt") || name.starts_with("iwslt");
  if (test_set) {
    throw UsageError(
        base::concat("option '--tokenize': unknown tokenizer '", name,
                     "'; test sets are not downloaded, give their references as files"));
  }
  cli::require_choice("tokenize", name, base::texts_of<kTokenizerNames>);
  return *metrics::tokenizer_named(name);
}

// The SentencePiece model, or the dictionary of MeCab.
std::string model_path(const Options& options, const std::string& name,
                       metrics::BleuTokenizer tokenizer) {
  using metrics::BleuTokenizer;
  const struct {
    BleuTokenizer tokenizer;
    std::string_view option, what;
  } rows[] = {{BleuTokenizer::kSentencePiece, "spm-model", "model"},
              {BleuTokenizer::kMecab, "mecab-dictionary", "dictionary"}};
  for (const auto& row : rows) {
    if (tokenizer != row.tokenizer && options.has(row.option)) {
      throw UsageError(base::concat("option '--", row.option, "': the tokenizer '", name,
                                    "' takes no ", row.what));
    }
    if (tokenizer == row.tokenizer && options.has(row.option)) return options.text(row.option);
  }
  if (tokenizer == BleuTokenizer::kSentencePiece) {
    throw UsageError(base::concat("option '--tokenize': '", name,
                                  "' needs a SentencePiece model, given with --spm-model"));
  }
  if (tokenizer != BleuTokenizer::kMecab) return {};
  if (name != "ja-mecab") {
    throw UsageError(base::concat("option '--tokenize': '", name,
                                  "' needs mecab-ko-dic, given with --mecab-dictionary"));
  }
  constexpr char kDebian[] = "/var/lib/mecab/dic/ipadic-utf8";
  std::error_code error;
  if (!std::filesystem::exists(kDebian, error)) {
    base::fail(kDebian, ": no IPA dictionary; install the Debian package mecab-ipadic-utf8 ",
               "or give another dictionary with --mecab-dictionary");
  }
  return kDebian;
}

// A published model is named; any other is identified by its file name.
std::string tokenizer_name(const std::string& name, const std::string& path) {
  return name == "spm" ? base::concat("spm[", path.substr(path.rfind('/') + 1), "]") : name;
}

metrics::BleuFormula formula_of(const Options& options) {
  metrics::BleuFormula formula{
      .max_order = options.integer<std::size_t>("max-order", {1, kMaxOrder}),
      .smoothing = options.choice<metrics::kSmoothingWords>("smooth"),
      .effective_order =
          options.flag("effective-order") || options.flag("sentence") || options.has("mbr")};
  if (!options.has("smooth-value")) return formula;
  if (formula.smoothing != metrics::Smoothing::kFloor &&
      formula.smoothing != metrics::Smoothing::kAddK) {
    throw UsageError(base::concat("option '--smooth-value': the method '", options.text("smooth"),
                                  "' takes no value"));
  }
  formula.smoothing_value = options.real("smooth-value", {.min = 0});
  return formula;
}

std::unique_ptr<metrics::Metric> make_bleu(const Options& options) {
  const auto name = tokenizer_text(options);
  const auto tokenizer = tokenizer_of(name);
  const auto path = model_path(options, name, tokenizer);
  return std::make_unique<metrics::Bleu>(
      metrics::BleuSettings{.tokenizer = tokenizer,
                            .letter_case = options.flag("lowercase") ? metrics::LetterCase::kLower
                                                                     : metrics::LetterCase::kMixed,
                            .model_path = path,
                            .tokenizer_name = tokenizer_name(name, path),
                            .formula = formula_of(options)});
}

std::unique_ptr<metrics::Metric> make_chrf_of_order(const Options& options, int word_order) {
  return std::make_unique<metrics::Chrf>(
      metrics::ChrfSettings{.char_order = options.integer<int>("chrf-char-order", {1, kMaxOrder}),
                            .word_order = word_order,
                            .beta = options.integer<int>("chrf-beta", {0, metrics::kMaxBeta}),
                            .lowercase = options.flag("chrf-lowercase"),
                            .whitespace = options.flag("chrf-whitespace"),
                            .eps_smoothing = options.flag("chrf-eps-smoothing")});
}

std::unique_ptr<metrics::Metric> make_chrf(const Options& options) {
  return make_chrf_of_order(options, options.integer<int>("chrf-word-order", {0, kMaxOrder}));
}

std::unique_ptr<metrics::Metric> make_chrf_with_words(const Options& options) {
  return make_chrf_of_order(options, 2);
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
    settings = metrics::read_bracket_settings(base::read_file(path, base::kMaxSettingsBytes), path);
  }
  if (options.flag("brackets-linear")) settings.form = metrics::TreeForm::kLinearized;
  if (options.flag("brackets-damaged")) settings.damaged = metrics::DamagedTree::kCounted;
  return std::make_unique<metrics::Brackets>(std::move(settings));
}

std::unique_ptr<metrics::Metric> make_alignment_error_rate(const Options&) {
  return std::make_unique<metrics::AlignmentErrorRate>();
}

// One line a metric.
constexpr struct {
  std::string_view name;
  std::unique_ptr<metrics::Metric> (*make)(const Options& options);
} kMetrics[] = {
    {"bleu", make_bleu},
    {"chrf", make_chrf},
    {"chrf++", make_chrf_with_words},
    {"ter", make_ter},
    {"paper-bleu", make_paper_bleu},
    {"multi-bleu", make_multi_bleu},
    {"brackets", make_brackets},
    {"aer", make_alignment_error_rate},
    {"comet", make_comet},
    {"comet-qe", make_comet_qe},
};

// sacreBLEU prints metrics as BLEU or chrF2++, but its options name them bleu or chrf.
std::string spelling_of(std::string name) {
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  if (name.starts_with("chrf2")) name.erase(4, 1);
  return name;
}

bool is_metric(std::string_view name) {
  return std::ranges::any_of(kMetrics, [&](const auto& row) { return row.name == name; });
}

}  // namespace

std::vector<std::string_view> known_metrics() {
  std::vector<std::string_view> names;
  for (const auto& row : kMetrics) names.push_back(row.name);
  return names;
}

bool is_metric_list(std::string_view word) {
  return std::ranges::all_of(base::split(word, ','), [](std::string_view name) {
    return is_metric(spelling_of(std::string(name)));
  });
}

std::vector<std::string> metric_names(const Options& options) {
  if (options.has("mbr")) return {options.text("mbr")};
  std::vector<std::string> names;
  for (const auto& name : options.list("metric")) {
    names.push_back(spelling_of(name));
    if (!is_metric(names.back())) cli::require_choice("metric", name, known_metrics);
  }
  return names;
}

metrics::Metrics metrics_of(const Options& options) {
  const auto names = metric_names(options);
  metrics::Metrics metrics;
  for (const auto& row : kMetrics) {
    if (std::ranges::find(names, row.name) == names.end()) continue;
    auto metric = row.make(options);
    // With --chrf-word-order 2, chrf is chrf++.
    const auto is_same = [&](const auto& other) { return other->name() == metric->name(); };
    if (std::ranges::none_of(metrics, is_same)) metrics.push_back(std::move(metric));
  }
  return metrics;
}

}  // namespace awend::tools
