#include "data/masked_text.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"

namespace awend::data {
namespace {

// Separate the random numbers of an example from each other and from those of the same seed
// elsewhere: "bp", "bw" and "bm" in ASCII, above the epoch and the pair.
enum class Purpose : std::uint64_t { kPartner = 0x6270, kWords = 0x6277, kMasks = 0x626d };

// Sentences that are tried until one is not empty and not a neighbor.
constexpr int kTries = 16;

base::Random random_of(const MaskingSettings& settings, const EpochPair& pair, Purpose purpose) {
  const std::uint64_t stream =
      static_cast<std::uint64_t>(purpose) << 48 | (pair.epoch & 0xFFFF) << 32 | pair.pair;
  return base::Random(settings.seed, stream);
}

/// The number of tokens without the end of the sentence.
std::uint32_t tokens_of(const PairsView& corpus, std::uint32_t pair) {
  const auto [own, i] = corpus[pair];
  return own.source.tokens(i) - 1;
}

/// The pairs of the corpus that contains `pair`: begin and end.
batch::RowRange corpus_of(const PairsView& corpus, std::uint32_t pair) {
  const auto [own, i] = corpus[pair];
  const auto begin = pair - static_cast<std::uint32_t>(i);
  return {begin, begin + static_cast<std::uint32_t>(own.size)};
}

/// Truncates the longer one until both fit.
void truncate(std::uint32_t& first, std::uint32_t& second, std::uint32_t limit) {
  while (first + second > limit) --(first > second ? first : second);
}

}  // namespace

MaskedText::MaskedText(const text::Vocabulary& vocabulary, const MaskingSettings& settings)
    : settings_(settings), special_(encoder_ids(vocabulary)), continues_(vocabulary.size()) {
  base::check(settings.longest_rows > kAroundSegments + 1, "an example has at least two tokens");
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    const bool is_text = !vocabulary.is_special(id) && id != special_.pad &&
                         id != special_.unknown && id != special_.mask && !is_special(id);
    if (is_text) ordinary_.push_back(id);
    continues_[id] = vocabulary.piece(id).starts_with("##");
  }
  if (ordinary_.empty()) base::fail("the vocabulary has only special tokens");
}

MaskedText::Segments MaskedText::segments(const PairsView& corpus, const EpochPair& pair) const {
  const std::uint32_t tokens = tokens_of(corpus, pair.pair);
  if (tokens == 0) return {};
  Segments made{.first = pair.pair,
                .second = pair.pair,
                .first_tokens = tokens,
                .second_tokens = 0,
                .follows = true};
  if (!settings_.makes_pairs) {
    made.first_tokens = std::min(tokens, settings_.longest_rows - kAroundSegment);
    return made;
  }
  auto random = random_of(settings_, pair, Purpose::kPartner);
  const auto [begin, end] = corpus_of(corpus, pair.pair);
  const std::uint32_t next = pair.pair + 1;
  const bool has_next = next < end && tokens_of(corpus, next) > 0;
  made.follows = has_next && random.below(2) == 0;
  if (made.follows) made.second = next;
  for (int i = 0; !made.follows && made.second == pair.pair && i < kTries; ++i) {
    const auto other = begin + random.below(end - begin);
    if (other != next && tokens_of(corpus, other) > 0) made.second = other;
  }
  made.second_tokens = tokens_of(corpus, made.second);
  truncate(made.first_tokens, made.second_tokens, settings_.longest_rows - kAroundSegments);
  return made;
}

std::vector<std::uint32_t> MaskedText::ids_of(const PairsView& corpus,
                                              const Segments& segments) const {
  std::vector<std::uint32_t> ids{special_.classify};
  const auto append = [&](std::uint32_t pair, std::uint32_t tokens) {
    const auto [own, i] = corpus[pair];
    const auto begin = ids.size();
    own.source.append_to(ids, i);
    ids.resize(begin + tokens);
    ids.push_back(special_.separator);
  };
  append(segments.first, segments.first_tokens);
  if (segments.second_tokens > 0) append(segments.second, segments.second_tokens);
  return ids;
}

std::uint32_t MaskedText::predictions(std::uint32_t tokens) const {
  return std::max(1u, static_cast<std::uint32_t>(std::lround(settings_.mask_rate * tokens)));
}

/// Units, tokens or words, in random order, until the share of the tokens is reached.
std::vector<std::uint32_t> MaskedText::predicted(std::span<const std::uint32_t> ids,
                                                 const EpochPair& pair) const {
  std::vector<batch::RowRange> units;
  std::uint32_t tokens = 0;
  for (std::uint32_t place = 0; place < ids.size(); ++place) {
    if (is_special(ids[place])) continue;
    ++tokens;
    const bool joins = settings_.masks_whole_words && continues_[ids[place]] && !units.empty() &&
                       units.back().end == place;
    if (joins) {
      ++units.back().end;
    } else {
      units.push_back({place, place + 1});
    }
  }
  auto random = random_of(settings_, pair, Purpose::kWords);
  random.shuffle(std::span(units));
  const std::uint32_t limit = predictions(tokens);
  std::vector<std::uint32_t> places;
  for (const auto& unit : units) {
    const bool fits = places.size() + (unit.end - unit.begin) <= limit;
    if (!fits && !places.empty()) continue;  // a longer word, unless it would be the only one
    for (auto place = unit.begin; place < unit.end; ++place) places.push_back(place);
    if (places.size() >= limit) break;
  }
  std::ranges::sort(places);
  return places;
}

void MaskedText::mask(std::vector<std::uint32_t>& ids, std::span<const std::uint32_t> places,
                      const EpochPair& pair) const {
  auto random = random_of(settings_, pair, Purpose::kMasks);
  for (const auto place : places) {
    const auto choice = random.below(10);
    const auto other = ordinary_[random.below(static_cast<std::uint32_t>(ordinary_.size()))];
    if (choice < 8) ids[place] = special_.mask;
    if (choice == 8) ids[place] = other;
  }
}

PairRows MaskedText::rows(const PairsView& corpus, const EpochPair& pair) const {
  const auto made = segments(corpus, pair);
  const std::uint32_t tokens = made.first_tokens + made.second_tokens;
  if (tokens == 0) return {0, 0};
  const auto rows = tokens + (made.second_tokens > 0 ? kAroundSegments : kAroundSegment);
  if (!settings_.masks_whole_words) return {rows, predictions(tokens)};
  return {rows, static_cast<std::uint32_t>(predicted(ids_of(corpus, made), pair).size())};
}

std::uint32_t MaskedText::longest(const PairsView& corpus) const {
  std::uint32_t largest = 0;
  for (std::uint32_t pair = 0; pair < corpus.size(); ++pair)
    largest = std::max(largest, tokens_of(corpus, pair));
  corpus.forget();
  const auto rows =
      settings_.makes_pairs ? 2 * largest + kAroundSegments : largest + kAroundSegment;
  return std::min(rows, settings_.longest_rows);
}

void MaskedText::add(const PairsView& corpus, const EpochPair& pair,
                     batch::PackedBatch& batch) const {
  const auto made = segments(corpus, pair);
  auto ids = ids_of(corpus, made);
  const auto places = predicted(ids, pair);
  std::vector<std::uint32_t> answers;
  for (const auto place : places) answers.push_back(ids[place]);
  mask(ids, places, pair);
  add_example({.ids = ids,
               .second_segment = made.first_tokens + kAroundSegment,
               .predicted = places,
               .answers = answers,
               .label = made.follows ? 0u : 1u},
              batch);
}

}  // namespace awend::data
