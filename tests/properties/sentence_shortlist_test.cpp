// Properties of lexical shortlists, and those of the conformance data: a sentence has the tokens
// that Marian allows, alone and in a batch, by the products of the processor and by a mask.
#include "decode/sentence_shortlist.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "interchange/read_model.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/properties/random_shortlist.hpp"
#include "tests/properties/whole_model.hpp"
#include "text/lexical_table.hpp"

namespace awend::tests {
namespace {

constexpr std::uint32_t kTokens = 50;

decode::SentenceShortlist all_tokens() {
  return {{.first = kTokens, .best = 0}, {}, kTokens};
}

Sentence with_end(Sentence sentence) {
  sentence.push_back(1);
  return sentence;
}

/// ln p, normalized over the tokens of `list`.
std::vector<double> among(const std::vector<double>& log_p, const Sentence& list) {
  double sum = 0;
  for (const std::uint32_t id : list) sum += std::exp(log_p[id]);
  std::vector<double> restricted(log_p.size(), -1e9);
  for (const std::uint32_t id : list) restricted[id] = log_p[id] - std::log(sum);
  return restricted;
}

class TwoModels {
 public:
  TwoModels(nn::Engine& engine, const std::string& path) {
    for (int i = 0; i < 2; ++i) {
      models_.push_back(std::make_unique<decode::LoadedModel>(engine, store::ArrayFile(path),
                                                              nn::Element::kFloat32));
    }
  }
  decode::Ensemble ensemble() const { return decode::make_ensemble(models_, {}); }

 private:
  std::vector<std::unique_ptr<decode::LoadedModel>> models_;
};

}  // namespace

TEST_CASE("each sentence has only its tokens, with probabilities normalized over them") {
  const Scratch scratch;
  const auto path = random_checkpoint(scratch.folder() + "/model", small_config());
  const store::ArrayFile checkpoint(path);
  WholeModel whole(path);
  const auto shortlist = random_shortlist();
  auto made = settings(1, 200);
  made.sentence_shortlist = &shortlist;
  LoadedTranslator translator(checkpoint, made);
  const auto sentences = some_sentences();
  const auto answers = translator.translate(sentences);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (sentences[i].empty()) continue;
    CAPTURE(i);
    const auto list = shortlist.allowed(with_end(sentences[i]));
    const auto& [ids, log_probability, score, of_tokens] = answers[i][0];
    const auto log_p = whole.log_probabilities(sentences[i], ids);
    for (std::size_t at = 0; at < of_tokens.size(); ++at) {
      const auto restricted = among(log_p[at], list);
      const std::uint32_t id = at < ids.size() ? ids[at] : 1;
      REQUIRE(std::ranges::binary_search(list, id));
      REQUIRE(of_tokens[at] == Approx(restricted[id]).epsilon(1e-4).margin(1e-5));
      REQUIRE(of_tokens[at] ==
              Approx(*std::ranges::max_element(restricted)).epsilon(1e-4).margin(1e-5));
    }
  }
}

TEST_CASE("with its own tokens, a sentence does not depend on its batch, bit for bit") {
  const Scratch scratch;
  const store::ArrayFile file(random_checkpoint(scratch.folder() + "/model", small_config()));
  const auto shortlist = random_shortlist();
  const auto made = [&](std::uint32_t tokens) {
    auto chosen = settings(3, tokens);
    chosen.sentence_shortlist = &shortlist;
    chosen.search.rules = {.no_repeat_ngram = 2, .repetition_penalty = 1.3, .unknown_penalty = 2};
    return chosen;
  };
  LoadedTranslator wide(file, made(500)), narrow(file, made(20));
  const auto sentences = some_sentences();
  const auto together = wide.translate(sentences), in_small_batches = narrow.translate(sentences);
  const std::vector<Sentence> backwards(sentences.rbegin(), sentences.rend());
  const auto reversed = wide.translate(backwards);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    CAPTURE(i);
    REQUIRE(same(together[i][0], in_small_batches[i][0]));
    REQUIRE(same(together[i][0], reversed[sentences.size() - 1 - i][0]));
    REQUIRE(same(together[i][0], wide.translate(std::span(&sentences[i], 1))[0][0]));
  }
}

