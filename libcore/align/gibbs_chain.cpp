#include "align/gibbs_chain.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace awend::align {
namespace {

// Of the Dirichlet priors of a source word's translations, of distances, and of fertilities.
constexpr float kLexiconAlpha = 0.0003F, kJumpAlpha = 0.5F, kFertilityAlpha = 0.5F;
// The probability that a target word comes from no word.
constexpr float kNoWordProbability = 0.2F;

float as_float(std::uint64_t count) {
  return static_cast<float>(static_cast<double>(count) / kCountUnit);
}

}  // namespace

PairPlaces::PairPlaces(const Bitext& bitext, Direction direction, const Lexicon& lexicon,
                       std::size_t memory_bytes, unsigned threads)
    : bitext_(bitext), direction_(direction), lexicon_(lexicon) {
  std::uint64_t words = 0, places = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const auto [source, target] = pair(i);
    first_words_.push_back(words);
    first_places_.push_back(places);
    words += target.size();
    places += target.size() * (source.size() + 1);
    longest_source_ = std::max(longest_source_, source.size());
  }
  first_words_.push_back(words);
  first_places_.push_back(places);
  if (places * sizeof(std::uint32_t) > memory_bytes) return;
  places_.resize(places);
  base::run_on_threads(threads, [&](unsigned worker) {
    for (auto i = size() * worker / threads; i < size() * (worker + 1) / threads; ++i)
      search(i, places_.data() + first_places_[i]);
  });
}

void PairPlaces::search(std::size_t i, std::uint32_t* places) const {
  const auto [source, target] = pair(i);
  for (const auto t : target) {
    lexicon_.prefetch(kNoWord, t);
    for (const auto s : source) lexicon_.prefetch(s, t);
  }
  const auto find = [&](WordId s, WordId t) { return std::min(lexicon_.find(s, t), none()); };
  for (const auto t : target) {
    *places++ = find(kNoWord, t);
    for (const auto s : source) *places++ = find(s, t);
  }
}

std::span<const std::uint32_t> PairPlaces::of(std::size_t i,
                                              std::vector<std::uint32_t>& scratch) const {
  const auto count = first_places_[i + 1] - first_places_[i];
  if (!places_.empty()) return std::span(places_).subspan(first_places_[i], count);
  scratch.resize(count);
  search(i, scratch.data());
  return scratch;
}

struct GibbsChain::Sentence {
  std::span<const WordId> source;
  std::span<const std::uint32_t> places;
  const std::int16_t* links;
  std::size_t targets;
  Scratch& scratch;

  std::size_t width() const { return source.size() + 1; }
  WordId word(int position) const { return position < 0 ? kNoWord : source[position]; }
};

GibbsChain::GibbsChain(const PairPlaces& places, std::size_t source_words,
                       std::vector<std::int16_t> links, const Prior& prior, std::uint64_t seed)
    : places_(places),
      prior_jumps_(prior.jumps),
      random_(seed),
      links_(std::move(links)),
      counts_(places.none() + std::size_t{1}),
      words_(source_words),
      longest_(places.longest_source() + 1) {
  counts_[places.none()] = -kLexiconAlpha;  // so that the weight of these pairs is 0
  places.lexicon().for_each_pair([&](WordId source) { words_[source].total += kLexiconAlpha; });
  for (const auto& entry : prior.lexicon) {
    const auto place = places.lexicon().find(entry.source, entry.target);
    if (place == Lexicon::kNone) continue;
    counts_[place] += as_float(entry.count);
    words_[entry.source].total += as_float(entry.count);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto [source, target] = places.pair(i);
    if (source.empty()) continue;
    const auto all = places.of(i, scratch_.places_);
    for (std::size_t t = 0; t < target.size(); ++t) {
      auto& link = links_[places.first_word(i) + t];
      auto place = all[t * (source.size() + 1) + static_cast<std::size_t>(link + 1)];
      if (place == places.none()) {
        link = kNoLink;
        place = all[t * (source.size() + 1)];
      }
      ++counts_[place];
      words_[link < 0 ? kNoWord : source[link]].total += 1;
    }
  }
  count_steps();
}

