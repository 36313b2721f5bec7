// The reader of scores against damaged files: it reads them or throws an Error, and what it read is
// drawn without a number that is none.
#include <random>

#include "base/error.hpp"
#include "inspect/score_bars.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::tools;

TEST_CASE("damaged scores are read or refused", "[fuzz][scores]") {
  const awend::tests::Scratch scratch;
  const std::string whole =
      "system\tmetric\tlength\tlines\tscore\tmean\tinterval\tp_value\n"
      "a\tBLEU\tall\t100\t27.5\t27.4\t1.5\t-\nb\tBLEU\tall\t100\t-3e1\t29.5\t2\t0.01\n"
      "a\tTER\t0-9\t10\t60\t-\t-\t-\n";
  constexpr std::string_view kBytes = "\t\n-0123456789.einfa\r<";
  std::mt19937 random(1);
  unsigned drawn = 0, refused = 0;
  for (int i = 0; i < 3000; ++i) {
    auto text = whole;
    for (auto changes = 1 + random() % 3; changes > 0 && !text.empty(); --changes) {
      const auto place = 55 + random() % (text.size() - 55);
      if (random() % 3 == 0) {
        text.erase(place, 1 + random() % 8);
      } else {
        text[place] = kBytes[random() % kBytes.size()];
      }
    }
    try {
      awend::base::LineReader lines(scratch.write("scores", text));
      const auto svg = score_bars_svg(read_scores(lines));
      CHECK(svg.find("\"nan\"") == svg.npos);
      CHECK(svg.find("\"-nan\"") == svg.npos);
      CHECK(svg.find("inf\"") == svg.npos);
      ++drawn;
    } catch (const awend::base::Error&) {
      ++refused;
    }
  }
  CHECK(drawn > 500);
  CHECK(refused > 500);
}

}  // namespace
