#include "translate_view.hpp"

#include "base/error.hpp"
#include "cli/option_rules.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kLayer = "alignment-layer";

decode::AlignmentSettings alignment_of(const cli::Options& options) {
  constexpr std::string_view kForm = "alignment-form";
  auto alignment =
      cli::for_option(kForm, [&] { return decode::parse_alignment(options.text(kForm)); });
  if (options.has(kLayer)) {
    alignment.layer = options.integer<std::uint32_t>(kLayer, {.min = 1, .max = 1000});
  }
  return alignment;
}

}  // namespace

decode::LineForm line_form_of(const cli::Options& options) {
  return options.flag("raw") ? decode::LineForm::kRaw : decode::LineForm::kTokens;
}

decode::ViewSettings view_settings_of(const cli::Options& options, Markup markup) {
  decode::ViewSettings view;
  if (options.flag("alignment")) view.alignment = alignment_of(options);
  if (markup == Markup::kKeep) view.weights = alignment_of(options);
  if (options.flag("alignment-words")) view.unit = decode::ViewSettings::Unit::kWords;
  if (options.flag("replace-unknown")) view.unknown = decode::ViewSettings::Unknown::kReplace;
  view.attention_file = options.text("attention");
  for (const std::string_view name :
       {std::string_view("alignment-form"), kLayer, std::string_view("alignment-words")}) {
    const bool is_used = view.alignment || (view.weights && name == kLayer);
    if (options.has(name) && !is_used)
      throw base::UsageError(base::concat("--", name, " needs --alignment"));
  }
  if (options.flag("raw") && view.alignment && view.unit == decode::ViewSettings::Unit::kTokens)
    throw base::UsageError("--raw --alignment needs --alignment-words: raw text has no tokens");
  return view;
}

std::optional<decode::ScorerSettings> scorer_settings_of(const cli::Options& options,
                                                         decode::Output output) {
  if (!options.has("target")) return std::nullopt;
  cli::check_excludes(options, "target",
                      {"prefix", "no-repeat-ngram", "repetition-penalty", "unknown-penalty",
                       "replace-unknown", "unbuffered", "sample"});
  // A shortlist is not used for given translations.
  if (options.text("shortlist") != "off") cli::check_excludes(options, "target", {"shortlist"});
  decode::ScorerSettings scorer{
      .form = line_form_of(options),
      .output = output == decode::Output::kText ? decode::Output::kScores : output};
  if (options.has("n-best")) {
    scorer.n_best = options.integer<std::uint32_t>("n-best", {.min = 1, .max = 1'000'000});
  }
  return scorer;
}

}  // namespace awend::tools
