// The paper's BLEU, by hand, and without compounds split against multi-bleu.
#include "metrics/bleu/paper_bleu.hpp"

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/unit/metrics/corpus.hpp"

namespace {

using namespace awend::metrics;
using namespace awend::tests;
using Numbers = std::vector<std::int64_t>;

TEST_CASE("compounds are split between non-spaces") {
  const std::string at = " ##AT##-##AT## ";
  CHECK(split_compounds("well-known") == "well" + at + "known");
  CHECK(split_compounds("ab-cd-ef - -g h-") == "ab" + at + "cd" + at + "ef - -g h-");
  CHECK(split_compounds("a-b-c") == "a" + at + "b-c");  // b was used up
  CHECK(split_compounds("a--b") == "a" + at + "-b");
  CHECK(split_compounds("ä-ö-ü") == "ä" + at + "ö" + at + "ü");  // ö is two bytes, and both serve
  CHECK(split_compounds("") == "");
  CHECK(split_compounds("-") == "-");
}

TEST_CASE("statistics of the paper's BLEU by hand") {
  const PaperBleu paper, plain({.split_compounds = false});
  CHECK(sums_of(paper, {"a-b c"}, {{"a b-c"}}) == Numbers{4, 0, 0, 0, 4, 3, 2, 1, 4, 4});
  CHECK(sums_of(plain, {"a-b  c\t"}, {{"a b-c"}}) == Numbers{0, 0, 0, 0, 2, 1, 0, 0, 2, 2});
  CHECK(sums_of(plain, {"a b"}, {{"a"}, {"a x a"}}) == Numbers{1, 0, 0, 0, 2, 1, 0, 0, 2, 1});
  CHECK(sums_of(plain, {"A Ä"}, {{"a ä"}})[0] == 0);
  CHECK(sums_of(PaperBleu({.lowercase = true}), {"A Ä"}, {{"a ä"}})[0] == 1);
}

TEST_CASE("lines are multi-bleu's, under another name") {
  const PaperBleu paper;
  const Numbers sums = {5, 3, 2, 1, 5, 4, 3, 2, 5, 7};
  CHECK(paper.line(sums) ==
        "paper-BLEU = 47.40, 100.0/75.0/66.7/50.0 (BP=0.670, ratio=0.714, hyp_len=5, ref_len=7)");
  CHECK(PaperBleu({.split_compounds = false}).line(sums).starts_with("multi-BLEU = 47.40, "));
  CHECK(paper.line(Numbers(10), "BLEU") ==
        "BLEU = 0, 0/0/0/0 (BP=0, ratio=0, hyp_len=0, ref_len=0)");
  CHECK(paper.line(Numbers{0, 0, 0, 0, 0, 0, 0, 0, 0, 3}) ==
        "paper-BLEU = 0.00, 0.0/0.0/0.0/0.0 (BP=0.000, ratio=0.000, hyp_len=0, ref_len=3)");
  CHECK(fields_of(paper) == "case:mixed|tok:given|compounds:split|smooth:none");
}

TEST_CASE("lines are multi-bleu's, on the conformance data", "[conformance]") {
  const auto path = conformance_file("moses/multi-bleu/expected.jsonl");
  if (!path) return;
  const auto directory = path->substr(0, path->rfind('/') + 1);
  std::size_t seen = 0;
  for (const auto& line : read_json_lines(*path)) {
    ++seen;
    INFO(line);
    const PaperBleu plain({.split_compounds = false, .lowercase = !line["args"].empty()});
    std::vector<Strings> references;
    for (const auto& name : line["refs"])
      references.push_back(lines_of(read_conformance(directory + name.get<std::string>() + ".gz")));
    const auto hypotheses =
        lines_of(read_conformance(directory + line["system"].get<std::string>() + ".tok.gz"));
    const auto sums = sums_of(plain, hypotheses, references);
    CHECK(plain.line(sums, "BLEU") + "\n" == line["stdout"].get<std::string>());
  }
  CHECK(seen == 6);
}

}  // namespace
