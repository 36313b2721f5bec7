#include "text/subword_nmt/glossaries.hpp"

#include <unicode/regex.h>
#include <unicode/utext.h>

#include "base/error.hpp"
#include "text/icu_error.hpp"
#include "text/subword_nmt/python_pattern.hpp"

namespace awend::text {
namespace {

void check_icu(UErrorCode status, std::string_view pattern) {
  if (U_FAILURE(status)) base::fail("glossary '", pattern, "': ", icu_reason(status));
}

}  // namespace

class Glossaries::Matcher {
 public:
  explicit Matcher(const std::string& pattern) : pattern_(pattern) {
    UErrorCode status = U_ZERO_ERROR;
    const auto text = icu::UnicodeString::fromUTF8(icu_pattern(pattern));
    // Only LF ends a line for Python's . and $.
    matcher_ = std::make_unique<icu::RegexMatcher>(text, UREGEX_UNIX_LINES, status);
    if (U_FAILURE(status))
      throw base::UsageError(base::concat("glossary '", pattern,
                                          "' is not a regular expression: ", icu_reason(status)));
  }
  ~Matcher() { utext_close(&text_); }
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;

  bool match(std::string_view text) {
    set(text);
    UErrorCode status = U_ZERO_ERROR;
    const bool matches = matcher_->matches(status) != 0;
    check_icu(status, pattern_);
    return matches;
  }

  void cut(std::string_view text, std::vector<std::string_view>& parts) {
    if (match(text)) return parts.push_back(text);
    matcher_->reset();
    std::size_t begin = 0;
    const auto part_until = [&](std::size_t end) {
      if (end > begin) parts.push_back(text.substr(begin, end - begin));
      begin = std::max(begin, end);
    };
    UErrorCode status = U_ZERO_ERROR;
    while (matcher_->find(status)) {
      part_until(static_cast<std::size_t>(matcher_->start64(status)));
      part_until(static_cast<std::size_t>(matcher_->end64(status)));
    }
    check_icu(status, pattern_);
    part_until(text.size());
  }

 private:
  // In units of ICU, some ten thousand operations each: far more than a word needs, and far less
  // than the exponential search for a hostile pattern such as (a+)+b.  It does not depend on
  // processor time.
  static constexpr std::int32_t kMaxSteps = 1000;

  void set(std::string_view text) {
    UErrorCode status = U_ZERO_ERROR;
    matcher_->setTimeLimit(kMaxSteps, status);
    utext_openUTF8(&text_, text.data(), static_cast<std::int64_t>(text.size()), &status);
    check_icu(status, pattern_);
    matcher_->reset(&text_);
  }

  std::string pattern_;
  std::unique_ptr<icu::RegexMatcher> matcher_;
  UText text_ = UTEXT_INITIALIZER;
};

Glossaries::Glossaries(std::span<const std::string> patterns) {
  for (const std::string& pattern : patterns)
    matchers_.push_back(std::make_unique<Matcher>(pattern));
}
Glossaries::~Glossaries() = default;
Glossaries::Glossaries(Glossaries&&) noexcept = default;

bool Glossaries::match(std::string_view text) const {
  for (const auto& matcher : matchers_) {
    if (matcher->match(text)) return true;
  }
  return false;
}

std::vector<std::string_view> Glossaries::cut(std::string_view word) const {
  std::vector<std::string_view> parts = {word}, finer;
  for (const auto& matcher : matchers_) {
    finer.clear();
    for (const std::string_view part : parts) matcher->cut(part, finer);
    parts.swap(finer);
  }
  return parts;
}

}  // namespace awend::text
