// One text, one spelling: Unicode normalisation.  Test: tests/unit/text/normalize_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace awend::text {

enum class Normalization { kNone, kNfc, kNfkc };

/// `text`, which must be valid UTF-8, in the form asked for.
std::string normalize(std::string_view text, Normalization form);

/// `none`, `nfc`, `nfkc`; UsageError for another name.
Normalization normalization(std::string_view name);
std::string_view name_of(Normalization form);

}  // namespace awend::text
