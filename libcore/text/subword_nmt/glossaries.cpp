#include "text/subword_nmt/glossaries.hpp"

#include <algorithm>

#include "text/pattern.hpp"

namespace awend::text {

class Glossaries::Matcher {
 public:
  explicit Matcher(const std::string& pattern) : pattern_(base::Message("glossary"), pattern) {}

  bool match(std::string_view text) { return pattern_.matches(text); }

  void cut(std::string_view text, std::vector<std::string_view>& parts) {
    if (match(text)) return parts.push_back(text);
    std::size_t begin = 0;
    const auto part_until = [&](std::size_t end) {
      if (end > begin) parts.push_back(text.substr(begin, end - begin));
      begin = std::max(begin, end);
    };
    for (const TextRange& range : pattern_.find_all(text)) {
      part_until(range.begin);
      part_until(range.end);
    }
    part_until(text.size());
  }

 private:
  Pattern pattern_;
};

Glossaries::Glossaries(std::span<const std::string> patterns) {
  for (const std::string& pattern : patterns)
    matchers_.push_back(std::make_unique<Matcher>(pattern));
}
Glossaries::~Glossaries() = default;
Glossaries::Glossaries(Glossaries&&) noexcept = default;

bool Glossaries::match(std::string_view text) const {
  for (const auto& matcher : matchers_) {
    if (matcher->match(text)) return true;
  }
  return false;
}

std::vector<std::string_view> Glossaries::cut(std::string_view word) const {
  std::vector<std::string_view> parts = {word}, finer;
  for (const auto& matcher : matchers_) {
    finer.clear();
    for (const std::string_view part : parts) matcher->cut(part, finer);
    parts.swap(finer);
  }
  return parts;
}

}  // namespace awend::text
