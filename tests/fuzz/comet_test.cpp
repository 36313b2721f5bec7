// Metrics of COMET with damaged settings, vocabularies and weights: they are converted or refused
// with an Error.
#include "model/weight_layout.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/comet_files.hpp"
#include "tests/fuzz/damaged_text.hpp"

namespace {

using namespace awend;
using namespace awend::tests;

constexpr std::string_view kBytes("\0\1\2\x7f\xff\n\r :-?'\"[]{},.0179eft!", 28);

TEST_CASE("damaged metrics of COMET") {
  const auto contents = comet_contents();
  for (const auto& [name, content] : contents) {
    CAPTURE(name);
    const auto counts = read_damaged({.whole = content, .bytes = kBytes}, [&](const auto& bytes) {
      auto damaged = contents;
      damaged[name] = bytes;
      const auto model = tests::read_comet(damaged);
      REQUIRE(model.weights.size() == model::weights_of(model.config).size());
    });
    CHECK(counts.refused > 100);
  }
}

}  // namespace