/// Distances and fertilities are those of all links of the last sweep.
void GibbsChain::count_steps() {
  std::vector<std::uint64_t> jumps(2 * longest_ + 1);
  std::vector<std::uint32_t> fertilities(words_.size() * kFertilities);
  auto& of_pair = scratch_.fertilities_;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto [source, target] = places_.pair(i);
    if (source.empty() || target.empty()) continue;
    const auto count_jump = [&](int from, int to) {
      ++jumps[static_cast<std::size_t>(static_cast<int>(longest_) + to - from)];
    };
    of_pair.assign(source.size(), 0);
    int before = -1;
    for (auto at = places_.first_word(i); at < places_.first_word(i + 1); ++at) {
      if (links_[at] == kNoLink) continue;
      ++of_pair[links_[at]];
      count_jump(before, links_[at]);
      before = links_[at];
    }
    count_jump(before, static_cast<int>(source.size()));
    for (std::size_t s = 0; s < source.size(); ++s)
      ++fertilities[source[s] * kFertilities + std::min<std::size_t>(of_pair[s], kFertilities - 1)];
  }
  const auto farthest = prior_jumps_.size() / 2;
  double total = 0;
  std::vector<double> smoothed(jumps.size());
  for (std::size_t i = 0; i < jumps.size(); ++i) {
    smoothed[i] = static_cast<double>(jumps[i]) + kJumpAlpha;
    if (i + farthest >= longest_ && i + farthest - longest_ < prior_jumps_.size())
      smoothed[i] += as_float(prior_jumps_[i + farthest - longest_]);
    total += smoothed[i];
  }
  jumps_.resize(jumps.size());
  for (std::size_t i = 0; i < jumps.size(); ++i)
    jumps_[i] = static_cast<float>(smoothed[i] / total);
  reversed_jumps_.assign(jumps_.rbegin(), jumps_.rend());
  for (std::size_t word = 0; word < words_.size(); ++word) {
    const auto* count = &fertilities[word * kFertilities];
    for (std::size_t n = 0; n < kFertilities; ++n) {
      const auto more = n + 1 < kFertilities ? static_cast<float>(count[n + 1]) : 0;
      words_[word].growth[n] =
          (more + kFertilityAlpha) / (static_cast<float>(count[n]) + kFertilityAlpha);
    }
  }
}

GibbsChain::Sentence GibbsChain::enter(std::size_t i, Scratch& scratch) const {
  const auto [source, target] = places_.pair(i);
  const Sentence sentence{.source = source,
                          .places = places_.of(i, scratch.places_),
                          .links = &links_[places_.first_word(i)],
                          .targets = target.size(),
                          .scratch = scratch};
  scratch.fertilities_.assign(source.size(), 0);
  scratch.next_.resize(target.size());
  int next = static_cast<int>(source.size());
  for (auto t = target.size(); t-- > 0;) {
    scratch.next_[t] = next;
    if (sentence.links[t] == kNoLink) continue;
    next = sentence.links[t];
    ++scratch.fertilities_[static_cast<std::size_t>(next)];
  }
  scratch.extra_.assign(sentence.width(), kLexiconAlpha);
  scratch.factors_.resize(sentence.width());
  scratch.weights_.resize(sentence.width());
  scratch.has_repeated_words_ = false;
  set_factor(sentence, -1, 0);
  for (int s = 0; s < static_cast<int>(source.size()); ++s) {
    set_factor(sentence, s, 0);
    for (int before = 0; before < s; ++before)
      scratch.has_repeated_words_ |= source[before] == source[s];
  }
  return sentence;
}

/// Sets what a source word contributes to the weights, while `excluded` links to it are left out.
void GibbsChain::set_factor(const Sentence& sentence, int position, float excluded) const {
  const auto& of_word = words_[sentence.word(position)];
  auto& scratch = sentence.scratch;
  const auto at = static_cast<std::size_t>(position + 1);
  float factor = kNoWordProbability;
  if (position >= 0) {
    const auto fertility = std::min<std::size_t>(scratch.fertilities_[at - 1], kFertilities - 1);
    factor = (1 - kNoWordProbability) * of_word.growth[fertility];
  }
  scratch.extra_[at] = kLexiconAlpha - excluded;
  scratch.factors_[at] = factor / static_cast<float>(of_word.total - excluded);
}

