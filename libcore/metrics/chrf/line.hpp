// A line as chrF counts it: its characters and, in chrF++, numbers for its words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/chrf/chrf.hpp"
#include "metrics/chrf/text.hpp"
#include "text/case.hpp"

namespace awend::metrics {

/// The number of n-grams of `order` symbols among `symbols`.
constexpr std::int64_t ngram_count(std::size_t symbols, std::size_t order) {
  return symbols < order ? 0 : static_cast<std::int64_t>(symbols - order + 1);
}

class ChrfLine {
 public:
  using Symbols = std::vector<std::uint32_t>;

  explicit ChrfLine(const ChrfSettings& settings) : settings_(settings) {}

  /// Replaces the symbols.  `number` turns a word into its number.
  template <class Number>
  void read(std::string_view line, const Number& number) {
    if (settings_.lowercase) {
      lower_ = text::lower_case(line);
      line = lower_;
    }
    if (settings_.whitespace) {
      chrf_characters(line, characters_, [](char32_t) { return true; });
    } else {
      chrf_characters(line, characters_, [](char32_t c) { return !is_python_space(c); });
    }
    if (settings_.word_order == 0) return;
    words_.clear();
    for_each_chrf_word(line, [&](std::string_view word) { words_.push_back(number(word)); });
  }

  const Symbols& characters() const { return characters_; }
  const Symbols& words() const { return words_; }

 private:
  ChrfSettings settings_;
  std::string lower_;
  Symbols characters_, words_;
};

}  // namespace awend::metrics
