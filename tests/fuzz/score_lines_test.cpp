// The reader of scores with damaged files: it reads them or throws an Error, and a picture of what
// it read contains only finite numbers.
#include "inspect/score_bars.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/damaged_text.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::tools;

TEST_CASE("damaged scores are read or refused", "[fuzz][scores]") {
  const awend::tests::Scratch scratch;
  const std::string whole =
      "system\tmetric\tlength\tlines\tscore\tmean\tinterval\tp_value\n"
      "a\tBLEU\tall\t100\t27.5\t27.4\t1.5\t-\nb\tBLEU\tall\t100\t-3e1\t29.5\t2\t0.01\n"
      "a\tTER\t0-9\t10\t60\t-\t-\t-\n";
  const auto counts = awend::tests::read_damaged(
      {whole, "\t\n-0123456789.einfa\r<", 55}, [&](const std::string& text) {
        awend::base::LineReader lines(scratch.write("scores", text));
        const auto svg = score_bars_svg(read_scores(lines));
        CHECK(svg.find("\"nan\"") == svg.npos);
        CHECK(svg.find("\"-nan\"") == svg.npos);
        CHECK(svg.find("inf\"") == svg.npos);
      });
  CHECK(counts.read > 500);
  CHECK(counts.refused > 500);
}

}  // namespace
