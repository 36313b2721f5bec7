// Messages for a text with pieces that are not in the vocabulary.
#include "train/corpora.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::train {
namespace {

const base::Report& silent() {
  static const base::Report report("test", base::Verbosity::kQuiet);
  return report;
}

std::string refusal(std::uint64_t unknown_source, std::uint64_t unknown_target) {
  const data::CorpusCounts counts{.lines = 10,
                                  .empty_pairs = 0,
                                  .long_pairs = 0,
                                  .source = {1000, unknown_source},
                                  .target = {2000, unknown_target},
                                  .first_unknown = "a:3: xyzzy"};
  return tests::message_of([&] { judge({"a", "b"}, counts, silent()); });
}

TEST_CASE("a text of which more than half is unknown is refused", "[corpora]") {
  CHECK(refusal(0, 0).empty());
  CHECK(refusal(500, 1000).empty());
  CHECK(refusal(501, 0) ==
        "a: 50.1 % of the pieces are unknown, the first of the corpus is a:3: xyzzy; the text does "
        "not fit the vocabulary");
  CHECK(refusal(0, 1002).starts_with("b: 50.1 %"));
  CHECK(refusal(1000, 2000).starts_with("a: 100.0 %"));
}

}  // namespace
}  // namespace awend::train
