// Pieces of a SentencePiece model in token lines, where a space separates tokens and a line feed
// lines: a space within a piece is printed as U+2581 and a line feed as U+240A, or as <0x20> and
// <0x0A> if another piece has that text.
//
// Test: tests/unit/text/sentencepiece/printed_pieces_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace awend::text {

class PrintedPieces {
 public:
  PrintedPieces() = default;
  /// Of the texts of all pieces.
  explicit PrintedPieces(const std::vector<std::string_view>& pieces);

  /// A piece or unknown text of the model, as printed.
  std::string printed(std::string_view piece) const;
  /// The piece that a token is; other tokens are text.
  std::string_view piece(std::string_view token) const {
    const auto found = pieces_.find(std::string(token));
    return found == pieces_.end() ? token : std::string_view(found->second);
  }

 private:
  // Only pieces that are not printed as they are.
  std::unordered_map<std::string, std::string> tokens_, pieces_;
};

}  // namespace awend::text
