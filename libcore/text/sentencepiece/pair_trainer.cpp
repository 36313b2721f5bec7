#include "text/sentencepiece/pair_trainer.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/learn/pair_learner.hpp"
#include "text/sentencepiece/frame.hpp"
#include "text/sentencepiece/piece_rule.hpp"
#include "text/sentencepiece/protobuf.hpp"

namespace awend::text {
namespace {

constexpr char32_t kCodePoints = 0x110000;

std::vector<std::string> special_texts(const SentencePieceContent& content) {
  std::vector<std::string> texts;
  for (const ModelPiece& piece : content.pieces) {
    if (piece.type != PieceType::kNormal) texts.push_back(piece.text);
  }
  return texts;
}

template <class Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const base::Utf8Step step = base::utf8_step(text, at);
    visit(step.code_point);
    at += step.size_bytes;
  }
}

}  // namespace

PairTrainer::PairTrainer(const SentencePieceTraining& settings)
    : settings_(settings),
      frame_(sentencepiece_frame(settings)),
      frame_content_(sentencepiece_content(frame_)),
      special_pieces_(special_texts(frame_content_).size()),
      words_(frame_content_.normalizer, special_texts(frame_content_)) {}

std::string PairTrainer::learn(std::span<const WordCount> words, std::pmr::memory_resource* memory,
                               const std::function<void(std::size_t)>& progress) const {
  const auto characters = required_characters(words);
  if (special_pieces_ + characters.size() > settings_.size)
    fail_too_small(settings_.size, special_pieces_ + characters.size());
  return serialized(learned_pieces(words, characters, memory, progress));
}

// The most frequent characters, until they cover the text, with SentencePiece's rounding.
std::vector<PairTrainer::Character> PairTrainer::required_characters(
    std::span<const WordCount> words) const {
  std::vector<std::uint64_t> counts(kCodePoints);
  std::uint64_t all = 0;
  for (const WordCount& word : words) {
    for_each_character(word.word, [&](char32_t c) {
      if (c == 0) return;
      counts[c] += word.count;
      all += word.count;
    });
  }
  std::vector<Character> sorted;
  for (char32_t c = 0; c < kCodePoints; ++c) {
    if (counts[c] > 0) sorted.push_back({c, counts[c]});
  }
  std::ranges::stable_sort(sorted, std::greater<>(), &Character::count);
  std::vector<Character> required;
  std::uint64_t covered = 0;
  for (const Character& character : sorted) {
    const auto coverage =
        static_cast<float>(static_cast<double>(covered) / static_cast<double>(all));
    if (coverage >= static_cast<float>(settings_.character_coverage)) break;
    covered += character.count;
    if (character.code_point != TrainingWords::kBoundary) required.push_back(character);
  }
  return required;
}

std::vector<std::string> PairTrainer::learned_pieces(
    std::span<const WordCount> words, const std::vector<Character>& characters,
    std::pmr::memory_resource* memory, const std::function<void(std::size_t)>& progress) const {
  constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<std::uint32_t> symbols(kCodePoints, kNone);
  std::vector<std::string> texts;
  for (const Character& character : characters) {
    symbols[character.code_point] = static_cast<std::uint32_t>(texts.size());
    base::append_code_point(texts.emplace_back(), character.code_point);
  }
  // Other characters, and the places of symbols, separate parts.
  SymbolWords parts(memory);
  for (const WordCount& word : words) {
    for_each_character(word.word, [&](char32_t c) {
      if (symbols[c] == kNone)
        parts.end_word(word.count);
      else
        parts.symbols.push_back(symbols[c]);
    });
    parts.end_word(word.count);
  }
  const DigitRule digits = settings_.split_digits ? DigitRule::kEach : DigitRule::kTogether;
  const std::size_t first = special_pieces_ + texts.size();
  (void)learn_merges(
      std::move(parts), texts,
      {.order = MergeOrder::kShortestFirst,
       .accepts = [&](std::string_view text) { return is_possible_piece(text, digits); },
       .max_merges = settings_.size - first,
       .min_frequency = 0,
       .progress = [&](std::size_t merges, std::size_t) { progress(first + merges); }});
  // The characters follow the merges.
  std::rotate(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(characters.size()),
              texts.end());
  return texts;
}

// The pieces in the gaps between the special ones, and the settings of the frame.
std::string PairTrainer::serialized(const std::vector<std::string>& pieces) const {
  using namespace protobuf;
  std::string model;
  const auto add = [&](const ModelPiece& piece) {
    std::string message;
    append_bytes(message, kPieceText, piece.text);
    append_float(message, kPieceScore, piece.score);
    if (piece.type != PieceType::kNormal)
      append_varint(message, kPieceType, static_cast<std::uint64_t>(piece.type));
    append_bytes(model, kPieces, message);
  };
  std::size_t next = 0, specials = 0;
  const auto add_learned = [&] {
    if (next == pieces.size()) return;
    add({pieces[next], -static_cast<float>(next), PieceType::kNormal});
    ++next;
  };
  for (std::size_t id = 0; id < frame_content_.pieces.size(); ++id) {
    const ModelPiece& piece = frame_content_.pieces[id];
    if (piece.type == PieceType::kNormal) {
      add_learned();
      continue;
    }
    if (next + specials != id)
      base::fail("SentencePiece: no piece precedes the special piece '", piece.text, "' with id ",
                 id, ", because the text yields only ", pieces.size(), " pieces");
    add(piece);
    ++specials;
  }
  while (next < pieces.size()) add_learned();
  append_frame(frame_,
               {.type = SentencePieceTraining::Type::kBpe,
                .character_coverage = settings_.character_coverage,
                .size = special_pieces_ + pieces.size()},
               model);
  return model;
}

}  // namespace awend::text
