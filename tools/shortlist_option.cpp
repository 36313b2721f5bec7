#include "shortlist_option.hpp"

#include <filesystem>

#include "base/format.hpp"
#include "base/numbers.hpp"

namespace awend::tools {

decode::ShortlistFile shortlist_file_of(const cli::Options& options) {
  decode::ShortlistFile file{.path = options.text("shortlist")};
  if (file.path == "off") return {.is_off = true};
  std::error_code ignored;
  if (std::filesystem::exists(file.path, ignored)) return file;
  const auto list = file.path;
  const auto words = base::split(list, ',');
  if (words.size() != 3 && words.size() != 4) return file;
  file.path = words[0];
  constexpr base::IntegerRange kWords{.min = 0, .max = 1'000'000'000};
  cli::for_option("shortlist", [&] {
    const auto count = [&](std::string_view word) {
      return static_cast<std::uint32_t>(base::to_number(word, "a number of words", kWords));
    };
    file.first = count(words[1]);
    file.best = count(words[2]);
    if (words.size() == 4)
      file.threshold = base::to_number(words[3], "a probability", base::RealRange{0, 1});
  });
  return file;
}

}  // namespace awend::tools
