// Labeled brackets, and the parameter file.
#include "metrics/brackets/brackets.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/metrics/corpus.hpp"

namespace {

using namespace awend::metrics;
using namespace awend::tests;

constexpr auto kAll = Brackets::Sentences::kAll;
constexpr auto kShort = Brackets::Sentences::kShort;

BracketReport report_of(const Strings& hypotheses, const Strings& references,
                        const BracketSettings& settings = {}, Brackets::Sentences which = kAll) {
  const Brackets brackets(settings);
  return brackets.report(sums_of(brackets, hypotheses, {references}), which);
}

BracketReport report_of(const std::string& hypothesis, const std::string& reference,
                        const BracketSettings& settings = {}) {
  return report_of(Strings{hypothesis}, Strings{reference}, settings);
}

const std::string kTree = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (PRP me))) (. .)))";

TEST_CASE("a tree agrees with itself") {
  const auto report = report_of(kTree, kTree);
  CHECK(report.sentences == 1);
  CHECK(report.f1 == 100);
  CHECK(report.complete == 100);
  CHECK(report.tagging == 100);
}

TEST_CASE("constituents are matched by label and words") {
  // Of S, NP, VP, NP the reference has three; the tag of "dog" is wrong.
  const auto report =
      report_of("(S (NP (DT the) (VB dog)) (X (VP (VBZ sees)) (NP (PRP me))))", kTree);
  CHECK(report.errors == 0);
  CHECK(report.recall == 75);
  CHECK(report.precision == 60);
  CHECK(report.f1 == Approx(2 * 75 * 60 / 135.0));
  CHECK(report.complete == 0);
  CHECK(report.tagging == 75);
  const auto unlabeled = report_of("(S (NP (DT the) (VB dog)) (X (VP (VBZ sees)) (NP (PRP me))))",
                                   kTree, {.labeled = false});
  CHECK(unlabeled.recall == 100);
  CHECK(unlabeled.precision == 80);
}

TEST_CASE("constituents are multisets") {
  const auto report = report_of("(NP (NP (NP (X a))))", "(NP (NP (X a)))");
  CHECK(report.recall == 100);
  CHECK(report.precision == Approx(200.0 / 3));
}

TEST_CASE("functions, empty constituents and punctuation do not count, and labels can be equal") {
  CHECK(report_of("(S (NP-SBJ=2 (-NONE- *) (N a)) (, ,) (ADVP (X b)))",
                  "(S (NP (N a)) (PRT (X b)) (NP-1 (-NONE- *T*-1)))")
            .complete == 100);
  CHECK(report_of("(S (A-B (N a)))", "(S (B-A (N a)))").recall == 50);
  CHECK(report_of("(X (S (N-A a)))", "( (S (N a)))").recall ==
        50);  // no label counts, and tags are whole
  CHECK(report_of("(X (S (N-A a)))", "( (S (N a)))").tagging == 0);
  // A chain of equal labels.
  CHECK(report_of("(A (N a))", "(D (N a))", {.equal = {{"A", "B"}, {"C", "D"}, {"D", "B"}}}).f1 ==
        100);
}

TEST_CASE("tags and words can be equal too") {
  const BracketSettings settings = {.equal = {{"T", "TT"}}, .equal_words = {{"a", "A"}}};
  const auto report = report_of("(S (TT A))", "(S (T a))", settings);
  CHECK(report.errors == 0);
  CHECK(report.tagging == 100);
}

TEST_CASE("quotes are kept if one tree has them for something else") {
  const std::string reference = "(S (N a) (POS ') (N b) (. .))";
  const std::string hypothesis = "(S (X (N a) ('' ')) (N b) (. .))";
  CHECK(report_of(hypothesis, reference).errors == 1);
  const auto report = report_of(hypothesis, reference, {.quotes = {"POS", "''"}});
  CHECK(report.sentences == 1);
  CHECK(report.recall == 100);
  CHECK(report.precision == 50);
  CHECK(report.tagging == Approx(200.0 / 3));
}

TEST_CASE("quotes are found after other punctuation") {
  const auto report = report_of("(S (. .) (CD \") (N a))", "(S (. .) ('' \") (N a) (. .))",
                                {.quotes = {"CD", "''"}});
  CHECK(report.errors == 0);
  CHECK(report.tagging == 50);
}

