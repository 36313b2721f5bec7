#include "text/sentencepiece/printed_pieces.hpp"

#include <algorithm>
#include <unordered_set>

#include "text/sentencepiece/line_text.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

constexpr std::string_view kBreaks = " \n";
constexpr std::string_view kLineFeed = "\u240A";

std::string replaced(std::string_view text, std::string_view space, std::string_view line_feed) {
  std::string out;
  for (const char c : text) {
    if (c == ' ')
      out += space;
    else if (c == '\n')
      out += line_feed;
    else
      out += c;
  }
  return out;
}

bool has_break(std::string_view text) {
  return text.find_first_of(kBreaks) != text.npos;
}

}  // namespace

PrintedPieces::PrintedPieces(const std::vector<std::string_view>& pieces) {
  if (!std::ranges::any_of(pieces, has_break)) return;
  std::unordered_set<std::string> used;
  for (const std::string_view piece : pieces) {
    if (!has_break(piece)) used.emplace(piece);
  }
  for (const std::string_view piece : pieces) {
    if (!has_break(piece)) continue;
    std::string token = replaced(piece, kSpaceMarker, kLineFeed);
    if (!used.insert(token).second) {
      token = replaced(piece, "<0x20>", "<0x0A>");
      used.insert(token);
    }
    tokens_.emplace(piece, token);
    pieces_.emplace(token, piece);
  }
}

std::string PrintedPieces::printed(std::string_view piece) const {
  if (const auto found = tokens_.find(std::string(piece)); found != tokens_.end())
    return found->second;
  const std::string text = without_breaks(piece);
  return text.find(' ') == text.npos ? text : replaced(text, kSpaceMarker, kLineFeed);
}

}  // namespace awend::text
