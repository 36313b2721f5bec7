// A program that opens a model by the library gets the lines and scores that translate prints.
#include "decode/open.hpp"

#include <functional>
#include <limits>
#include <thread>

#include "base/concat.hpp"
#include "base/error.hpp"
#include "interchange/checkpoint.hpp"
#include "interchange/read_model.hpp"
#include "tests/conformance.hpp"
#include "tests/properties/stage.hpp"
#include "text/tokenizer.hpp"
#include "text/vocabulary.hpp"

namespace awend::tests {
namespace {

using decode::LineForm;

const std::vector<std::string> kLines = {"a b c", "", "  b  ", "c c c c c c c", "d\xC3\xA9 a"};

/// A model of random weights for bytes, with defaults of the search.
std::string byte_model(const Scratch& scratch, const std::string& search, std::uint64_t seed = 5,
                       std::vector<text::Language> languages = {}) {
  text::VocabularyContent content;
  content.pieces = text::special_pieces();
  if (!languages.empty()) content.type = text::VocabularyType::kTokens;
  content.languages = std::move(languages);
  const text::Vocabulary vocabulary(content);
  auto config = small_config(vocabulary.size());
  nn::Parameters parameters;
  const auto seq2seq = model::make_seq2seq(config, parameters);
  parameters.allocate(engine(), nn::Use::kInference);
  parameters.initialize(seed);
  const auto path = scratch.path(base::concat("model-", seed));
  model::save(path, {parameters}, config,
              {{std::string(store::keys::kVocabulary), vocabulary.serialize()},
               {std::string(store::keys::kSearch), search}});
  return path;
}

std::string as_lines(const std::vector<std::string>& lines) {
  return base::join(lines, "\n") + '\n';
}

/// What `translate` prints on the device that the library chooses by itself.
std::string printed(const Scratch& scratch, const std::string& options,
                    const std::vector<std::string>& lines) {
  const auto input = scratch.write("lines", as_lines(lines));
  return output_of(base::concat("env -u AWEND_DEVICE ", program("translate"), " -q ", options, " '",
                                input, "'"));
}

std::string with_scores(const std::vector<std::vector<decode::Translation>>& translations) {
  std::string lines;
  for (const auto& of_line : translations) {
    const auto& best = of_line.front();
    lines += base::concat(static_cast<float>(best.score()), '\t', best.line(), '\n');
  }
  return lines;
}

std::vector<std::string> token_lines(const std::vector<std::string>& lines) {
  text::VocabularyContent content;
  content.pieces = text::special_pieces();
  const text::Vocabulary vocabulary(content);
  std::vector<std::string> tokens;
  for (const auto& line : lines)
    tokens.push_back(text::join_pieces(vocabulary, text::Tokenizer(vocabulary).encode(line)));
  return tokens;
}

}  // namespace

TEST_CASE("a model is opened with its own defaults, which the caller may change") {
  const Scratch scratch;
  const auto path = byte_model(scratch, R"({"beam-size":2,"alpha":0,"max-length-extra":3})");
  auto model = decode::open(path);
  const auto translations = model.translate(kLines);
  REQUIRE(translations.size() == kLines.size());
  CHECK(with_scores(translations) == printed(scratch, "--raw --scores -m " + path, kLines));
  // The defaults make a difference.
  CHECK(with_scores(translations) !=
        printed(scratch, "--raw --scores --alpha 1 -b 4 -m " + path, kLines));
  CHECK(model.translate(std::span(kLines).first(1)).front().size() == 1);

  decode::OpenOptions options;
  options.settings = [](decode::TranslatorSettings& settings) {
    CHECK(settings.search.beam_size == 2);
    settings.search.alpha = 1;
    settings.search.n_best = 2;
  };
  auto changed = decode::open(path, options);
  const auto both = changed.translate(kLines);
  CHECK(both.front().size() == 2);
  CHECK(with_scores(both) == printed(scratch, "--raw --scores --alpha 1 -m " + path, kLines));
}

TEST_CASE("raw lines and token lines share a stream, which has the translations in order") {
  const Scratch scratch;
  const auto path = byte_model(scratch, R"({"max-length-extra":3})");
  auto model = decode::open(path);
  const auto tokens = token_lines(kLines);
  CHECK(with_scores(model.translate(tokens, LineForm::kTokens)) ==
        printed(scratch, "--scores -m " + path, tokens));
  for (std::size_t i = 0; i < kLines.size(); ++i) {
    model.put(kLines[i]);
    model.put(tokens[i], LineForm::kTokens);
  }
  model.put("a", LineForm::kRaw, "xy");
  std::vector<decode::Translation> best;
  while (model.has_work()) {
    model.step();
    while (const auto translations = model.take()) best.push_back(translations->front());
  }
  REQUIRE(best.size() == 2 * kLines.size() + 1);
  for (std::size_t i = 0; i < kLines.size(); ++i) {
    CHECK(best[2 * i].hypothesis.ids == best[2 * i + 1].hypothesis.ids);
    CHECK(best[2 * i].text.has_value());
    CHECK(best[2 * i + 1].line() == base::join(best[2 * i].tokens, " "));
  }
  CHECK(best.back().line().starts_with("xy"));
}

TEST_CASE("settings that are not in their domains are refused") {
  const Scratch scratch;
  const auto path = byte_model(scratch, R"({"max-length-extra":3})");
  const auto refusal = [&](const std::function<void(decode::TranslatorSettings&)>& change) {
    decode::OpenOptions options;
    options.settings = change;
    try {
      decode::open(path, options);
    } catch (const base::UsageError& error) {
      return std::string(error.what());
    }
    return std::string("no UsageError");
  };
  using Settings = decode::TranslatorSettings;
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  CHECK(refusal([](Settings& s) { s.search.n_best = 0; }) ==
        "setting 'n-best': must be in [1, 100000], got 0");
  CHECK(refusal([](Settings& s) { s.search.beam_size = 0; }) ==
        "setting 'beam-size': must be in [1, 100000], got 0");
  CHECK(refusal([](Settings& s) { s.search.alpha = kNaN; }) ==
        "setting 'alpha': 'nan' is not a number");
  CHECK(refusal([](Settings& s) { s.search.alpha = -1; }).starts_with("setting 'alpha': "));
  CHECK(refusal([](Settings& s) { s.search.max_length_ratio = kNaN; }) != "no UsageError");
  CHECK(refusal([](Settings& s) { s.longest_piece = 0; }).starts_with("setting 'max-input-"));
  CHECK(refusal([](Settings& s) { s.batch_tokens = 2'000'000; }).starts_with("setting 'batch-"));
  CHECK(refusal([](Settings& s) { s.search.sampling = {.temperature = -1}; }) ==
        "setting 'temperature': must be in [0, 1e+06], got -1");
  CHECK(refusal([](Settings& s) {
          s.search.sampling = {.top_p = 0};
        }).starts_with("setting 'top-p': "));
  CHECK(refusal([](Settings& s) {
          s.search.sampling = decode::SamplingSettings{};
          s.search.n_best = 0;
        }).starts_with("setting 'n-best': "));
  CHECK(refusal([](Settings&) {}) == "no UsageError");
}

TEST_CASE("a line that is not one of UTF-8 is refused") {
  const Scratch scratch;
  auto model = decode::open(byte_model(scratch, R"({"max-length-extra":3})"));
  CHECK(message_of([&] { model.put("Z\xFCrich"); }) == "the line: invalid UTF-8 at byte 2");
  CHECK(message_of([&] { model.put("one\ntwo"); }) ==
        "the line: has a line feed, and would be two lines");
  CHECK(message_of([&] { model.put("a", LineForm::kRaw, "\xFC"); }) ==
        "the prefix: invalid UTF-8 at byte 1");
  CHECK_FALSE(model.has_work());
  CHECK(message_of([&] {
          model.translate(std::vector<std::string>{"a", "\xFF"});
        }) == "line 2: invalid UTF-8 at byte 1");
  CHECK_FALSE(model.has_work());
  CHECK(model.translate(std::vector<std::string>{"Z\xC3\xBCrich"}).size() == 1);
}

TEST_CASE("samples of a line depend on the seed and the lines of the call") {
  const Scratch scratch;
  decode::OpenOptions options;
  options.settings = [](auto& settings) {
    settings.search.sampling = decode::SamplingSettings{.temperature = 100};
  };
  auto model = decode::open(byte_model(scratch, R"({"max-length-extra":9})"), options);
  const std::vector<std::string> two = {"ab", "ab"}, bad = {"ab", "\xFF"};
  const auto samples = with_scores(model.translate(two));
  CHECK(with_scores(model.translate(two)) == samples);
  CHECK_THROWS_AS(model.translate(bad), base::Error);
  CHECK(with_scores(model.translate(two)) == samples);
  const auto lines = model.translate(two);
  CHECK(lines[0].front().line() != lines[1].front().line());
}

TEST_CASE("a line that is refused does not enter the stream") {
  const Scratch scratch;
  decode::OpenOptions options;
  options.shortlist.path = scratch.write("shortlist", "<0x20>\n<0x61>\n<0x62>\n");
  auto model = decode::open(byte_model(scratch, R"({"max-length-extra":3})"), options);
  model.put("ab");
  CHECK(message_of([&] { model.put("ab", LineForm::kRaw, "c"); }) ==
        "the prefix has a token that is not in the shortlist");
  model.put("ab", LineForm::kRaw, "b");
  std::vector<std::string> lines;
  while (model.has_work()) {
    model.step();
    while (const auto translations = model.take()) lines.push_back(translations->front().line());
  }
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].find_first_not_of("ab ") == lines[0].npos);
  CHECK(lines[1].starts_with('b'));
}

