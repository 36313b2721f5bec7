#include "translate_markup.hpp"

#include "cli/option_rules.hpp"
#include "model/setting_words.hpp"

namespace awend::tools {
namespace {

constexpr cli::Option kMarkupOptions[] = {
    {"markup", 0, "LANGUAGE", "none", "--raw: keep the tags of lines of markup: html, xml or none",
     "", base::texts_of<text::kMarkupLanguageWords>},
    {"protect", 0, "REGEX", "", "--raw: keep the text that matches; may be repeated"},
    {"placeholders", 0, "SWITCH", "",
     "--raw: keep {name}, %s, URLs and e-mail addresses: on or off; default: on with --markup or "
     "--protect",
     "", base::texts_of<model::kSwitchWords>},
};

/// The first option that asks for markup or protected text, if there is one.
std::optional<std::string_view> requesting_option(const cli::Options& options) {
  if (options.choice<text::kMarkupLanguageWords>("markup") != text::MarkupLanguage::kNone)
    return "markup";
  if (options.has("protect")) return "protect";
  const bool keeps = options.has("placeholders") &&
                     options.choice<model::kSwitchWords>("placeholders") == model::Switch::kOn;
  return keeps ? std::optional<std::string_view>("placeholders") : std::nullopt;
}

}  // namespace

std::span<const cli::Option> markup_options() {
  return kMarkupOptions;
}

std::optional<decode::MarkupSettings> markup_settings_of(const cli::Options& options) {
  cli::check_needs(options, {"protect", "placeholders"}, {"raw"}, "--raw");
  const auto request = requesting_option(options);
  if (!request) return std::nullopt;
  cli::check_needs(options, {*request}, {"raw"}, "--raw");
  cli::check_excludes(options, *request,
                      {"alignment", "attention", "json", "n-best", "prefix", "target"});
  using Placeholders = text::ProtectionSettings::Placeholders;
  const bool translates = options.has("placeholders") && options.choice<model::kSwitchWords>(
                                                             "placeholders") == model::Switch::kOff;
  const decode::MarkupSettings settings{
      .language = options.choice<text::kMarkupLanguageWords>("markup"),
      .protection = {.patterns = options.each("protect"),
                     .placeholders = translates ? Placeholders::kTranslate : Placeholders::kKeep}};
  text::ProtectedSpans{settings.protection};  // refuses bad patterns before models are opened
  return settings;
}

}  // namespace awend::tools
