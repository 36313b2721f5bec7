// All 35 cases of subword-nmt's reference outputs, byte for byte.  Its command lines are turned
// into settings here; its streams are read as it reads them: CR LF, and CR, end a line.
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "text/subword_nmt/learn.hpp"

namespace {

using namespace awend::text;
using nlohmann::json;

std::string read(const std::string& name) {
  const std::string bare = name.ends_with('*') ? name.substr(0, name.size() - 1) : name;
  // A name may lead out of the directory, because the corpora are next to the conformance data.
  return awend::tests::read_conformance(*awend::tests::conformance_file("subword-nmt/" + bare));
}

// The lines of a stream with universal newlines, each with what ends it.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool two = text.compare(i, 2, "\r\n") == 0;
    const bool end = two || text[i] == '\n' || text[i] == '\r';
    lines.back() += end ? '\n' : text[i];
    if (end) lines.emplace_back();
    i += two ? 1 : 0;
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

// A command line as subword-nmt takes it: options, and the values that follow each.
class Arguments {
 public:
  explicit Arguments(const json& test) : words_(test.value("args", std::vector<std::string>())) {}

  bool has(const std::string& option) const {
    return std::find(words_.begin(), words_.end(), option) != words_.end();
  }
  std::vector<std::string> values(const std::string& option) const {
    std::vector<std::string> values;
    for (auto at = std::find(words_.begin(), words_.end(), option);
         at != words_.end() && ++at != words_.end() && !at->starts_with("-");)
      values.push_back(*at);
    return values;
  }
  double number(const std::string& option, double otherwise) const {
    return has(option) ? std::stod(values(option).at(0)) : otherwise;
  }

 private:
  std::vector<std::string> words_;
};

SubwordNmtCodes codes_of(const json& test, const Arguments& arguments) {
  const std::string name = test["codes"];
  std::optional<std::size_t> first;
  if (arguments.has("--merges")) first = static_cast<std::size_t>(arguments.number("--merges", 0));
  return parse_codes(read(name), name, first);
}

std::string apply(const json& test, const Arguments& arguments) {
  SubwordNmtSettings settings;
  if (test.contains("vocabulary")) {
    const std::string name = test["vocabulary"];
    settings.vocabulary = parse_counts(read(name), name);
  }
  settings.vocabulary_threshold =
      static_cast<std::uint64_t>(arguments.number("--vocabulary-threshold", 0));
  settings.glossaries = arguments.values("--glossaries");
  const SubwordNmtModel model(codes_of(test, arguments), settings);
  SubwordNmt encoder(model);
  SubwordNmtDropout dropout{
      arguments.number("--dropout", 0),
      PythonRandom(static_cast<std::uint64_t>(arguments.number("--seed", 0)))};
  auto lines = lines_of(read(test["stdin"]));
  // cases.jsonl: in this family stdin is the first 300 lines.
  if (std::string(test["id"]).starts_with("m30k-joint.test.de.")) lines.resize(300);
  std::string tokens;
  for (const std::string& line : lines) encoder.encode(line, dropout, tokens);
  return tokens;
}

OrderedCounts words_of(const std::string& file) {
  OrderedCounts words;
  for (const std::string& line : lines_of(read(file))) count_tokens(line, words);
  return words;
}

WordList words_in(const std::vector<std::string>& files) {
  WordCounter counter({.rule = WordRule::kSpaces});
  for (const std::string& file : files) {
    for (const std::string& line : lines_of(read(file))) counter.add(0, line);
  }
  return counter.finish();
}

SubwordNmtLearnSettings learn_settings(const Arguments& arguments) {
  SubwordNmtLearnSettings settings;
  settings.merges = static_cast<std::size_t>(arguments.number("-s", 10000));
  settings.min_frequency = static_cast<std::uint64_t>(arguments.number("--min-frequency", 2));
  settings.total_symbols = arguments.has("--total-symbols");
  settings.bytes = arguments.has("--byte");
  return settings;
}

std::string learn(const json& test, const Arguments& arguments) {
  const std::string file = test["stdin"];
  if (arguments.has("--dict-input")) {
    WordList words(std::pmr::get_default_resource());
    words.add(read_dictionary(read(file), file));
    return print_codes(learn_codes(words.words(), learn_settings(arguments)));
  }
  return print_codes(learn_codes(words_in({file}).words(), learn_settings(arguments)));
}

void check_joint(const json& test, const Arguments& arguments) {
  std::vector<OrderedCounts> texts;
  for (const auto& file : test["inputs"]) texts.push_back(words_of(file));
  const WordList all = words_in(test["inputs"]);
  const SubwordNmtCodes codes = learn_codes(all.words(), learn_settings(arguments));
  CHECK(print_codes(codes) == read(test["codes"]));
  const SubwordNmtModel model(codes);
  SubwordNmt encoder(model);
  for (std::size_t i = 0; i < texts.size(); ++i)
    CHECK(print_counts(count_pieces(texts[i], encoder)) == read(test["vocabularies"][i]));
}

TEST_CASE("subword-nmt's reference outputs, byte for byte", "[conformance]") {
  const auto file = awend::tests::conformance_file("subword-nmt/cases.jsonl");
  if (!file) return;
  int cases = 0;
  for (const json& test : awend::tests::read_json_lines(*file)) {
    if (!test.contains("id")) continue;
    ++cases;
    const std::string id = test["id"], op = test["op"];
    INFO(id);
    const Arguments arguments(test);
    if (test.value("exit", 0) != 0) {
      CHECK_THROWS_AS(apply(test, arguments), awend::base::Error);
    } else if (op == "learn-joint-bpe-and-vocab") {
      check_joint(test, arguments);
    } else if (op == "get-vocab") {
      CHECK(print_counts(words_of(test["stdin"])) == read(test["stdout"]));
    } else {
      const std::string printed =
          op == "learn-bpe" ? learn(test, arguments) : apply(test, arguments);
      // Whole files are too long to be shown.
      const bool same = printed == read(test["stdout"]);
      CHECK(same);
    }
  }
  CHECK(cases == 35);
}

}  // namespace
