#include "text/learn/learn.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "text/segment.hpp"

namespace awend::text {
namespace {

constexpr char32_t kCodePoints = 0x110000;

// The number of uses of each piece when the training text is encoded.
template <class Segmenter>
void count_pieces(std::span<const WordCount> words, unsigned threads, const Vocabulary& vocabulary,
                  std::vector<Piece>& pieces) {
  std::mutex mutex;
  base::run_on_threads(threads, [&](unsigned worker) {
    Segmenter segmenter(vocabulary);
    std::vector<std::uint64_t> counts(pieces.size());
    Ids ids;
    for (std::size_t i = worker; i < words.size(); i += threads) {
      ids.clear();
      segmenter.append(words[i].word, ids);
      for (const std::uint32_t id : ids) counts[id] += words[i].count;
    }
    const std::lock_guard lock(mutex);
    for (std::size_t id = 0; id < counts.size(); ++id) pieces[id].count += counts[id];
  });
}

}  // namespace

std::vector<Piece> learn_alphabet(std::span<const WordCount> words, const LearnSettings& settings) {
  std::vector<std::uint64_t> counts(kCodePoints);
  for (const WordCount& word : words) {
    for (std::size_t position = 0; position < word.word.size();) {
      const base::Utf8Step step = base::utf8_step(word.word, position);
      counts[step.code_point] += word.count;
      position += step.size_bytes;
    }
  }
  std::vector<Piece> alphabet;
  for (char32_t character = 0; character < kCodePoints; ++character) {
    const std::uint64_t count = counts[character];
    if (count == 0 || count < settings.min_frequency || is_always_bytes(character)) continue;
    Piece piece = {"", count};
    if (character == U' ') {
      piece.text = kSpaceMarker;
    } else {
      base::append_code_point(piece.text, character);
    }
    alphabet.push_back(std::move(piece));
  }
  std::stable_sort(alphabet.begin(), alphabet.end(), [](const Piece& a, const Piece& b) {
    return a.count != b.count ? a.count > b.count : a.text < b.text;
  });
  const std::size_t limit = settings.size - first_learned(settings);
  if (alphabet.size() > limit) alphabet.resize(limit);
  return alphabet;
}

AlphabetIndex::AlphabetIndex(std::span<const Piece> alphabet) : indices_(kCodePoints, kNone) {
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    const std::string_view text = alphabet[i].text;
    const char32_t character = text == kSpaceMarker ? U' ' : base::utf8_step(text, 0).code_point;
    indices_[character] = static_cast<std::uint32_t>(i);
  }
}

namespace {

Vocabulary learn_plain(std::span<const WordCount> words, const LearnSettings& settings,
                       const LearnProgress& progress) {
  const std::vector<Piece> alphabet = learn_alphabet(words, settings);
  const bool pairs = settings.type == VocabularyType::kBpe;
  VocabularyContent content = pairs ? learn_pairs(words, alphabet, settings, progress)
                                    : learn_word_pieces(words, alphabet, settings, progress);
  content.type = settings.type;
  content.form = settings.form;
  for (Piece& piece : content.pieces) piece.count = 0;
  const Vocabulary uncounted(content);
  if (pairs) {
    count_pieces<PairMerger>(words, settings.threads, uncounted, content.pieces);
  } else {
    count_pieces<LongestMatcher>(words, settings.threads, uncounted, content.pieces);
  }
  return Vocabulary(std::move(content));
}

// Symbols are separate words here, and nothing is learned from them.
Vocabulary learn_beside_symbols(std::span<const WordCount> words, const LearnSettings& settings,
                                const LearnProgress& progress) {
  const SymbolSplitter splitter(settings.symbols.user);
  std::vector<std::uint64_t> counts(settings.symbols.user.size());
  std::pmr::vector<WordCount> others(settings.memory);
  for (const WordCount& word : words) {
    splitter.split(word.word, [&](std::string_view part, std::optional<std::size_t> symbol) {
      if (symbol)
        counts[*symbol] += word.count;
      else
        others.push_back({part, word.count});
    });
  }
  VocabularyContent content = learn_plain(others, settings, progress).content();
  for (std::size_t i = 0; i < counts.size(); ++i)
    content.pieces[Vocabulary::kFirstCharacter + content.control_symbols + i].count = counts[i];
  return Vocabulary(std::move(content));
}

}  // namespace

Vocabulary learn(std::span<const WordCount> words, const LearnSettings& settings,
                 const LearnProgress& progress) {
  base::check(settings.size > first_learned(settings),
              "a vocabulary is large enough for a character");
  if (!settings.symbols.user.empty()) return learn_beside_symbols(words, settings, progress);
  return learn_plain(words, settings, progress);
}

std::uint32_t first_learned(const LearnSettings& settings) {
  const auto symbols = settings.symbols.control.size() + settings.symbols.user.size();
  return Vocabulary::kFirstCharacter + static_cast<std::uint32_t>(symbols);
}

VocabularyContent first_pieces(const LearnSettings& settings) {
  VocabularyContent content;
  content.pieces = special_pieces();
  for (const std::string& symbol : settings.symbols.control) content.pieces.push_back({symbol, 0});
  for (const std::string& symbol : settings.symbols.user) content.pieces.push_back({symbol, 0});
  content.control_symbols = static_cast<std::uint32_t>(settings.symbols.control.size());
  content.user_symbols = static_cast<std::uint32_t>(settings.symbols.user.size());
  return content;
}

}  // namespace awend::text
