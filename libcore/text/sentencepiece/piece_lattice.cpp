#include "text/sentencepiece/piece_lattice.hpp"

#include <algorithm>

namespace awend::text {
namespace {

// SentencePiece's penalty of an unknown character.
constexpr float kUnknownPenalty = 10;

std::vector<PieceTrie::Entry> texts_of(const std::vector<ModelPiece>& pieces) {
  std::vector<PieceTrie::Entry> texts;
  for (std::uint32_t id = 0; id < pieces.size(); ++id) {
    const auto type = pieces[id].type;
    if (type == PieceType::kNormal || type == PieceType::kUserDefined)
      texts.push_back({pieces[id].text, id});
  }
  return texts;
}

}  // namespace

PieceScores::PieceScores(const SentencePieceContent& content) : trie_(texts_of(content.pieces)) {
  // The library starts its search for the maximum with the least positive number.
  float lowest = std::numeric_limits<float>::max();
  highest_ = std::numeric_limits<float>::min();
  for (std::uint32_t id = 0; id < content.pieces.size(); ++id) {
    const ModelPiece& piece = content.pieces[id];
    scores_.push_back({piece.score, piece.type == PieceType::kUserDefined});
    if (piece.type == PieceType::kUnknown) unknown_ = id;
    if (piece.type != PieceType::kNormal) continue;
    lowest = std::min(lowest, piece.score);
    highest_ = std::max(highest_, piece.score);
    bounded_ = bounded_ && piece.score <= 0;
  }
  unknown_score_ = lowest - kUnknownPenalty;
  bounded_ = bounded_ && unknown_score_ <= 0;
}

// The library compares a sum in double precision with one that was rounded to a float.
void PieceLattice::extend(std::size_t end, double score, std::uint32_t begin, std::uint32_t id) {
  Node& node = nodes_[end];
  const auto rounded = static_cast<float>(score);
  if (node.begin == kNone || score > static_cast<double>(node.score)) {
    if (node.begin != kNone) node.second = node.score;
    node.score = rounded;
    node.begin = begin;
    node.id = id;
  } else {
    node.second = std::max(node.second, rounded);
  }
}

PathScore PieceLattice::segment(std::string_view text, PieceSpans& spans) {
  nodes_.assign(text.size() + 1, {});
  for (std::size_t begin = 0; begin < text.size();) {
    const std::string_view rest = text.substr(begin);
    const std::size_t character = first_character_bytes(rest);
    const float before = nodes_[begin].score;
    const auto from = static_cast<std::uint32_t>(begin);
    bool has_character = false;
    scores_.trie().for_each_prefix(rest, [&](std::size_t size, std::uint32_t id) {
      extend(begin + size, scores_.score(id, size) + static_cast<double>(before), from, id);
      has_character = has_character || size == character;
    });
    if (!has_character) {
      const float sum = scores_.unknown_score() + before;
      extend(begin + character, static_cast<double>(sum), from, scores_.unknown());
    }
    begin += character;
  }
  return trace(text.size(), spans);
}

PathScore PieceLattice::trace(std::size_t size_bytes, PieceSpans& spans) const {
  const std::size_t first = spans.size();
  float margin = std::numeric_limits<float>::infinity();
  for (std::size_t end = size_bytes; end > 0;) {
    const Node& node = nodes_[end];
    margin = std::min(margin, node.score - node.second);
    spans.push_back({node.begin, static_cast<std::uint32_t>(end) - node.begin, node.id});
    end = node.begin;
  }
  std::reverse(spans.begin() + static_cast<std::ptrdiff_t>(first), spans.end());
  PathScore path{.sum = nodes_[size_bytes].score};
  if (!scores_.are_bounded() || !(margin > 0)) return path;
  // Each of at most size_bytes + 2 additions on two paths, in the line and here, is wrong by less
  // than this part of the sum.
  const float additions = 4 * static_cast<float>(size_bytes + 2);
  path.certain_below = margin / (additions * std::numeric_limits<float>::epsilon());
  return path;
}

}  // namespace awend::text
