#include "text/normalize.hpp"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include <cstdint>
#include <limits>

#include "base/error.hpp"

namespace awend::text {
namespace {

void check_icu(UErrorCode status, std::string_view what) {
  if (U_FAILURE(status)) base::fail("ICU cannot ", what, ": ", u_errorName(status));
}

const icu::Normalizer2& normalizer(Normalization form) {
  UErrorCode status = U_ZERO_ERROR;
  const auto* found = form == Normalization::kNfkc ? icu::Normalizer2::getNFKCInstance(status)
                                                   : icu::Normalizer2::getNFCInstance(status);
  check_icu(status, "normalise");
  return *found;
}

}  // namespace

std::string normalize(std::string_view text, Normalization form) {
  if (form == Normalization::kNone) return std::string(text);
  if (text.size() > std::numeric_limits<std::int32_t>::max())
    base::fail("a line is longer than 2 GiB");
  const icu::StringPiece piece(text.data(), static_cast<std::int32_t>(text.size()));
  UErrorCode status = U_ZERO_ERROR;
  if (normalizer(form).isNormalizedUTF8(piece, status) && U_SUCCESS(status))
    return std::string(text);
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  status = U_ZERO_ERROR;
  normalizer(form).normalizeUTF8(0, piece, sink, nullptr, status);
  check_icu(status, "normalise");
  return out;
}

Normalization normalization(std::string_view name) {
  for (const auto form : {Normalization::kNone, Normalization::kNfc, Normalization::kNfkc}) {
    if (name_of(form) == name) return form;
  }
  throw base::UsageError(base::concat("unknown normalisation '", name, "': none, nfc or nfkc"));
}

std::string_view name_of(Normalization form) {
  switch (form) {
    case Normalization::kNone:
      return "none";
    case Normalization::kNfc:
      return "nfc";
    case Normalization::kNfkc:
      return "nfkc";
  }
  return {};
}

}  // namespace awend::text
