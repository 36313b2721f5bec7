#include "translate_view.hpp"

#include "base/error.hpp"

namespace awend::tools {
namespace {

decode::AlignmentSettings alignment_of(const cli::Options& options) {
  try {
    auto alignment = decode::parse_alignment(options.text("alignment-form"));
    if (options.has("alignment-layer")) {
      alignment.layer =
          static_cast<std::uint32_t>(options.integer("alignment-layer", {.min = 1, .max = 1000}));
    }
    return alignment;
  } catch (const base::UsageError&) {
    throw;
  } catch (const base::Error& error) {
    throw base::UsageError(base::concat("option '--alignment-form': ", error.what()));
  }
}

}  // namespace

decode::LineForm line_form_of(const cli::Options& options) {
  return options.flag("raw") ? decode::LineForm::kRaw : decode::LineForm::kTokens;
}

decode::ViewSettings view_settings_of(const cli::Options& options) {
  decode::ViewSettings view;
  if (options.flag("alignment")) view.alignment = alignment_of(options);
  if (options.flag("alignment-words")) view.unit = decode::ViewSettings::Unit::kWords;
  if (options.flag("replace-unknown")) view.unknown = decode::ViewSettings::Unknown::kReplace;
  view.attention_file = options.text("attention");
  for (const auto* const name : {"alignment-form", "alignment-layer", "alignment-words"}) {
    if (options.has(name) && !view.alignment)
      throw base::UsageError(base::concat("--", name, " needs --alignment"));
  }
  if (options.flag("raw") && view.alignment && view.unit == decode::ViewSettings::Unit::kTokens)
    throw base::UsageError("--raw --alignment needs --alignment-words: raw text has no tokens");
  return view;
}

std::optional<decode::ScorerSettings> scorer_settings_of(const cli::Options& options,
                                                         decode::Output output) {
  if (!options.has("target")) return std::nullopt;
  const auto refuse = [](bool there, std::string_view name) {
    if (there) throw base::UsageError(base::concat("--target and --", name, " exclude each other"));
  };
  for (const auto name : {"prefix", "shortlist"}) refuse(options.has(name), name);
  for (const auto name : {"replace-unknown", "unbuffered", "sample"})
    refuse(options.flag(name), name);
  decode::ScorerSettings scorer{
      .form = line_form_of(options),
      .output = output == decode::Output::kText ? decode::Output::kScores : output};
  if (options.has("n-best")) {
    scorer.n_best =
        static_cast<std::uint32_t>(options.integer("n-best", {.min = 1, .max = 1'000'000}));
  }
  return scorer;
}

}  // namespace awend::tools
