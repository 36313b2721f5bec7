#include "text/sentencepiece/training_words.hpp"

#include "text/sentencepiece/piece_span.hpp"

namespace awend::text {
namespace {

std::vector<PieceTrie::Entry> entries_of(const std::vector<std::string>& symbols) {
  std::vector<PieceTrie::Entry> entries;
  for (const std::string& symbol : symbols) entries.push_back({symbol, 0});
  return entries;
}

}  // namespace

TrainingWords::TrainingWords(const NormalizerSettings& settings,
                             const std::vector<std::string>& symbols)
    : normalizer_(settings, {}),
      symbols_(entries_of(symbols)),
      can_split_(normalizer_.can_split()) {
  for (const std::string& symbol : symbols) {
    if (symbol.find(kSpaceMarker) != symbol.npos) can_split_ = false;
  }
}

void TrainingWords::normalize(std::string_view line, std::string& out) const {
  std::string text;
  normalizer_.append_line(line, text);
  out.clear();
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t symbol = symbols_.longest(rest);
    const std::size_t size = symbol > 0 ? symbol : first_character_bytes(rest);
    if (symbol > 0)
      out += kBoundary;
    else
      out += rest.substr(0, size);
    rest.remove_prefix(size);
  }
}

}  // namespace awend::text