TEST_CASE("threads open and use models of their own at the same time") {
  const Scratch scratch;
  const auto path = byte_model(scratch, R"({"max-length-extra":3})");
  std::vector<std::string> outputs(3);
  std::vector<std::thread> threads;
  for (auto& output : outputs) {
    threads.emplace_back([&] {
      auto model = decode::open(path);
      for (int i = 0; i < 3; ++i) output += with_scores(model.translate(kLines));
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(!outputs[0].empty());
  CHECK(outputs[1] == outputs[0]);
  CHECK(outputs[2] == outputs[0]);
}

TEST_CASE("models of an ensemble are opened together") {
  const Scratch scratch;
  const std::vector<std::string> paths = {byte_model(scratch, R"({"alpha":0})", 5),
                                          byte_model(scratch, "{}", 6)};
  decode::OpenOptions options;
  options.ensemble.mixing = nn::Mixing::kLog;
  options.ensemble.weights = {1, 3};
  auto model = decode::open(paths, options);
  CHECK(with_scores(model.translate(kLines)) ==
        printed(scratch,
                base::concat("--raw --scores --ensemble log --ensemble-weights 1,3 -m ", paths[0],
                             ",", paths[1]),
                kLines));
  for (const double weight : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    options.ensemble.weights = {weight, 3};
    CHECK(message_of([&] { decode::open(paths, options); }) ==
          base::concat("a weight of an ensemble must be in [0, 1e+06], got ", weight));
  }
}

TEST_CASE("errors of opening name the file, and no option of a program") {
  const Scratch scratch;
  const auto path = byte_model(scratch, R"({"beam-width":2})");
  CHECK(message_of([&] { decode::open(path); }) ==
        path + ": unknown default of the search 'beam-width'");
  CHECK(message_of([&] { decode::open(scratch.path("none")); }) ==
        scratch.path("none") + ": No such file or directory");
  const auto good = byte_model(scratch, "{}");
  decode::OpenOptions options;
  options.settings = [](auto& settings) { settings.search.n_best = 9; };
  CHECK(message_of([&] { decode::open(good, options); }) ==
        "the number of translations 9 is more than the beam size 4");
}

TEST_CASE("after an error of one of many lines, a model can translate others") {
  const Scratch scratch;
  decode::OpenOptions options;
  options.languages.target = "de";
  auto model = decode::open(byte_model(scratch, "{}", 5, {{"de", 3}, {"en", 4}}), options);
  const auto english = text::special_pieces()[4].text;
  const std::vector<std::string> good = {english + " <0x61>", english + " <0x62> <0x63>"};
  const auto expected = with_scores(model.translate(good, LineForm::kTokens));
  const std::vector<std::string> bad = {good[0], good[1], "<0x61>"};
  CHECK(message_of([&] { model.translate(bad, LineForm::kTokens); }) ==
        "line 3: the line does not begin with the token of a language, and the source language is "
        "not given");
  model.put(good[0], LineForm::kTokens);
  CHECK(model.has_work());
  while (!model.take()) model.step();
  CHECK_FALSE(model.has_work());
  CHECK(with_scores(model.translate(good, LineForm::kTokens)) == expected);
}

TEST_CASE("a converted model gives a program what it gives translate", "[conformance]") {
  for (const std::string name : {"marian-transformer", "hf-marian", "fairseq", "bergamot-two"}) {
    const auto found = conformance_file("models/" + name);
    if (!found) return;
    const Scratch scratch;
    const auto path = scratch.path("model.safetensors");
    const bool is_file = name == "bergamot-two";
    interchange::ModelFiles files(is_file ? *found + "/model.enja.intgemm.alphas.bin" : *found);
    interchange::write_checkpoint(path, interchange::read_model(files));
    const std::vector<std::string> lines = {"a b c d", "", "the house", "\xE6\x97\xA5 x", "b b"};
    CAPTURE(name);
    CHECK(with_scores(decode::open(path).translate(lines)) ==
          printed(scratch, "--raw --scores -m " + path, lines));
  }
}

}  // namespace awend::tests
