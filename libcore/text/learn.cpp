#include "text/learn.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/segment.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

// Calls visit(character as pieces write it, or an empty text for one that no piece may have).
template <class Visit>
void for_each_character(std::string_view word, const Visit& visit) {
  for (std::size_t position = 0; position < word.size();) {
    const base::Utf8Step step = base::utf8_step(word, position);
    std::string_view character = word.substr(position, step.size_bytes);
    if (step.code_point == U' ') character = kSpaceMarker;
    visit(is_always_bytes(step.code_point) ? std::string_view() : character);
    position += step.size_bytes;
  }
}

// The characters that are frequent enough, the most frequent first; among equals by code point.
std::vector<Piece> alphabet_of(std::span<const WordCount> words, const LearnSettings& settings) {
  std::map<std::string, std::uint64_t, std::less<>> counts;
  for (const WordCount& word : words) {
    for_each_character(word.word, [&](std::string_view character) {
      const auto found = counts.find(character);
      if (found != counts.end()) {
        found->second += word.count;
      } else if (!character.empty()) {
        counts.emplace(character, word.count);
      }
    });
  }
  std::vector<Piece> alphabet;
  for (const auto& [character, count] : counts) {
    if (count >= settings.min_frequency) alphabet.push_back({character, count});
  }
  std::stable_sort(alphabet.begin(), alphabet.end(),
                   [](const Piece& a, const Piece& b) { return a.count > b.count; });
  const std::size_t room = settings.size - Vocabulary::kFirstCharacter;
  if (alphabet.size() > room) alphabet.resize(room);
  return alphabet;
}

// How often each piece is used when the text that was learnt from is encoded.
template <class Segmenter>
void count_pieces(std::span<const WordCount> words, const Segmenter& segmenter,
                  std::vector<Piece>& pieces) {
  Ids ids;
  for (const WordCount& word : words) {
    ids.clear();
    segmenter.append(word.word, ids);
    for (const std::uint32_t id : ids) pieces[id].count += word.count;
  }
}

}  // namespace

LearnInput learn_input(std::span<const WordCount> words, const LearnSettings& settings) {
  LearnInput input{alphabet_of(words, settings), {}};
  std::set<std::string_view> known;
  for (const Piece& character : input.alphabet) known.insert(character.text);
  std::map<std::string, std::uint64_t> parts;
  for (const WordCount& word : words) {
    std::string part;
    const auto end_part = [&] {
      if (!part.empty()) parts[part] += word.count;
      part.clear();
    };
    for_each_character(word.word, [&](std::string_view character) {
      if (known.contains(character)) {
        part += character;
      } else {
        end_part();
      }
    });
    end_part();
  }
  for (auto& [part, count] : parts) input.parts.push_back({part, count});
  return input;
}

Vocabulary learn(std::span<const WordCount> words, const LearnSettings& settings,
                 const LearnProgress& progress) {
  base::check(settings.size > Vocabulary::kFirstCharacter, "a vocabulary has room for a character");
  const LearnInput input = learn_input(words, settings);
  const bool pairs = settings.type == VocabularyType::kBpe;
  VocabularyContent content =
      pairs ? learn_pairs(input, settings, progress) : learn_word_pieces(input, settings, progress);
  content.type = settings.type;
  content.normalization = settings.normalization;
  for (Piece& piece : content.pieces) piece.count = 0;
  const Vocabulary uncounted(content);
  if (pairs) {
    count_pieces(words, PairMerger(uncounted), content.pieces);
  } else {
    count_pieces(words, LongestMatcher(uncounted), content.pieces);
  }
  return Vocabulary(std::move(content));
}

}  // namespace awend::text