/// The same for all positions with the word at this one.
void GibbsChain::set_factors(const Sentence& sentence, int position, float excluded) const {
  if (position < 0 || !sentence.scratch.has_repeated_words_)
    return set_factor(sentence, position, excluded);
  for (int s = 0; s < static_cast<int>(sentence.source.size()); ++s) {
    if (sentence.source[s] == sentence.source[position]) set_factor(sentence, s, excluded);
  }
}

/// The weights of all source words for a target word, and their sum.
float GibbsChain::weigh(const Sentence& sentence, std::size_t target, int before) const {
  auto& scratch = sentence.scratch;
  const auto* const place = &sentence.places[target * sentence.width()];
  const int after = scratch.next_[target];
  // Of the source word at s: the step to it, and the step from it.
  const float* const to = &jumps_[longest_] - before;
  const float* const from = &reversed_jumps_[longest_] - after;
  const float* const extra = scratch.extra_.data() + 1;
  const float* const factor = scratch.factors_.data() + 1;
  auto* const weight = scratch.weights_.data() + 1;
  const auto words = static_cast<int>(sentence.source.size());
  weight[-1] = (extra[-1] + static_cast<float>(counts_[place[0]])) * factor[-1] *
               jumps_[longest_ + static_cast<std::size_t>(after - before)];
  for (int s = 0; s < words; ++s)
    weight[s] =
        (extra[s] + static_cast<float>(counts_[place[s + 1]])) * factor[s] * to[s] * from[s];
  float sums[4] = {weight[-1]};
  int s = 0;
  for (; s + 4 <= words; s += 4) {
    for (int i = 0; i < 4; ++i) sums[i] += weight[s + i];
  }
  for (; s < words; ++s) sums[0] += weight[s];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void GibbsChain::sweep() {
  for (std::size_t i = 0; i < places_.size(); ++i) draw(i);
  count_steps();
}

void GibbsChain::draw(std::size_t i) {
  const auto sentence = enter(i, scratch_);
  if (sentence.source.empty()) return;
  auto* const links = &links_[places_.first_word(i)];
  int before = -1;
  for (std::size_t t = 0; t < sentence.targets; ++t) {
    const int old = links[t];
    if (old >= 0) --scratch_.fertilities_[static_cast<std::size_t>(old)];
    set_factors(sentence, old, 1);
    float left = random_.uniform() * weigh(sentence, t, before);
    const auto& weights = scratch_.weights_;
    std::size_t drawn = 0;
    while (drawn + 1 < weights.size() && left >= weights[drawn]) left -= weights[drawn++];
    // Rounding may lead to a pair that the lexicon does not have.
    if (weights[drawn] <= 0)
      drawn = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
    const int link = static_cast<int>(drawn) - 1;
    if (link >= 0) ++scratch_.fertilities_[static_cast<std::size_t>(link)];
    if (link != old) {
      const auto* place = &sentence.places[t * sentence.width()];
      --counts_[place[old + 1]];
      ++counts_[place[drawn]];
      words_[sentence.word(old)].total -= 1;
      words_[sentence.word(link)].total += 1;
      links[t] = static_cast<std::int16_t>(link);
      set_factors(sentence, link, 0);
    }
    set_factors(sentence, old, 0);
    if (link >= 0) before = link;
  }
}

void GibbsChain::add_probabilities(std::size_t i, Scratch& scratch, std::span<float> sums) const {
  const auto sentence = enter(i, scratch);
  if (sentence.source.empty()) return;
  int before = -1;
  for (std::size_t t = 0; t < sentence.targets; ++t) {
    const int link = sentence.links[t];
    if (link >= 0) --scratch.fertilities_[static_cast<std::size_t>(link)];
    set_factors(sentence, link, 1);
    const float sum = weigh(sentence, t, before);
    for (std::size_t s = 0; s < sentence.width(); ++s)
      sums[t * sentence.width() + s] += scratch.weights_[s] / sum;
    if (link >= 0) ++scratch.fertilities_[static_cast<std::size_t>(link)];
    set_factors(sentence, link, 0);
    if (link >= 0) before = link;
  }
}

}  // namespace awend::align
