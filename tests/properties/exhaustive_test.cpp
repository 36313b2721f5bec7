// Beam search on a small model against an exhaustive search, with the paper's length penalty and
// early stopping (section 6.1).
#include <algorithm>
#include <cmath>
#include <functional>

#include "decode/translator.hpp"
#include "tests/catch.hpp"
#include "tests/properties/whole_model.hpp"

namespace awend::tests {
namespace {

constexpr std::uint32_t kVocabulary = 5;
constexpr std::uint32_t kLongest = 5;
constexpr std::uint32_t kWide = 4 * 4 * 4 * 4;  // outputs without end before the last step

/// All outputs that end within kLongest tokens, the end included, best first by the paper's score.
std::vector<decode::Hypothesis> all_outputs(WholeModel& whole, const Sentence& source,
                                            double alpha) {
  std::vector<decode::Hypothesis> all;
  std::function<void(const Sentence&)> visit = [&](const Sentence& ids) {
    const auto log_p = whole.log_probabilities(source, ids);
    const auto length = ids.size() + 1;
    const double log_probability = log_probability_of(log_p, ids, length);
    const double penalty = std::pow((5.0 + static_cast<double>(length)) / 6.0, alpha);
    all.push_back({ids, log_probability, log_probability / penalty});
    if (length == kLongest) return;
    for (std::uint32_t id = 0; id < kVocabulary; ++id) {
      if (id == 1) continue;
      Sentence next = ids;
      next.push_back(id);
      visit(next);
    }
  };
  visit({});
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  return all;
}

decode::TranslatorSettings searching(std::uint32_t beam, double alpha) {
  auto made = settings(beam, 2000);
  made.search.alpha = alpha;
  made.search.max_length_ratio = 0;
  made.search.max_length_extra = kLongest;
  return made;
}

}  // namespace

TEST_CASE("a wide beam finds the best of all outputs, and the n best", "[processor]") {
  const Scratch scratch;
  for (const std::uint64_t seed : {5, 6, 7}) {
    const auto path =
        random_checkpoint(scratch.folder() + "/model", small_config(kVocabulary), seed);
    WholeModel whole(path);
    const store::ArrayFile checkpoint(path);
    for (const double alpha : {0.0, 0.6, 2.0}) {
      CAPTURE(seed, alpha);
      LoadedTranslator one(checkpoint, searching(kWide, alpha));
      auto wanted = searching(kWide, alpha);
      wanted.search.n_best = 6;
      LoadedTranslator several(checkpoint, wanted);
      const std::vector<Sentence> sources = {{2, 3}, {4, 4, 0}};
      const auto best = one.translate(sources), n_best = several.translate(sources);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto all = all_outputs(whole, sources[i], alpha);
        REQUIRE(all.size() == 1 + 4 + 16 + 64 + 256);
        REQUIRE(best[i].size() == 1);
        REQUIRE(best[i][0].ids == all[0].ids);
        REQUIRE(n_best[i].size() == 6);
        for (std::size_t n = 0; n < 6; ++n) {
          REQUIRE(n_best[i][n].ids == all[n].ids);
          REQUIRE(n_best[i][n].score == Approx(all[n].score).epsilon(1e-5));
        }
      }
    }
  }
}

}  // namespace awend::tests