TEST_CASE("sentences of other words are errors, and those of none are skipped") {
  const Strings references(5, "(S (N a) (N b))");
  const Strings hypotheses = {"(S (N a))", "(S (N a) (N c))", "(())", "(. .)", "(S (N a) (N b))"};
  const auto report = report_of(hypotheses, references);
  CHECK(report.errors == 2);
  CHECK(report.skipped == 2);
  CHECK(report.sentences == 1);
  CHECK(report.f1 == 100);
}

TEST_CASE("short sentences are counted once more by themselves") {
  const BracketSettings settings = {.cutoff_length = 2};
  const Strings references = {"(S (N a) (N b) (-NONE- *))", "(S (A (N a)) (N b) (. .))"};
  const Strings hypotheses = {"(S (N a) (N b))", "(S (B (N a)) (N b) (. .))"};
  CHECK(report_of(hypotheses, references, settings, kShort).f1 == 100);
  CHECK(report_of(hypotheses, references, settings, kShort).sentences == 1);
  CHECK(report_of(hypotheses, references, settings, kAll).f1 == Approx(200.0 / 3));
}

TEST_CASE("linearized trees are compared by the number of their words") {
  const BracketSettings settings = {.form = TreeForm::kLinearized};
  const std::string reference = "(S (NP XX XX )NP (VP XX )VP )S";
  CHECK(report_of("(S (NP XX XX )NP (VP XX )VP )S", reference, settings).complete == 100);
  CHECK(report_of("(S (NP XX )NP (VP XX XX )VP )S", reference, settings).recall ==
        Approx(100.0 / 3));
  CHECK(report_of("(S (NP XX XX )NP )S", reference, settings).errors == 1);
  // Tokens may be tags, and then punctuation can be deleted.
  CHECK(report_of("(S (NP DT NN )NP . )S", "(S (NP DT NN . )NP )S", settings).f1 == 100);
}

TEST_CASE("damaged trees are refused or counted") {
  CHECK_THROWS_WITH(report_of("(S (N a)", kTree),
                    "hypothesis: byte 1: a bracket that nothing closes");
  CHECK_THROWS_WITH(report_of(kTree, ")"),
                    "reference: byte 1: a closing bracket without an opening one");
  CHECK(report_of("(S (N a)", kTree, {.damaged = DamagedTree::kCounted}).errors == 1);
}

TEST_CASE("the value is F1, and the details say the rest") {
  const Brackets brackets;
  const auto score = brackets.score(sums_of(brackets, {kTree}, {{kTree}}));
  CHECK(score.value == 100);
  const std::string all =
      "(R = 100.00 P = 100.00 complete = 100.00 tags = 100.00 sentences = 1 errors = 0 skipped = "
      "0)";
  CHECK(score.details == all + " up to 40 words: 100.00 " + all);
}

TEST_CASE("parameters are read from a file as evalb has them") {
  const auto settings = read_bracket_settings(
      "# comment\n\nDEBUG 0\nMAX_ERROR 3\nCUTOFF_LEN 70\r\nLABELED 0\nDISC_ONLY 0\nDELETE_LABEL "
      "TOP\n"
      "DELETE_LABEL #\nDELETE_LABEL_FOR_LENGTH\t-NONE-\nEQ_LABEL ADVP PRT\nEQ_WORD a "
      "b\nQUOTE_LABEL POS",
      "p");
  CHECK(settings.cutoff_length == 70);
  CHECK_FALSE(settings.labeled);
  CHECK(settings.deleted == std::set<std::string, std::less<>>{"#", "TOP"});
  CHECK(settings.deleted_for_length == std::set<std::string, std::less<>>{"-NONE-"});
  CHECK(settings.equal == std::vector<std::pair<std::string, std::string>>{{"ADVP", "PRT"}});
  CHECK(settings.equal_words == std::vector<std::pair<std::string, std::string>>{{"a", "b"}});
  CHECK(settings.quotes == std::set<std::string, std::less<>>{"POS"});
  CHECK(read_bracket_settings("", "p").deleted.empty());
  CHECK_THROWS_WITH(read_bracket_settings("\nEQ_LABEL A", "p"),
                    "p:2: EQ_LABEL requires 2 values, not 1");
  CHECK_THROWS_WITH(read_bracket_settings("CUTOFF_LEN x", "p"),
                    "p:1: CUTOFF_LEN requires a whole number, not 'x'");
  CHECK_THROWS_WITH(read_bracket_settings("COLOR red", "p"), "p:1: unknown key 'COLOR'");
}

}  // namespace
