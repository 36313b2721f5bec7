#include "text/case.hpp"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/uchar.h>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/icu_error.hpp"

namespace awend::text {

std::string lower_case(std::string_view utf8) {
  require_icu_size(utf8);
  std::string lower;
  icu::StringByteSink<std::string> sink(&lower);
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(utf8.data(), static_cast<int32_t>(utf8.size())),
                            sink, nullptr, status);
  if (U_FAILURE(status)) base::fail("lower case: ", icu_reason(status));
  return lower;
}

std::string lower_characters(std::string_view utf8) {
  std::string lower;
  for (std::size_t at = 0; at < utf8.size();) {
    const base::Utf8Step step = base::utf8_step(utf8, at);
    base::append_code_point(
        lower, static_cast<char32_t>(u_tolower(static_cast<UChar32>(step.code_point))));
    at += step.size_bytes;
  }
  return lower;
}

}  // namespace awend::text
