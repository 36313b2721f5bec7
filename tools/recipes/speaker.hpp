// A speaker of one language: expresses numbers, dates, spans, measures and names with the data of
// ICU's locales (Unicode CLDR).
//
// Two speakers with the same facts produce translations of each other, so that locale data become a
// parallel corpus.  CLDR is collected by native speakers; for missing data ICU uses the next best
// form.
#pragma once

#include <unicode/datefmt.h>
#include <unicode/dtitvfmt.h>
#include <unicode/dtptngen.h>
#include <unicode/listformatter.h>
#include <unicode/locdspnm.h>
#include <unicode/measfmt.h>
#include <unicode/rbnf.h>
#include <unicode/reldatefmt.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace awend::tools {

enum class Join { kAnd, kOr };

class Speaker {
 public:
  /// Throws Error if ICU has no data for this locale ("de", "pt_BR", "zh-Hant").
  explicit Speaker(const std::string& locale);

  using Text = icu::UnicodeString;

  Text number(std::int64_t value) const;        // "forty-two"
  Text ordinal(std::int64_t value) const;       // "forty-second"
  Text decimal(double value) const;             // "three point one four"
  Text large_number(std::int64_t value) const;  // "42 million"
  Text date(UDate day,
            const char* skeleton);         // by a skeleton of fields: "yMMMMd" is "July 3, 2026"
  Text date_and_time(UDate moment) const;  // "Friday, July 3, 2026 at 4:05 PM"
  Text interval(UDate from, UDate to, const char* skeleton);    // "July 3 – 7, 2026"
  Text relative(int offset, URelativeDateTimeUnit unit) const;  // "tomorrow", "3 weeks ago"
  Text relative_at(int offset, URelativeDateTimeUnit unit, UDate time);  // "tomorrow at 4:05 PM"
  Text measure(double value, const char* unit) const;                    // "12 kilometers per hour"
  Text span(const std::vector<std::pair<int, const char*>>& parts) const;  // "2 hours, 5 minutes"
  Text money(std::int64_t value, const char* currency) const;              // "12 Swiss francs"
  Text region(const char* code) const;                                     // "Switzerland"
  Text language(const char* code) const;                                   // "German"
  Text list(const std::vector<Text>& items, Join join) const;              // "a, b, and c"

 private:
  const icu::DateFormat& format_of(const char* skeleton);

  icu::Locale locale_;
  std::unique_ptr<icu::RuleBasedNumberFormat> spell_;
  Text ordinal_rules_;  // the name of the rules for "first", "second"; empty if there are none
  std::unique_ptr<icu::DateTimePatternGenerator> patterns_;
  std::map<std::string, std::unique_ptr<icu::DateFormat>> dates_;
  std::map<std::string, std::unique_ptr<icu::DateIntervalFormat>> intervals_;
  std::unique_ptr<icu::DateFormat> date_and_time_;
  std::unique_ptr<icu::RelativeDateTimeFormatter> relative_;
  std::unique_ptr<icu::MeasureFormat> spans_;
  std::unique_ptr<icu::LocaleDisplayNames> names_;
  std::unique_ptr<icu::ListFormatter> and_, or_;
};

}  // namespace awend::tools
