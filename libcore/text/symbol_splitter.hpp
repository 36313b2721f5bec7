// Symbols that are kept whole anywhere in a text, such as language tags. Test:
// tests/unit/text/symbol_splitter_test.cpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/normalize.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// Immutable.
class SymbolSplitter {
 public:
  explicit SymbolSplitter(const std::vector<std::string>& symbols = {});

  /// Calls visit(part, index) for the parts of a text from left to right, with the index of a
  /// symbol or nothing for text between symbols.  Of the symbols at a position, the longest is
  /// used.
  template <class Visit>
  void split(std::string_view text, const Visit& visit) const {
    std::size_t begin = 0;
    if (!symbols_.empty()) {
      for (std::size_t at = 0; at < text.size();) {
        const Symbol* symbol = find(text.substr(at));
        if (symbol == nullptr) {
          ++at;
          continue;
        }
        if (at > begin) visit(text.substr(begin, at - begin), std::optional<std::size_t>());
        visit(text.substr(at, symbol->text.size()), std::optional<std::size_t>(symbol->index));
        begin = at += symbol->text.size();
      }
    }
    if (text.size() > begin) visit(text.substr(begin), std::optional<std::size_t>());
  }

 private:
  struct Symbol {
    std::string text;
    std::size_t index;
  };
  const Symbol* find(std::string_view text) const;

  std::vector<Symbol> symbols_;             // the longest first
  std::array<bool, 256> first_bytes_ = {};  // of symbols
};

/// The symbols of a vocabulary of build-vocab.
std::vector<std::string> user_symbols_of(const Vocabulary& vocabulary);

struct SymbolLists {
  std::vector<std::string> control, user;
};

/// UsageError for symbols that a vocabulary of build-vocab cannot have: with white space, control
/// characters or U+2581; duplicates; with the name of a special piece; changed by normalization; or
/// control symbols that are not like <this>, which cannot be part of a word.
void check_symbols(const SymbolLists& symbols, const TextForm& form);

}  // namespace awend::text
