#include "text/icu_error.hpp"

#include <cstdint>
#include <limits>

#include "base/error.hpp"

namespace awend::text {

void require_icu_size(std::string_view line) {
  if (line.size() > std::numeric_limits<std::int32_t>::max())
    base::fail("a line is longer than 2 GiB");
}

std::string icu_reason(UErrorCode error) {
  constexpr struct {
    UErrorCode error;
    std::string_view reason;
  } kReasons[] = {
      {U_REGEX_MISMATCHED_PAREN, "a parenthesis has no partner"},
      {U_REGEX_RULE_SYNTAX, "syntax error"},
      {U_REGEX_BAD_ESCAPE_SEQUENCE, "an escape sequence is unknown or incomplete"},
      {U_REGEX_MISSING_CLOSE_BRACKET, "a set in brackets is not closed"},
      {U_REGEX_SET_CONTAINS_STRING, "a set contains a string"},
      {U_REGEX_INVALID_RANGE, "a range of characters is in the wrong order"},
      {U_REGEX_PROPERTY_SYNTAX, "a Unicode property is unknown"},
      {U_REGEX_BAD_INTERVAL, "a repetition in braces is incomplete"},
      {U_REGEX_MAX_LT_MIN, "a repetition has a maximum below its minimum"},
      {U_REGEX_NUMBER_TOO_BIG, "a number is too large"},
      {U_REGEX_INVALID_BACK_REF, "a reference names no group"},
      {U_REGEX_INVALID_CAPTURE_GROUP_NAME, "the name of a group is unknown or used twice"},
      {U_REGEX_INVALID_FLAG, "a flag is unknown"},
      {U_REGEX_LOOK_BEHIND_LIMIT, "a look-behind has no maximum length"},
      {U_REGEX_UNIMPLEMENTED, "a feature is not supported"},
      {U_REGEX_PATTERN_TOO_BIG, "the expression is too large"},
      {U_REGEX_STACK_OVERFLOW, "the expression needs too much memory on this text"},
      {U_REGEX_TIME_OUT, "the expression takes too long on this text"},
      {U_MEMORY_ALLOCATION_ERROR, "out of memory"},
      {U_FILE_ACCESS_ERROR, "ICU's data files cannot be read"},
      {U_MISSING_RESOURCE_ERROR, "ICU's data are incomplete"},
  };
  for (const auto& row : kReasons) {
    if (row.error == error) return std::string(row.reason);
  }
  return base::concat("ICU's error ", static_cast<int>(error));
}

}  // namespace awend::text
