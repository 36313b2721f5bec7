#include "decode/search_settings.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace awend::decode {
namespace {

using base::integer_field;
using base::real_field;
using base::word_field;
using Rules = LogitRuleSettings;
using Settings = SearchSettings;

constexpr base::Word<UnknownTokenUse> kUnknownTokenWords[] = {{UnknownTokenUse::kAllowed, "on"},
                                                              {UnknownTokenUse::kExcluded, "off"}};

constexpr std::string_view kGroup = "Search";

constexpr base::Field<Settings> kFields[] = {
    integer_field<&Settings::beam_size>(
        {.name = "beam-size", .letter = 'b', .group = kGroup, .help = "beam size"}, {1, 100'000}),
    real_field<&Settings::alpha>({.name = "alpha",
                                  .metavar = "A",
                                  .group = kGroup,
                                  .help = "length penalty: ln P / ((5 + length) / 6)^A"},
                                 {0, 100}),
    word_field<kLengthPenaltyWords, &Settings::length_penalty>(
        {.name = "length-penalty",
         .metavar = "FORM",
         .group = kGroup,
         .help = "form of the length penalty, as above or length^A"}),
    real_field<&Settings::max_length_ratio>(
        {.name = "max-length-ratio",
         .metavar = "R",
         .group = kGroup,
         .help = "maximum output length: R times the input length ..."},
        {0, 1000}),
    integer_field<&Settings::max_length_extra>(
        {.name = "max-length-extra", .group = kGroup, .help = "... plus N tokens"}, {0, 1'000'000}),
    real_field<&Settings::rules, &Rules::min_length_ratio>(
        {.name = "min-length-ratio",
         .metavar = "R",
         .group = kGroup,
         .help = "minimum output length: R times the input length ..."},
        {0, 1000}),
    integer_field<&Settings::rules, &Rules::min_length_extra>(
        {.name = "min-length-extra", .group = kGroup, .help = "... plus N tokens"}, {0, 1'000'000}),
    integer_field<&Settings::rules, &Rules::no_repeat_ngram>(
        {.name = "no-repeat-ngram", .group = kGroup, .help = "forbid repeated N-grams; 0 = off"},
        {0, 1000}),
    real_field<&Settings::rules, &Rules::repetition_penalty>(
        {.name = "repetition-penalty",
         .metavar = "P",
         .group = kGroup,
         .help = "penalize generated tokens: divide positive logits by P, multiply negative ones"},
        {0.01, 100}),
    real_field<&Settings::rules, &Rules::unknown_penalty>(
        {.name = "unknown-penalty",
         .metavar = "P",
         .group = kGroup,
         .help = "subtract P from the logit of the unknown token"},
        {-1e6, 1e6}),
    word_field<kUnknownTokenWords, &Settings::unknown_token>(
        {.name = "unknown-tokens",
         .metavar = "SWITCH",
         .group = kGroup,
         .help = "unknown tokens in translations; off as in Marian"}),
};

}  // namespace

std::span<const base::Field<SearchSettings>> search_fields() {
  return kFields;
}

void apply_stored(const store::Settings& stored, SearchSettings& settings) {
  for (const auto& [name, value] : stored.entries()) {
    const auto field =
        std::ranges::find(kFields, name, [](const auto& it) { return it.about.name; });
    if (field == std::end(kFields)) base::fail("unknown default of the search '", name, "'");
    base::with_name(base::concat("default of the search '", name, "'"), [&, value = value] {
      base::require_in_domain(field->domain, value);
      field->set(settings, value);
    });
  }
}

void require_valid(const TranslatorSettings& settings) {
  const auto require = [](std::string_view name, const base::Domain& domain,
                          const std::string& value) {
    try {
      base::require_in_domain(domain, value);
    } catch (const base::Error& error) {
      throw base::UsageError(base::concat("setting '", name, "': ", error.what()));
    }
  };
  const auto& search = settings.search;
  for (const auto& field : kFields) require(field.about.name, field.domain, field.text(search));
  const auto require_integer = [&](std::string_view name, const base::IntegerRange& range,
                                   std::uint32_t value) {
    require(name, base::Integers{range.min, range.max}, base::concat(value));
  };
  const auto require_real = [&](std::string_view name, const base::RealRange& range, double value) {
    require(name, base::Reals{range.min, range.max}, base::concat(value));
  };
  require_integer("n-best", kNBestRange, search.n_best);
  require_integer("max-input-length", kLongestPieceRange, settings.longest_piece);
  if (settings.batch_tokens != 0)
    require_integer("batch-tokens", kBatchTokensRange, settings.batch_tokens);
  if (!search.sampling) return;
  require_real("temperature", kTemperatureRange, search.sampling->temperature);
  require_integer("top-k", kTopKRange, search.sampling->top_k);
  require_real("top-p", kTopPRange, search.sampling->top_p);
}

void complete_sampling(SearchSettings& settings) {
  if (!settings.sampling) return;
  settings.beam_size = settings.n_best;
  // The other tokens share its probability.
  if (settings.unknown_token == UnknownTokenUse::kExcluded)
    settings.rules.unknown_penalty = std::numeric_limits<double>::infinity();
}

}  // namespace awend::decode
