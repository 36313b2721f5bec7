// Cache rows of hypotheses: each hypothesis reads the rows that it has written.
#include "decode/history.hpp"

#include <map>
#include <set>

#include "base/random.hpp"
#include "tests/catch.hpp"

namespace awend::decode {
namespace {

using Tokens = std::vector<std::uint32_t>;

Tokens path(const History& history, std::size_t hypothesis) {
  Tokens rows;
  history.append_path(hypothesis, rows);
  return rows;
}

}  // namespace

TEST_CASE("hypotheses that share a beginning share its rows") {
  PagePool pool(4);
  REQUIRE(pool.reserve(4));
  History history(pool);
  history.grow();
  history.keep(Tokens{0, 0, 0});
  history.grow();
  REQUIRE(history.length() == 2);
  REQUIRE(path(history, 0)[0] == path(history, 2)[0]);
  std::set<std::uint32_t> last;
  for (std::size_t i = 0; i < 3; ++i) last.insert(path(history, i)[1]);
  REQUIRE(last.size() == 3);
}

TEST_CASE("rows of abandoned branches are reused before a new page is taken") {
  PagePool pool(100);
  REQUIRE(pool.reserve(100));
  History history(pool);
  history.grow();
  // One of four hypotheses survives each step, so a step adds one row and a few branches.
  for (int step = 0; step < 10; ++step) {
    history.keep(Tokens{0, 0, 0, 0});
    history.grow();
  }
  REQUIRE(history.pages() == 1);
  REQUIRE(path(history, 3).size() == 11);
}

TEST_CASE("pages are returned when a sentence ends") {
  PagePool pool(1);
  REQUIRE(pool.reserve(1));
  for (int sentence = 0; sentence < 3; ++sentence) {
    History history(pool);
    history.grow();
    REQUIRE(path(history, 0).size() == 1);
  }
}

TEST_CASE("each path has the tokens of its hypothesis after any reordering") {
  constexpr std::uint32_t kBeam = 5, kSteps = 40;
  const std::uint32_t pages = PagePool::pages_for(kBeam * kSteps);  // of one sentence
  PagePool pool(2 * pages);
  base::Random random(4);
  for (int round = 0; round < 20; ++round) {
    REQUIRE(pool.reserve(2 * pages));
    {
      // Two sentences share a pool, so that a row used by both is detected.
      std::vector<History> histories;
      histories.emplace_back(pool);
      histories.emplace_back(pool);
      std::vector<std::vector<Tokens>> written(2, {{}});
      std::map<std::uint32_t, std::uint32_t> cache;
      std::uint32_t token = 0;
      for (std::uint32_t step = 0; step < kSteps; ++step) {
        for (std::size_t sentence = 0; sentence < 2; ++sentence) {
          auto& history = histories[sentence];
          auto& tokens = written[sentence];
          history.grow();
          for (std::size_t i = 0; i < tokens.size(); ++i) {
            tokens[i].push_back(++token);
            cache[path(history, i).back()] = token;
          }
          for (std::size_t i = 0; i < tokens.size(); ++i) {
            Tokens seen;
            for (const std::uint32_t row : path(history, i)) seen.push_back(cache.at(row));
            REQUIRE(seen == tokens[i]);
          }
          Tokens parents(1 + random.below(kBeam));
          std::vector<Tokens> next;
          for (auto& parent : parents) {
            parent = random.below(static_cast<std::uint32_t>(tokens.size()));
            next.push_back(tokens[parent]);
          }
          history.keep(parents);
          tokens = std::move(next);
        }
      }
    }
    pool.release(2 * pages);
  }
}

}  // namespace awend::decode
