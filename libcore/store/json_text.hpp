// Texts for JSON that others write themselves, as long lists of numbers, line by line.
#pragma once

#include <string>
#include <string_view>

namespace awend::store {

/// The text in quotation marks, escaped.  Throws Error if it is not UTF-8.
std::string json_text(std::string_view text);

}  // namespace awend::store
