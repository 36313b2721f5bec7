#include "text/pattern.hpp"

#include <unicode/regex.h>
#include <unicode/utext.h>

#include <algorithm>

#include "base/error.hpp"
#include "text/icu_error.hpp"
#include "text/subword_nmt/python_pattern.hpp"

namespace awend::text {
namespace {

constexpr std::int32_t kMinSteps = 1000;
constexpr std::size_t kBytesPerStep = 1000;
constexpr std::size_t kMaxSteps = 1'000'000;

}  // namespace

std::int32_t regex_steps(std::size_t text_bytes) {
  return kMinSteps + static_cast<std::int32_t>(std::min(text_bytes / kBytesPerStep, kMaxSteps));
}

struct Pattern::State {
  base::Message name;
  std::unique_ptr<icu::RegexMatcher> matcher;
  UText text = UTEXT_INITIALIZER;

  explicit State(const base::Message& full_name) : name(full_name) {}
  ~State() { utext_close(&text); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void check(UErrorCode status) const {
    if (U_FAILURE(status)) base::fail(name, ": ", icu_reason(status));
  }
  void set(std::string_view new_text) {
    UErrorCode status = U_ZERO_ERROR;
    matcher->setTimeLimit(regex_steps(new_text.size()), status);
    utext_openUTF8(&text, new_text.data(), static_cast<std::int64_t>(new_text.size()), &status);
    check(status);
    matcher->reset(&text);
  }
};

Pattern::Pattern(const base::Message& what, const std::string& pattern)
    : state_(std::make_unique<State>(base::Message(what, " '", pattern, "'"))) {
  UErrorCode status = U_ZERO_ERROR;
  const auto text = icu::UnicodeString::fromUTF8(icu_pattern(pattern));
  // Only LF ends a line for Python's . and $.
  state_->matcher = std::make_unique<icu::RegexMatcher>(text, UREGEX_UNIX_LINES, status);
  if (U_FAILURE(status)) {
    throw base::UsageError(
        base::Message(state_->name, " is not a regular expression: ", icu_reason(status)));
  }
}
Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

bool Pattern::matches(std::string_view text) {
  state_->set(text);
  UErrorCode status = U_ZERO_ERROR;
  const bool matches = state_->matcher->matches(status) != 0;
  state_->check(status);
  return matches;
}

std::vector<TextRange> Pattern::find_all(std::string_view text) {
  state_->set(text);
  std::vector<TextRange> ranges;
  UErrorCode status = U_ZERO_ERROR;
  while (state_->matcher->find(status)) {
    ranges.push_back({static_cast<std::size_t>(state_->matcher->start64(status)),
                      static_cast<std::size_t>(state_->matcher->end64(status))});
  }
  state_->check(status);
  return ranges;
}

}  // namespace awend::text
