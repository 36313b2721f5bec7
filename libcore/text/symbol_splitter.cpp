#include "text/symbol_splitter.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/characters.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

bool has_unwritable(std::string_view symbol) {
  for (std::size_t at = 0; at < symbol.size();) {
    const base::Utf8Step step = base::utf8_step(symbol, at);
    if (step.code_point == U' ' || is_always_bytes(step.code_point)) return true;
    at += step.size_bytes;
  }
  return false;
}

}  // namespace

SymbolSplitter::SymbolSplitter(const std::vector<std::string>& symbols) {
  for (const std::string& symbol : symbols) {
    first_bytes_[static_cast<unsigned char>(symbol.front())] = true;
    symbols_.push_back({symbol, symbols_.size()});
  }
  std::ranges::stable_sort(symbols_, std::greater(),
                           [](const Symbol& symbol) { return symbol.text.size(); });
}

const SymbolSplitter::Symbol* SymbolSplitter::find(std::string_view text) const {
  if (!first_bytes_[static_cast<unsigned char>(text.front())]) return nullptr;
  const auto found = std::ranges::find_if(
      symbols_, [&](const Symbol& symbol) { return text.starts_with(symbol.text); });
  return found == symbols_.end() ? nullptr : &*found;
}

std::vector<std::string> user_symbols_of(const Vocabulary& vocabulary) {
  std::vector<std::string> symbols;
  if (!is_reversible(vocabulary.type())) return symbols;
  for (std::uint32_t id = vocabulary.first_user_symbol(); id < vocabulary.first_learned(); ++id)
    symbols.emplace_back(vocabulary.piece(id));
  return symbols;
}

void check_symbols(const SymbolLists& symbols, const TextForm& form) {
  std::unordered_set<std::string> known;
  for (const Piece& piece : special_pieces()) known.insert(piece.text);
  Normalizer normalizer(form);
  const auto check = [&](const std::string& symbol) {
    if (symbol.empty()) throw base::UsageError("a symbol is empty");
    const auto refuse = [&](std::string_view what) {
      throw base::UsageError(base::concat("the symbol '", symbol, "' ", what));
    };
    if (base::find_invalid_utf8(symbol) != symbol.npos) refuse("is not UTF-8");
    if (has_unwritable(symbol)) refuse("has white space, a control character or U+2581 in it");
    if (!known.insert(symbol).second) refuse("exists already");
    const std::string_view normal = normalizer.apply(symbol);
    if (normal != symbol) refuse(base::concat("is '", normal, "' after normalization"));
  };
  for (const std::string& symbol : symbols.control) {
    check(symbol);
    const bool tag = symbol.size() > 2 && symbol.front() == '<' && symbol.back() == '>';
    if (!tag || is_mark(base::utf8_step(symbol, 1).code_point)) {
      throw base::UsageError(base::concat("the control symbol '", symbol, "' is not like <this>"));
    }
  }
  for (const std::string& symbol : symbols.user) check(symbol);
}

}  // namespace awend::text
