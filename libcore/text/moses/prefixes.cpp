#include "text/moses/prefixes.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "base/lines.hpp"

namespace awend::text::moses {
namespace {

std::string list_path(const std::string& directory, const std::string& language) {
  const auto path = [&](std::string_view name) {
    return (std::filesystem::path(directory) / base::concat("nonbreaking_prefix.", name)).string();
  };
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error))
    base::fail(directory, ": no such directory");
  for (const std::string& candidate : {path(language), path("en")}) {
    if (std::filesystem::is_regular_file(candidate, error)) return candidate;
  }
  if (language == "en") base::fail(directory, ": does not contain nonbreaking_prefix.en");
  base::fail(directory, ": contains neither nonbreaking_prefix.", language,
             " nor nonbreaking_prefix.en");
}

}  // namespace

Prefixes::Prefixes(const std::string& directory, const std::string& language) {
  base::LineReader lines(list_path(directory, language), base::InvalidUtf8::kError,
                         {.file_bytes = base::kMaxSettingsBytes});
  for (std::string_view line; lines.next(line);) {
    // Moses treats a word "0" as an empty line.
    if (line.empty() || line.starts_with('#') || line == "0") continue;
    const std::size_t mark = line.rfind("#NUMERIC_ONLY#");
    if (mark != std::string_view::npos && mark > 0 &&
        (line[mark - 1] == ' ' || line[mark - 1] == '\t'))
      words_[std::string(line.substr(0, mark - 1))] = Kind::kBeforeDigit;
    else
      words_[std::string(line)] = Kind::kAlways;
  }
}

Prefixes::Kind Prefixes::find(std::string_view word) const {
  const auto found = words_.find(word);
  return found == words_.end() ? Kind::kNone : found->second;
}

}  // namespace awend::text::moses
