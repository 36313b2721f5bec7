// Two systems of 21 lines with three references of 2, 4 or 5 words each: the sum of their mean
// lengths is not the exact one, and sacreBLEU's scores show it in their last digits.
#pragma once

#include <string>
#include <vector>

namespace awend::tests {

struct ThreeReferences {
  std::vector<std::string> first, second;            // the hypotheses of each system
  std::vector<std::vector<std::string>> references;  // one list of lines per reference
};

inline ThreeReferences three_references() {
  constexpr int kLines = 21, kReferences = 3;
  const std::string lines[] = {"a b", "a b c d", "a b c d e"};
  ThreeReferences corpus;
  corpus.references.resize(kReferences);
  for (int i = 0; i < kLines; ++i) {
    corpus.first.emplace_back("a b c");
    corpus.second.emplace_back(i % 4 == 0 ? "a x c" : i % 4 == 1 ? "a b" : "a b c");
    for (int k = 0; k < kReferences; ++k) {
      const int which = (2 * i * i + 2 * i + 2 * k + i % 5 * k) % kReferences;
      corpus.references[static_cast<std::size_t>(k)].push_back(lines[which]);
    }
  }
  return corpus;
}

}  // namespace awend::tests
