#include "recipes/speaker.hpp"

#include <unicode/currunit.h>
#include <unicode/numberformatter.h>
#include <unicode/smpdtfmt.h>

#include <algorithm>

#include "base/error.hpp"

namespace awend::tools {
namespace {

using Text = Speaker::Text;

// ICU's status: every call gets one, and its destructor detects unchecked errors.
class Status {
 public:
  Status(const icu::Locale& locale, std::string_view what) : locale_(locale), what_(what) {}
  Status(const Status&) = delete;
  Status& operator=(const Status&) = delete;
  operator UErrorCode&() { return code_; }

  template <class Result>
  Result checked(Result result) const {
    if (U_FAILURE(code_))
      base::fail("locale ", locale_.getName(), ": ", what_, ": ", u_errorName(code_));
    return result;
  }

 private:
  const icu::Locale& locale_;
  std::string_view what_;
  UErrorCode code_ = U_ZERO_ERROR;
};

icu::Locale locale_named(const std::string& name) {
  const auto locale = icu::Locale::createCanonical(name.c_str());
  std::int32_t count = 0;
  const auto* available = icu::Locale::getAvailableLocales(count);
  if (std::find(available, available + count, locale) == available + count) {
    base::fail("ICU has no data for the locale '", name, "'");
  }
  return locale;
}

// The rules for ordinals have a form for each gender if a language has genders; the first is the
// simplest.
Text find_ordinal_rules(const icu::RuleBasedNumberFormat& spell) {
  for (std::int32_t i = 0; i < spell.getNumberOfRuleSetNames(); ++i) {
    const auto name = spell.getRuleSetName(i);
    if (name.startsWith(u"%spellout-ordinal")) return name;
  }
  return {};
}

}  // namespace

Speaker::Speaker(const std::string& locale) : locale_(locale_named(locale)) {
  Status status(locale_, "loading");
  spell_ = std::make_unique<icu::RuleBasedNumberFormat>(icu::URBNF_SPELLOUT, locale_, status);
  ordinal_rules_ = find_ordinal_rules(*spell_);
  patterns_.reset(icu::DateTimePatternGenerator::createInstance(locale_, status));
  date_and_time_.reset(icu::DateFormat::createDateTimeInstance(icu::DateFormat::kFull,
                                                               icu::DateFormat::kShort, locale_));
  relative_ = std::make_unique<icu::RelativeDateTimeFormatter>(locale_, status);
  spans_ = std::make_unique<icu::MeasureFormat>(locale_, UMEASFMT_WIDTH_WIDE, status);
  names_.reset(icu::LocaleDisplayNames::createInstance(locale_));
  and_.reset(
      icu::ListFormatter::createInstance(locale_, ULISTFMT_TYPE_AND, ULISTFMT_WIDTH_WIDE, status));
  or_.reset(
      icu::ListFormatter::createInstance(locale_, ULISTFMT_TYPE_OR, ULISTFMT_WIDTH_WIDE, status));
  status.checked(true);
  if (!date_and_time_ || !names_)
    base::fail("locale ", locale_.getName(), ": no dates or no names");
  date_and_time_->setTimeZone(*icu::TimeZone::getGMT());
}

Text Speaker::number(std::int64_t value) const {
  Text out;
  return spell_->format(value, out);
}

Text Speaker::ordinal(std::int64_t value) const {
  if (ordinal_rules_.isEmpty()) return number(value);
  Status status(locale_, "an ordinal");
  Text out;
  icu::FieldPosition ignored;
  spell_->format(value, ordinal_rules_, out, ignored, status);
  return status.checked(out);
}

Text Speaker::decimal(double value) const {
  Text out;
  return spell_->format(value, out);
}

Text Speaker::large_number(std::int64_t value) const {
  Status status(locale_, "a large number");
  const auto text = icu::number::NumberFormatter::withLocale(locale_)
                        .notation(icu::number::Notation::compactLong())
                        .formatInt(value, status)
                        .toString(status);
  return status.checked(text);
}

const icu::DateFormat& Speaker::format_of(const char* skeleton) {
  auto& format = dates_[skeleton];
  if (!format) {
    Status status(locale_, "a date");
    const auto pattern = patterns_->getBestPattern(Text(skeleton, -1, US_INV), status);
    format = std::make_unique<icu::SimpleDateFormat>(pattern, locale_, status);
    status.checked(true);
    format->setTimeZone(*icu::TimeZone::getGMT());
  }
  return *format;
}

Text Speaker::date(UDate day, const char* skeleton) {
  Text out;
  return format_of(skeleton).format(day, out);
}

Text Speaker::date_and_time(UDate moment) const {
  Text out;
  return date_and_time_->format(moment, out);
}

Text Speaker::interval(UDate from, UDate to, const char* skeleton) {
  Status status(locale_, "an interval");
  auto& format = intervals_[skeleton];
  if (!format) {
    format.reset(
        icu::DateIntervalFormat::createInstance(Text(skeleton, -1, US_INV), locale_, status));
    status.checked(true);
    format->setTimeZone(*icu::TimeZone::getGMT());
  }
  const icu::DateInterval interval(from, to);
  Text out;
  icu::FieldPosition ignored;
  format->format(&interval, out, ignored, status);
  return status.checked(out);
}

Text Speaker::relative(int offset, URelativeDateTimeUnit unit) const {
  Status status(locale_, "a relative date");
  Text out;
  relative_->format(offset, unit, out, status);
  return status.checked(out);
}

Text Speaker::relative_at(int offset, URelativeDateTimeUnit unit, UDate time) {
  Status status(locale_, "a relative date with a time");
  Text out;
  relative_->combineDateAndTime(relative(offset, unit), date(time, "jm"), out, status);
  return status.checked(out);
}

Text Speaker::measure(double value, const char* unit) const {
  Status status(locale_, unit);
  const auto text = icu::number::NumberFormatter::withLocale(locale_)
                        .unit(icu::MeasureUnit::forIdentifier(unit, status))
                        .unitWidth(UNUM_UNIT_WIDTH_FULL_NAME)
                        .formatDouble(value, status)
                        .toString(status);
  return status.checked(text);
}

Text Speaker::span(const std::vector<std::pair<int, const char*>>& parts) const {
  Status status(locale_, "a span of time");
  std::vector<icu::Measure> measures;
  for (const auto& [value, unit] : parts) {
    auto* adopted = new icu::MeasureUnit(icu::MeasureUnit::forIdentifier(unit, status));
    measures.emplace_back(icu::Formattable(value), adopted, status);
  }
  Text out;
  icu::FieldPosition ignored;
  spans_->formatMeasures(measures.data(), static_cast<std::int32_t>(measures.size()), out, ignored,
                         status);
  return status.checked(out);
}

Text Speaker::money(std::int64_t value, const char* currency) const {
  Status status(locale_, currency);
  const auto text = icu::number::NumberFormatter::withLocale(locale_)
                        .unit(icu::CurrencyUnit(currency, status))
                        .unitWidth(UNUM_UNIT_WIDTH_FULL_NAME)
                        .precision(icu::number::Precision::integer())
                        .formatInt(value, status)
                        .toString(status);
  return status.checked(text);
}

Text Speaker::region(const char* code) const {
  Text out;
  return names_->regionDisplayName(code, out);
}

Text Speaker::language(const char* code) const {
  Text out;
  return names_->languageDisplayName(code, out);
}

Text Speaker::list(const std::vector<Text>& items, Join join) const {
  Status status(locale_, "a list");
  const auto& format = join == Join::kAnd ? *and_ : *or_;
  Text out;
  format.format(items.data(), static_cast<std::int32_t>(items.size()), out, status);
  return status.checked(out);
}

}  // namespace awend::tools
