// The reader of logs against damaged ones: it reads them or throws an Error, and what it read is
// drawn without a number that is none.
#include <random>

#include "base/error.hpp"
#include "inspect/curves.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::tools;

TEST_CASE("damaged logs are read or refused", "[fuzz][log]") {
  const awend::tests::Scratch scratch;
  const std::string whole =
      "step\tepoch\tseconds\tloss\tperplexity\tgradient_norm\tvalid_loss\n"
      "10\t0.5\t6\t4.5\t90\t1e-3\t-\n20\t1\t12\t4\t55\t0.5\t5\n30\t1.5\t18\t3.5\t33\t2\t-\n";
  constexpr std::string_view kBytes = "\t\n-0123456789.einfa\r";
  std::mt19937 random(1);
  unsigned drawn = 0, refused = 0;
  for (int i = 0; i < 3000; ++i) {
    auto text = whole;
    for (auto changes = 1 + random() % 3; changes > 0 && !text.empty(); --changes) {
      const auto place = random() % text.size();
      if (random() % 3 == 0) {
        text.erase(place, 1 + random() % 8);
      } else {
        text[place] = kBytes[random() % kBytes.size()];
      }
    }
    try {
      awend::base::LineReader lines(scratch.write("log", text));
      const auto svg = curves_svg({read_log(lines)}, Over::kStep);
      CHECK(svg.find("\"nan\"") == svg.npos);
      CHECK(svg.find(" nan") == svg.npos);
      CHECK(svg.find("inf") == svg.npos);
      ++drawn;
    } catch (const awend::base::Error&) {
      ++refused;
    }
  }
  CHECK(drawn > 500);
  CHECK(refused > 500);
}

}  // namespace
