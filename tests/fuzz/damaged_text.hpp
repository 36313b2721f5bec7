// Random damage to texts, for readers that must accept a text or throw an Error.
#pragma once

#include <random>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace awend::tests {

struct DamagedText {
  std::string whole;
  std::string_view bytes;     // that replace others
  std::size_t unchanged = 0;  // at the beginning
};

struct ReadCounts {
  unsigned read = 0, refused = 0;
};

/// Calls read(text) with 3000 versions of the text, each with one to three changes.
template <class Read>
ReadCounts read_damaged(const DamagedText& damaged, const Read& read) {
  std::mt19937 random(1);
  ReadCounts counts;
  for (int i = 0; i < 3000; ++i) {
    auto text = damaged.whole;
    for (auto changes = 1 + random() % 3; changes > 0 && text.size() > damaged.unchanged;
         --changes) {
      const auto place = damaged.unchanged + random() % (text.size() - damaged.unchanged);
      if (random() % 3 == 0) {
        text.erase(place, 1 + random() % 8);
      } else {
        text[place] = damaged.bytes[random() % damaged.bytes.size()];
      }
    }
    try {
      read(text);
      ++counts.read;
    } catch (const base::Error&) {
      ++counts.refused;
    }
  }
  return counts;
}

}  // namespace awend::tests
