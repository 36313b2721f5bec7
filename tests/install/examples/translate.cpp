// Translates the lines of stdin: score, tab, text.
#include <iostream>

#include "awend/decode/open.hpp"

int main(int, char** argv) {
  auto model = awend::decode::open(argv[1]);
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
  for (const auto& translations : model.translate(lines)) {
    const auto& best = translations.front();
    std::cout << best.score() << '\t' << best.line() << '\n';
  }
}
