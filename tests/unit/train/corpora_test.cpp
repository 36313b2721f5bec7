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

std::string refusal(std::uint64_t unknown) {
  const data::CorpusCounts counts{.lines = 10,
                                  .empty_pairs = 0,
                                  .long_pairs = 0,
                                  .pieces = 1000,
                                  .unknown_pieces = unknown,
                                  .first_unknown = "a:3: xyzzy"};
  return tests::message_of([&] { judge({"a", "b"}, counts, silent()); });
}

TEST_CASE("a text of which more than half is unknown is refused", "[corpora]") {
  CHECK(refusal(0).empty());
  CHECK(refusal(500).empty());
  CHECK(refusal(501) ==
        "a, b: 50.1 % of the pieces are unknown, the first is a:3: xyzzy; the text does not fit "
        "the vocabulary");
  CHECK(refusal(1000).starts_with("a, b: 100.0 %"));
}

}  // namespace
}  // namespace awend::train
