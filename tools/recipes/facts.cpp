#include "recipes/facts.hpp"

#include <algorithm>

namespace awend::tools {
namespace {

using base::Random;

// Common words, so that each occurs often enough to be learned from some ten thousand lines.
constexpr const char* kUnits[] = {"meter",
                                  "kilometer",
                                  "centimeter",
                                  "mile",
                                  "foot",
                                  "inch",
                                  "square-meter",
                                  "square-kilometer",
                                  "hectare",
                                  "liter",
                                  "milliliter",
                                  "cubic-meter",
                                  "gram",
                                  "kilogram",
                                  "tonne",
                                  "pound",
                                  "kilometer-per-hour",
                                  "mile-per-hour",
                                  "celsius",
                                  "fahrenheit",
                                  "percent",
                                  "watt",
                                  "kilowatt-hour",
                                  "volt",
                                  "byte",
                                  "megabyte",
                                  "gigabyte",
                                  "second",
                                  "minute",
                                  "hour",
                                  "day",
                                  "week",
                                  "month",
                                  "year",
                                  "century",
                                  "calorie",
                                  "degree",
                                  "point"};
constexpr const char* kCurrencies[] = {"USD", "EUR", "GBP", "JPY", "CHF", "CNY", "INR",
                                       "BRL", "MXN", "PLN", "SEK", "NOK", "DKK", "CZK",
                                       "HUF", "TRY", "CAD", "AUD", "KRW", "ZAR"};
constexpr const char* kRegions[] = {
    "DE", "FR", "IT", "ES", "PT", "GB", "IE", "NL",  "BE",  "AT",  "CH",  "PL",  "CZ", "HU", "DK",
    "SE", "NO", "FI", "IS", "GR", "TR", "RU", "UA",  "RO",  "BG",  "HR",  "RS",  "EG", "MA", "ZA",
    "KE", "NG", "IN", "CN", "JP", "KR", "VN", "TH",  "ID",  "AU",  "NZ",  "CA",  "US", "MX", "BR",
    "AR", "CL", "PE", "CU", "EE", "LV", "LT", "001", "150", "002", "019", "142", "009"};
constexpr const char* kLanguages[] = {"de", "fr", "it", "es", "pt", "en", "ga", "nl", "pl", "cs",
                                      "hu", "da", "sv", "nb", "fi", "is", "el", "tr", "ru", "uk",
                                      "ro", "bg", "hr", "sr", "ar", "sw", "hi", "zh", "ja", "ko",
                                      "vi", "th", "id", "et", "lv", "lt", "la", "he", "fa", "cy"};
constexpr const char* kDaySkeletons[] = {"yMMMMEEEEd", "yMMMMd", "MMMMEEEEd", "MMMMd",
                                         "yMMMM",      "EEEE",   "MMMM"};
constexpr URelativeDateTimeUnit kRelativeUnits[] = {
    UDAT_REL_UNIT_YEAR, UDAT_REL_UNIT_MONTH,  UDAT_REL_UNIT_WEEK,  UDAT_REL_UNIT_DAY,
    UDAT_REL_UNIT_HOUR, UDAT_REL_UNIT_MINUTE, UDAT_REL_UNIT_SECOND};

constexpr UDate kMinute = 60'000, kDay = 24 * 60 * kMinute;  // UDate counts milliseconds from 1970

template <class Item, std::size_t size>
Item pick(const Item (&items)[size], Random& random) {
  return items[random.below(size)];
}

int between(int low, int high, Random& random) {
  return low + static_cast<int>(random.below(static_cast<std::uint32_t>(high - low + 1)));
}

// Small numbers are the most frequent: each length up to this many digits is equally likely.
int number_up_to_digits(int digits, Random& random) {
  int limit = 1;
  for (int length = between(1, digits, random); length > 0; --length) limit *= 10;
  return static_cast<int>(random.below(static_cast<std::uint32_t>(limit)));
}

UDate draw_day(Random& random) {
  return kDay * between(0, 80 * 365, random);
}  // 1970 to 2049
UDate draw_time(Random& random) {
  return 5 * kMinute * between(0, 24 * 12 - 1, random);
}

Fact draw_number(Random& random) {
  const auto value = number_up_to_digits(3, random);
  return [=](Speaker& speaker) { return speaker.number(value); };
}

Fact draw_ordinal(Random& random) {
  const auto value = 1 + number_up_to_digits(2, random);
  return [=](Speaker& speaker) { return speaker.ordinal(value); };
}

Fact draw_decimal(Random& random) {
  const auto tenths = 10 * number_up_to_digits(2, random);
  const auto value = (tenths + between(1, 9, random)) / 10.0;
  return [=](Speaker& speaker) { return speaker.decimal(value); };
}

Fact draw_large_number(Random& random) {
  constexpr std::int64_t kThousands[] = {1'000'000, 1'000'000'000, 1'000'000'000'000};
  const auto thousand = pick(kThousands, random);
  const auto value = thousand * (1 + number_up_to_digits(2, random));
  return [=](Speaker& speaker) { return speaker.large_number(value); };
}

Fact draw_date(Random& random) {
  const auto date = draw_day(random);
  const auto skeleton = pick(kDaySkeletons, random);
  return [=](Speaker& speaker) { return speaker.date(date, skeleton); };
}

Fact draw_time_of_day(Random& random) {
  const auto time = draw_time(random);
  return [=](Speaker& speaker) { return speaker.date(time, "jm"); };
}

Fact draw_date_and_time(Random& random) {
  const auto time = draw_time(random);
  const auto moment = time + draw_day(random);
  return [=](Speaker& speaker) { return speaker.date_and_time(moment); };
}

Fact draw_interval(Random& random) {
  const auto from = draw_day(random);
  const auto to = from + kDay * between(1, 90, random);
  const auto skeleton = pick({"yMMMMd", "yMMMMEEEEd", "MMMMd"}, random);
  return [=](Speaker& speaker) { return speaker.interval(from, to, skeleton); };
}

Fact draw_relative(Random& random) {
  const auto offset = between(-12, 12, random);
  const auto unit = pick(kRelativeUnits, random);
  return [=](Speaker& speaker) { return speaker.relative(offset, unit); };
}

Fact draw_relative_at(Random& random) {
  const auto offset = between(-6, 6, random);
  const auto unit = pick({UDAT_REL_UNIT_DAY, UDAT_REL_UNIT_WEEK}, random);
  const auto time = draw_time(random);
  return [=](Speaker& speaker) { return speaker.relative_at(offset, unit, time); };
}

Fact draw_measure(Random& random) {
  const auto value = 1 + number_up_to_digits(2, random);
  const auto unit = pick(kUnits, random);
  return [=](Speaker& speaker) { return speaker.measure(value, unit); };
}

Fact draw_span(Random& random) {
  const std::vector<std::pair<int, const char*>> all = {
      {between(1, 12, random), "year"},   {between(1, 11, random), "month"},
      {between(1, 6, random), "day"},     {between(1, 23, random), "hour"},
      {between(1, 59, random), "minute"}, {between(1, 59, random), "second"}};
  const auto first = between(0, 4, random);
  const auto count = between(2, 3, random);
  const std::vector parts(all.begin() + first, all.begin() + std::min(first + count, 6));
  return [=](Speaker& speaker) { return speaker.span(parts); };
}

Fact draw_money(Random& random) {
  const auto value = 1 + number_up_to_digits(3, random);
  const auto currency = pick(kCurrencies, random);
  return [=](Speaker& speaker) { return speaker.money(value, currency); };
}

Fact draw_region(Random& random) {
  const auto code = pick(kRegions, random);
  return [=](Speaker& speaker) { return speaker.region(code); };
}

Fact draw_language(Random& random) {
  const auto code = pick(kLanguages, random);
  return [=](Speaker& speaker) { return speaker.language(code); };
}

using Draw = Fact (*)(Random&);

// Short facts are combined in lists; kinds with more variants occur more often here.
constexpr Draw kShortKinds[] = {draw_number,       draw_number,      draw_ordinal, draw_decimal,
                                draw_large_number, draw_date,        draw_date,    draw_measure,
                                draw_measure,      draw_time_of_day, draw_money,   draw_relative,
                                draw_relative,     draw_region,      draw_language};
constexpr Draw kLongKinds[] = {draw_date_and_time, draw_interval, draw_relative_at, draw_span};

}  // namespace

Fact draw_line(Random& random) {
  if (random.below(4) == 0) return pick(kLongKinds, random)(random);
  const bool alike = random.below(2) == 0;
  const auto kind = pick(kShortKinds, random);
  std::vector<Fact> facts;
  for (auto count = between(2, 3, random); count > 0; --count) {
    facts.push_back((alike ? kind : pick(kShortKinds, random))(random));
  }
  const auto join = random.below(4) == 0 ? Join::kOr : Join::kAnd;
  return [=](Speaker& speaker) {
    std::vector<Speaker::Text> items;
    for (const auto& fact : facts) items.push_back(fact(speaker));
    return speaker.list(items, join);
  };
}

}  // namespace awend::tools
