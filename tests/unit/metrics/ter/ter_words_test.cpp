// TER's words, by hand and against sacreBLEU.
#include <map>
#include <nlohmann/json.hpp>

#include "metrics/python_space.hpp"
#include "metrics/ter/words.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"

namespace {

using namespace awend::metrics;

std::vector<std::string> words_of(std::string_view line, const TerSettings& settings) {
  std::string buffer;
  std::vector<std::string> words;
  for_each_python_word(ter_text(line, settings, buffer),
                       [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

std::string joined(std::string_view line, const TerSettings& settings) {
  std::string text;
  for (const auto& word : words_of(line, settings)) text += (text.empty() ? "" : "|") + word;
  return text;
}

TEST_CASE("words of TER") {
  CHECK(joined("", {}) == "");
  CHECK(joined(" It's A.\u3000B ", {}) == "it's|a.|b");
  CHECK(joined("It's A.", {.case_sensitive = true}) == "It's|A.");
  CHECK(joined("\"It's\" 3.5, U.S.-1 3-4", {.normalized = true}) ==
        "\"|it|'s|\"|3.5|,|u|.|s|.|-1|3|-|4");
  CHECK(joined("it's", {.normalized = true}) == "it|'s");
  CHECK(joined("&amp;lt;", {.normalized = true}) == "<");
  CHECK(joined("(a) b! c: d's.", {.no_punct = true}) == "a|b|c|d's");
}

TEST_CASE("words of TER in Asian scripts") {
  const TerSettings normalized = {.normalized = true, .asian_support = true};
  CHECK(joined("中国a、ひら", normalized) == "中|国|a|、|ひら");
  CHECK(joined("中国", {.normalized = true}) == "中国");
  CHECK(joined("a。b!", {.no_punct = true}) == "a。b");
  CHECK(joined("a。b!", {.no_punct = true, .asian_support = true}) == "ab");
}

TEST_CASE("words of TER are sacreBLEU's, on the conformance data", "[conformance]") {
  const auto path = awend::tests::conformance_file("sacrebleu/tokenize.jsonl");
  if (!path) return;
  const std::map<std::string, TerSettings> modes = {
      {"ter", {}},
      {"ter-norm", {.normalized = true}},
      {"ter-nopunct", {.no_punct = true}},
      {"ter-norm-nopunct", {.normalized = true, .no_punct = true}},
      {"ter-norm-asian", {.normalized = true, .asian_support = true}},
      {"ter-norm-nopunct-asian", {.normalized = true, .no_punct = true, .asian_support = true}},
      {"ter-case", {.case_sensitive = true}}};
  std::map<std::string, std::size_t> seen;
  for (const auto& line : awend::tests::read_json_lines(*path)) {
    const auto mode = modes.find(line["tok"]);
    const auto in = line["in"].get<std::string>();
    if (mode == modes.end() || in.find('\n') != std::string::npos) continue;  // not a line
    ++seen[mode->first];
    INFO(line["id"] << " " << mode->first);
    CHECK(words_of(in, mode->second) == line["tokens"].get<std::vector<std::string>>());
  }
  CHECK(seen.size() == modes.size());
  for (const auto& [mode, times] : seen) CHECK(times > 200);
}

}  // namespace
