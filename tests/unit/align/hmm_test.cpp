// The hidden Markov model, compared with a sum over all alignments.
#include "align/hmm.hpp"

#include <cmath>
#include <map>

#include "tests/catch.hpp"

namespace awend::align {
namespace {

constexpr double kNoWordShare = 0.25;

// A lexicon with a probability for each pair of the words 0 (none) to 3 and 1 to 3.
Lexicon lexicon() {
  std::vector<std::vector<LexiconEntry>> parts(1);
  for (WordId s = 0; s <= 3; ++s) {
    for (WordId t = 1; t <= 3; ++t) parts[0].push_back({s, t, to_count(1 + (s * 5 + t * 7) % 4)});
  }
  Lexicon made(parts, 4);
  made.estimate(0, 1);
  return made;
}

struct Enumerated {
  double sum = 0;
  std::vector<std::vector<double>> links;  // of (target, no word and source words)
  std::map<int, double> jumps;             // by distance, without repetitions
  std::vector<double> repeated, steps;     // of positions
};

// All alignments of a pair, by recursion: `position` is 0 or that of the last linked source word,
// from 1.
class Enumeration {
 public:
  Enumeration(const Lexicon& lexicon, const Jumps& jumps, const Repetitions& repetitions,
              SentencePair pair)
      : lexicon_(lexicon), jumps_(jumps), repetitions_(repetitions), pair_(pair) {
    result_.links.assign(pair.target.size(), std::vector<double>(pair.source.size() + 1));
    result_.repeated.assign(pair.source.size() + 1, 0);
    result_.steps.assign(pair.source.size() + 1, 0);
    visit(0, 0, 1, {});
  }

  Enumerated result_;

 private:
  double lexical(WordId source, WordId target) const {
    return static_cast<double>(lexicon_.probability(lexicon_.find(source, target)));
  }

  double step(std::size_t from, std::size_t to) const {
    const auto weight = [&](std::size_t j) {
      return static_cast<double>(jumps_[static_cast<int>(j) - static_cast<int>(from)]);
    };
    double sum = 0;
    for (std::size_t j = 1; j <= pair_.source.size(); ++j) {
      if (j != from) sum += weight(j);
    }
    const double again = from == 0  ? 0
                         : sum == 0 ? 1
                                    : static_cast<double>(repetitions_[pair_.source[from - 1]]);
    if (to == from) return (1 - kNoWordShare) * again;
    return (1 - kNoWordShare) * (1 - again) * weight(to) / sum;
  }

  // `path`: the position of each target word, 0 for no word.
  void visit(std::size_t target, std::size_t position, double probability,
             std::vector<std::size_t> path) {
    if (target == pair_.target.size()) return add(path, probability);
    path.push_back(0);
    visit(target + 1, position, probability * kNoWordShare * lexical(kNoWord, pair_.target[target]),
          path);
    for (std::size_t j = 1; j <= pair_.source.size(); ++j) {
      path.back() = j;
      visit(target + 1, j,
            probability * step(position, j) * lexical(pair_.source[j - 1], pair_.target[target]),
            path);
    }
  }

  void add(const std::vector<std::size_t>& path, double probability) {
    result_.sum += probability;
    std::size_t position = 0;
    for (std::size_t t = 0; t < path.size(); ++t) {
      result_.links[t][path[t]] += probability;
      if (path[t] == 0) continue;
      result_.steps[position] += probability;
      if (path[t] == position) {
        result_.repeated[position] += probability;
      } else {
        result_.jumps[static_cast<int>(path[t]) - static_cast<int>(position)] += probability;
      }
      position = path[t];
    }
  }

  const Lexicon& lexicon_;
  const Jumps& jumps_;
  const Repetitions& repetitions_;
  const SentencePair pair_;
};

void compare(const std::vector<WordId>& source, const std::vector<WordId>& target) {
  auto words = lexicon();
  Jumps jumps;
  Repetitions repetitions(4);
  repetitions.add(2, 3, 4);
  repetitions.estimate();
  const SentencePair pair{source, target};
  const auto expected = Enumeration(words, jumps, repetitions, pair).result_;
  PairAligner aligner;
  aligner.compute({words, jumps, repetitions, kNoWordShare}, pair, Positions::kMarkov);
  CHECK(aligner.log_probability() == Approx(std::log(expected.sum)).epsilon(1e-5));
  for (std::size_t t = 0; t < target.size(); ++t) {
    CHECK(aligner.no_link(t) == Approx(expected.links[t][0] / expected.sum).margin(1e-6));
    for (std::size_t s = 0; s < source.size(); ++s)
      CHECK(aligner.link(s, t) == Approx(expected.links[t][s + 1] / expected.sum).margin(1e-6));
  }
  Jumps::Counts counts{};
  Repetitions added(4);
  aligner.add_counts(pair, words, counts, added);
  for (int distance = -3; distance <= 3; ++distance) {
    const auto found = expected.jumps.find(distance);
    const double wanted = found == expected.jumps.end() ? 0 : found->second / expected.sum;
    CHECK(static_cast<double>(counts[Jumps::index(distance)]) / kCountUnit ==
          Approx(wanted).margin(1e-6));
  }
}

}  // namespace

TEST_CASE("probabilities and counts are those of all alignments") {
  compare({1, 2, 3}, {2, 3, 1, 1});
  compare({2, 2}, {1, 1, 3});
  compare({1}, {2, 2});
  compare({3, 1}, {2});
}

TEST_CASE("by the diagonal, links of a target word sum to one, and near words are more probable") {
  const auto words = lexicon();
  const Jumps jumps;
  const Repetitions repetitions(4);
  const std::vector<WordId> source = {1, 1, 1, 1}, target = {2, 2, 2, 2};
  PairAligner aligner;
  aligner.compute({words, jumps, repetitions, kNoWordShare}, {source, target},
                  Positions::kDiagonal);
  for (std::size_t t = 0; t < 4; ++t) {
    float sum = aligner.no_link(t);
    for (std::size_t s = 0; s < 4; ++s) {
      sum += aligner.link(s, t);
      CHECK((s == t || aligner.link(s, t) < aligner.link(t, t)));
    }
    CHECK(sum == Approx(1));
  }
}

TEST_CASE("a word without counts repeats as the others do, of any number") {
  Repetitions repetitions(4);
  for (const WordId word : {0, 1, 2}) repetitions.add(word, 1e9, 4e9);
  repetitions.estimate();
  CHECK(repetitions[0] == Approx(0.25));
  CHECK(repetitions[3] == Approx(0.25));
}

TEST_CASE("e to the digamma function") {
  // From tables: psi(1) = -0.5772156649, psi(0.01) = -100.5608854579, psi(10) = 2.2517525891.
  CHECK(std::log(exp_digamma(1)) == Approx(-0.5772156649));
  CHECK(std::log(exp_digamma(0.01)) == Approx(-100.5608854579));
  CHECK(std::log(exp_digamma(10)) == Approx(2.2517525891));
}

}  // namespace awend::align