TEST_CASE("lists of all tokens give the translations without lists") {
  const Scratch scratch;
  const store::ArrayFile file(random_checkpoint(scratch.folder() + "/model", small_config()));
  const auto shortlist = all_tokens();
  auto made = settings(3, 200);
  made.search.rules = {.no_repeat_ngram = 2, .repetition_penalty = 1.3};
  LoadedTranslator plain(file, made);
  made.sentence_shortlist = &shortlist;
  LoadedTranslator listed(file, made);
  const auto sentences = some_sentences();
  const auto expected = plain.translate(sentences), answers = listed.translate(sentences);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    REQUIRE(answers[i][0].ids == expected[i][0].ids);
    REQUIRE(answers[i][0].score == Approx(expected[i][0].score).epsilon(1e-5));
  }
}

TEST_CASE("an ensemble masks the tokens that a sentence may not have") {
  const Scratch scratch;
  const auto path = random_checkpoint(scratch.folder() + "/model", small_config());
  const auto shortlist = random_shortlist();
  auto made = settings(3, 200);
  made.sentence_shortlist = &shortlist;
  LoadedTranslator single(store::ArrayFile(path), made);
  const TwoModels models(engine(), path);
  decode::Translator both(engine(), models.ensemble(), made);
  const auto sentences = some_sentences();
  const auto expected = single.translate(sentences), answers = both.translate(sentences);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    REQUIRE(answers[i][0].ids == expected[i][0].ids);
    REQUIRE(answers[i][0].score == Approx(expected[i][0].score).epsilon(1e-4));
  }
}

TEST_CASE("prefixes and samples respect the tokens of a sentence") {
  const Scratch scratch;
  const store::ArrayFile file(random_checkpoint(scratch.folder() + "/model", small_config()));
  const auto shortlist = random_shortlist();
  auto made = settings(2, 200);
  made.sentence_shortlist = &shortlist;
  LoadedTranslator translator(file, made);
  const Sentence source = {5, 6, 7};
  auto list = shortlist.allowed(with_end(source));
  std::uint32_t other = 2;
  while (std::ranges::binary_search(list, other)) ++other;
  // A prefix extends the list, so that it is always possible.
  translator.put(source, Sentence{other, list.back()});
  std::optional<decode::Translator::Answer> answer;
  while (!(answer = translator.take())) translator.step();
  const auto& ids = answer->front().ids;
  REQUIRE(ids.size() >= 2);
  CHECK(ids[0] == other);
  CHECK(ids[1] == list.back());

  made.search.n_best = 2;
  made.search.sampling = decode::SamplingSettings{.temperature = 2, .top_k = 30};
  LoadedTranslator sampler(file, made);
  std::size_t tokens = 0;
  for (const auto& sentence : some_sentences()) {
    if (sentence.empty()) continue;
    const auto own = shortlist.allowed(with_end(sentence));
    const auto answers = sampler.translate(std::span(&sentence, 1));
    for (const auto& hypothesis : answers[0]) {
      for (const auto id : hypothesis.ids) CHECK(std::ranges::binary_search(own, id));
      tokens += hypothesis.ids.size();
    }
  }
  CHECK(tokens > 50);
}

TEST_CASE("sentences may have the tokens that Marian allows", "[conformance]") {
  for (const std::string name : {"bergamot", "bergamot-two"}) {
    CAPTURE(name);
    const auto cases = conformance_file("models/" + name + "/cases.jsonl");
    if (!cases) return;
    const auto directory = std::filesystem::path(*cases).parent_path().string();
    interchange::ModelFiles files(directory);
    const auto model = interchange::read_model(files);
    REQUIRE(model.shortlist.has_value());
    const auto& vocabulary = *model.vocabulary;
    const decode::SentenceShortlist shortlist(
        *model.shortlist,
        {.end_of_sentence = vocabulary.end_of_sentence(), .unknown = vocabulary.unknown()},
        vocabulary.size());
    const auto all = read_json_lines(*cases);
    REQUIRE(all.size() == 24);
    std::size_t same = 0;
    for (const auto& each : all) {
      const auto allowed = shortlist.allowed(each["source_ids"].get<Sentence>());
      same += allowed == each["allowed"].get<Sentence>() ? 1 : 0;
    }
    CHECK(same == all.size());

    // The text form, which has the words of the vocabulary without SentencePiece, has the same
    // lists.
    interchange::ModelFiles other(directory + "/../marian-ssru/model.npz");
    const auto words = *interchange::read_model(other).vocabulary;
    base::LineReader in(directory + "/lex.s2t");
    const auto lists = text::read_lexical_table(in, words, words, {.best = model.shortlist->best});
    std::size_t same_lists = 0;
    for (std::uint32_t id = 0; id < lists.size(); ++id)
      same_lists += std::ranges::equal(lists[id], model.shortlist->of(id)) ? 1 : 0;
    CHECK(same_lists == model.shortlist->source_words());
  }
}

}  // namespace awend::tests
