#include "text/case.hpp"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>

#include "base/error.hpp"
#include "text/icu_error.hpp"

namespace awend::text {

std::string lower_case(std::string_view utf8) {
  std::string lower;
  icu::StringByteSink<std::string> sink(&lower);
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(utf8.data(), static_cast<int32_t>(utf8.size())),
                            sink, nullptr, status);
  if (U_FAILURE(status)) base::fail("lower case: ", icu_reason(status));
  return lower;
}

}  // namespace awend::text
