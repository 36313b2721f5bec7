// The reader of logs with damaged files: it reads them or throws an Error, and a picture of what it
// read contains only finite numbers.
#include "inspect/curves.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/damaged_text.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::tools;

TEST_CASE("damaged logs are read or refused", "[fuzz][log]") {
  const awend::tests::Scratch scratch;
  const std::string whole =
      "step\tepoch\tseconds\tloss\tperplexity\tgradient_norm\tvalid_loss\n"
      "10\t0.5\t6\t4.5\t90\t1e-3\t-\n20\t1\t12\t4\t55\t0.5\t5\n30\t1.5\t18\t3.5\t33\t2\t-\n";
  const auto counts =
      awend::tests::read_damaged({whole, "\t\n-0123456789.einfa\r"}, [&](const std::string& text) {
        awend::base::LineReader lines(scratch.write("log", text));
        const auto svg = curves_svg({read_log(lines)}, Over::kStep);
        CHECK(svg.find("\"nan\"") == svg.npos);
        CHECK(svg.find(" nan") == svg.npos);
        CHECK(svg.find("inf") == svg.npos);
      });
  CHECK(counts.read > 500);
  CHECK(counts.refused > 500);
}

}  // namespace
