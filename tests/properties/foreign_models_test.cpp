// Models of other toolkits, converted: their log-probabilities and translations are those that the
// toolkits, and an implementation in double precision, have.
#include <filesystem>
#include <fstream>
#include <functional>

#include "decode/open.hpp"
#include "decode/sentence_shortlist.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "interchange/checkpoint.hpp"
#include "interchange/read_model.hpp"
#include "store/marian_binary.hpp"
#include "tests/conformance.hpp"
#include "tests/properties/stage.hpp"
#include "text/token_codec.hpp"

namespace awend::tests {
namespace {

using nlohmann::json;

/// A model of the conformance data as a checkpoint, and what is known of its output.
class ConvertedCase {
 public:
  /// `path` is a directory, or a file in it, whose cases are in the directory `cases`.
  ConvertedCase(const std::string& path, const std::string& cases,
                const std::function<void(interchange::ConvertedModel&)>& change = {})
      : cases_(read_json_lines(cases + "/cases.jsonl")) {
    interchange::ModelFiles files(path);
    converted_ = interchange::read_model(files);
    if (change) change(converted_);
    // The field "source" of these is not what the tokenizer makes of the text.
    std::erase_if(cases_, [](const json& each) { return each.contains("special_in_text"); });
    checkpoint_ = scratch_.path("model.safetensors");
    interchange::write_checkpoint(checkpoint_, converted_);
    file_.emplace(checkpoint_);
    model_.emplace(engine(), *file_, nn::Element::kFloat32);
    REQUIRE(cases_.size() > 20);
  }

  /// As Marian with a shortlist: that of the model restricts each sentence, and the unknown token
  /// is never produced.
  void use_shortlist() {
    REQUIRE(converted_.shortlist.has_value());
    shortlist_.emplace(*converted_.shortlist,
                       decode::SpecialIds{.end_of_sentence = target().end_of_sentence(),
                                          .unknown = target().unknown()},
                       target().size());
  }
  const interchange::ConvertedModel& converted() const { return converted_; }
  const std::string& checkpoint() const { return checkpoint_; }
  const text::Vocabulary& target() const { return *converted_.vocabulary; }
  const text::Vocabulary& source() const {
    return converted_.source_vocabulary ? *converted_.source_vocabulary : target();
  }
  /// CTranslate2 before version 6 does not append the end of the source; its callers do.
  void append_end() { appends_end_ = true; }
  /// The most tokens of a translation, its end included.
  void limit_length(std::uint32_t longest) { longest_ = longest; }
  /// An empty line has an empty translation here, whatever a model makes of it.
  void leave_out_empty() {
    std::erase_if(cases_, [](const json& each) {
      return each.at("source").empty() || each.value("text", "text").empty();
    });
  }
  /// The largest difference of log-probabilities of whole translations that are the same.
  void tolerate(double difference) { tolerance_ = difference; }

  /// The largest difference to a member of the cases: ln P of each target token, then of the end.
  double difference(const std::string& name) { return difference("/target", "/" + name); }
  /// The same of other tokens than the target; both are JSON pointers.
  double difference(const std::string& tokens, const std::string& name) {
    const auto member = [](const json& each, const std::string& pointer) -> const json& {
      return each.at(json::json_pointer(pointer));
    };
    std::vector<decode::SentencePair> pairs;
    for (const json& each : cases_)
      pairs.push_back({with_language(each, "source_language", source_of(each)),
                       with_language(each, "target_language", ids(member(each, tokens)))});
    decode::TeacherForcedScorer scorer(engine(), model_->view(),
                                       {.end_of_sentence = target().end_of_sentence()});
    const auto scores = scorer.scores(pairs);
    double largest = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      auto expected = member(cases_[i], name).get<std::vector<double>>();
      if (is_multilingual() && cases_[i].contains("tag_logprob"))
        expected.insert(expected.begin(), cases_[i]["tag_logprob"].get<double>());
      // CTranslate2 does not score the token of the language.
      const std::size_t unknown = scores[i].size() - expected.size();
      REQUIRE(unknown == (is_multilingual() && !cases_[i].contains("tag_logprob") ? 1 : 0));
      for (std::size_t at = 0; at < expected.size(); ++at)
        largest = std::max(largest, std::abs(scores[i][unknown + at] - expected[at]));
    }
    return largest;
  }

  /// The number of cases whose best translations, and their log-probabilities, are a member's.
  std::size_t same_answers(std::uint32_t beam, double alpha, const char* name,
                           decode::LengthPenalty form = decode::LengthPenalty::kGnmt) {
    const auto all = answers_of({.beam_size = beam, .alpha = alpha, .length_penalty = form});
    std::size_t same = 0;
    for (std::size_t number = 0; number < cases_.size(); ++number) {
      const json& each = cases_[number];
      const auto& answers = all[number];
      const json& member = each.at(name);
      const auto best = member.is_array() ? member : json::array({member});
      const bool has_sums = best[0].contains("logprob"), has_scores = best[0].contains("score");
      bool is_same = answers.size() >= best.size();
      for (std::size_t i = 0; is_same && i < best.size(); ++i) {
        is_same = answers[i].ids == ids(best[i].at("tokens"));
        if (!has_sums && !has_scores) continue;
        const double expected = best[i].at(has_sums ? "logprob" : "score");
        const double found = has_sums ? answers[i].log_probability : answers[i].score;
        is_same = is_same && std::abs(found - expected) < tolerance_;
      }
      same += is_same ? 1 : 0;
    }
    return same;
  }
  /// The number of cases whose best translation is at least as probable as that of a member.
  std::size_t at_least_as_probable(std::uint32_t beam, const char* name) {
    const auto answers = answers_of({.beam_size = beam, .alpha = 0});
    std::size_t count = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const double theirs = cases_[i].at(name).at(0).at("logprob");
      count += answers[i].at(0).log_probability > theirs - kSumTolerance ? 1 : 0;
    }
    return count;
  }
  std::size_t size() const { return cases_.size(); }

  /// The number of raw lines whose ids, with those of language and end, are "source_ids".
  std::size_t same_ids() const {
    const text::TokenCodecModel codecs(source());
    const auto codec = codecs.make();
    std::size_t same = 0;
    for (const json& each : cases_) {
      Sentence found = {language(each, has_tags() ? "target_language" : "source_language")};
      codec->encode_ids(each["text"].get<std::string>(), 1, found);
      found.push_back(source().end_of_sentence());
      same += found == each["source_ids"].get<Sentence>() ? 1 : 0;
    }
    return same;
  }
  /// The number of raw lines whose greedy translations are those of "greedy64".
  std::size_t same_texts() const {
    std::size_t same = 0;
    for (const json& each : cases_) {
      decode::OpenOptions options;
      options.device.name = "cpu";
      options.languages.target = each["target_language"].get<std::string>();
      if (!has_tags()) options.languages.source = each["source_language"].get<std::string>();
      options.settings = [&](decode::TranslatorSettings& settings) {
        settings.search.beam_size = 1;
        settings.search.max_length_ratio = 0;
        settings.search.max_length_extra = longest_;
      };
      auto model = decode::open(checkpoint_, options);
      const std::vector<std::string> lines = {each["text"].get<std::string>()};
      const auto expected = each["greedy64"]["text"].get<std::string>();
      auto line = model.translate(lines)[0][0].line();
      // T5's tokenizer strips its texts.
      if (has_tags()) line.erase(line.find_last_not_of(' ') + 1);
      same += line == expected ? 1 : 0;
    }
    return same;
  }

 private:
  static constexpr double kSumTolerance = 1e-3;  // of log-probabilities of whole translations

  std::vector<std::vector<decode::Hypothesis>> answers_of(decode::SearchSettings search) {
    search.n_best = search.beam_size;
    search.max_length_ratio = 0;
    search.max_length_extra = longest_;
    decode::TranslatorSettings made;
    made.search = search;
    made.special = {.end_of_sentence = target().end_of_sentence(), .unknown = target().unknown()};
    made.language_tokens = is_multilingual() ? 1 : 0;
    if (shortlist_) {
      made.sentence_shortlist = &*shortlist_;
      made.search.unknown_token = decode::UnknownTokenUse::kExcluded;
    }
    decode::Translator translator(engine(), decode::single_model(model_->view()), made);
    std::vector<std::vector<decode::Hypothesis>> all;
    for (const json& each : cases_) {
      const std::vector<Sentence> sentence = {source_of(each)};
      decode::SentenceLanguages languages;
      if (is_multilingual()) {
        languages = {language(each, "source_language"), language(each, "target_language")};
      }
      all.push_back(translator.translate(sentence, {&languages, 1})[0]);
    }
    return all;
  }
  /// Whether the tag of the target language is a token of the source line.
  bool has_tags() const { return text::has_language_tags(target()); }
  bool is_multilingual() const { return !target().content().languages.empty() && !has_tags(); }
  std::uint32_t language(const json& each, const char* name) const {
    return text::language_id(target(), each.at(name).get<std::string>());
  }
  Sentence with_language(const json& each, const char* name, Sentence ids) const {
    if (is_multilingual()) ids.insert(ids.begin(), language(each, name));
    return ids;
  }
  /// Cases may have the words of a SentencePiece model instead of its pieces.
  static std::uint32_t id_of(const text::Vocabulary& vocabulary, const json& token) {
    const auto text = token.get<std::string>();
    if (const auto id = vocabulary.find(text)) return *id;
    return vocabulary.id("\u2581" + text);
  }
  Sentence source_of(const json& each) const {
    Sentence sentence;
    for (const json& token : each["source"]) sentence.push_back(id_of(source(), token));
    if (appends_end_) sentence.push_back(source().end_of_sentence());
    return sentence;
  }
  Sentence ids(const json& tokens) const {
    Sentence ids;
    for (const json& token : tokens) ids.push_back(id_of(target(), token));
    return ids;
  }

  Scratch scratch_;
  std::vector<json> cases_;
  interchange::ConvertedModel converted_;
  std::string checkpoint_;
  std::optional<store::ArrayFile> file_;
  std::optional<decode::LoadedModel> model_;
  std::optional<decode::SentenceShortlist> shortlist_;
  bool appends_end_ = false;
  double tolerance_ = kSumTolerance;
  std::uint32_t longest_ = 100;
};

/// The directory of a model of the conformance data, or nothing without it.
std::optional<std::string> directory_of(const std::string& name) {
  const auto file = conformance_file("models/" + name + "/README.md");
  if (!file) return std::nullopt;
  return std::filesystem::path(*file).parent_path().string();
}

void check_search(ConvertedCase& model) {
  CHECK(model.same_answers(1, 0, "greedy64") == model.size());
  CHECK(model.same_answers(4, 0, "beam4_64") == model.size());
  CHECK(model.same_answers(4, 0.6, "beam4_alpha06_64") == model.size());
}

constexpr double kTolerance = 1e-4;  // a token, of all in float32

}  // namespace

TEST_CASE("a converted Transformer of Marian is the original", "[conformance]") {
  const auto directory = directory_of("marian-transformer");
  if (!directory) return;
  for (const std::string file : {"", "/model.npz", "/model.bin"}) {
    CAPTURE(file);
    ConvertedCase model(*directory + file, *directory);
    CHECK(model.difference("target_logprobs") < kTolerance);
    CHECK(model.difference("target_logprobs64") < kTolerance);
    if (file != "/model.bin") continue;
    check_search(model);
    // The toolkit ends its search earlier, and may miss the best translation.
    CHECK(model.same_answers(6, 0.6, "beam6_normalize06", decode::LengthPenalty::kPower) >= 20);
    CHECK(model.converted().search.at("beam-size") == "12");
  }
}

TEST_CASE("a model with a shortlist translates as Marian", "[conformance]") {
  const auto weights = directory_of("marian-ssru");
  if (!weights) return;
  for (const std::string name : {"bergamot", "bergamot-two"}) {
    CAPTURE(name);
    const auto directory = *directory_of(name);
    // The translations are those of the weights before quantization.
    ConvertedCase model(directory, directory, [&](interchange::ConvertedModel& converted) {
      interchange::ModelFiles files(*weights + "/model.npz");
      converted.weights = interchange::read_model(files).weights;
    });
    model.use_shortlist();
    CHECK(model.size() == 24);
    CHECK(model.same_answers(1, 0, "greedy64") == model.size());
    CHECK(model.same_answers(4, 0, "beam4_64") == model.size());
    // The shortlist of a checkpoint is the same.
    CHECK(interchange::read_checkpoint(model.checkpoint()).shortlist ==
          model.converted().shortlist);
  }
}

TEST_CASE("a converted student of Marian with SSRU is the original", "[conformance]") {
  const auto directory = directory_of("marian-ssru");
  if (!directory) return;
  for (const std::string file : {"/model.npz", "/model.bin"}) {
    CAPTURE(file);
    ConvertedCase model(*directory + file, *directory);
    CHECK(model::has_ssru(model.converted().config));
    CHECK(model.difference("target_logprobs") < kTolerance);
    CHECK(model.difference("target_logprobs64") < kTolerance);
    check_search(model);
    CHECK(model.same_answers(6, 0.6, "beam6_normalize06", decode::LengthPenalty::kPower) >= 20);
  }
  // With 8-bit matrices and activations, Marian's scores of its translations change by up to 0.088;
  // here the activations are those of float32.
  ConvertedCase rounded(*directory + "/model.intgemm8.bin", *directory);
  CHECK(rounded.difference("/greedy/tokens", "/greedy/word_scores") < 0.088);
  rounded.tolerate(0.5);
  CHECK(rounded.same_answers(1, 0, "greedy64") >= 23);
}

TEST_CASE("matrices of intgemm are those in float32, rounded", "[conformance]") {
  const auto file = conformance_file("models/marian-ssru/model.intgemm8.bin");
  if (!file) return;
  const base::MappedFile exact_file(std::filesystem::path(*file).parent_path() / "model.bin"),
      rounded_file(*file);
  const auto exact = store::read_marian_binary(exact_file.bytes()),
             rounded = store::read_marian_binary(rounded_file.bytes());
  CHECK(rounded.factors.size() > 10);
  for (const auto& [name, factor] : rounded.factors) {
    CAPTURE(name);
    const auto expected = store::to_floats(exact.arrays.at(name)),
               found = store::to_floats(rounded.arrays.at(name));
    REQUIRE(found.size() == expected.size());
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      largest = std::max(largest, std::abs(double{found[i]} * factor - expected[i]));
    CHECK(largest < 0.51 * factor);
  }
}

TEST_CASE("architectures that are not supported are refused by name", "[conformance]") {
  // The message for a model whose settings have other values of the same length.
  const auto message = [](const std::string& name, std::string_view old, std::string_view other) {
    const auto directory = directory_of(name);
    if (!directory) return std::string("skipped");
    const Scratch scratch;
    for (const char* const file : {"/vocab.yml", "/model.bin"}) {
      std::ifstream in(*directory + file, std::ios::binary);
      std::string content(std::istreambuf_iterator<char>(in), {});
      if (const auto at = content.find(old); at != content.npos)
        content.replace(at, old.size(), other);
      scratch.write(file + 1, content);
    }
    return message_of([&] {
      interchange::ModelFiles files(scratch.folder());
      interchange::read_model(files);
    });
  };
  const auto check = [&](const std::string& name, std::string_view old, std::string_view other,
                         std::string_view expected) {
    const auto found = message(name, old, other);
    CAPTURE(found);
    CHECK((found == "skipped" || found.ends_with(expected)));
  };
  check("marian-ssru", "dec-cell: ssru", "dec-cell: lstm",
        "setting 'dec-cell' is 'lstm': a decoder with other recurrent cells than SSRU is not "
        "supported");
  check("marian-rnn-gru", "type: s2s", "type: abc",
        "architecture 'abc' of Marian is not supported");
  check("marian-rnn-gru", "dec-cell: gru", "dec-cell: sru",
        "setting 'dec-cell' is 'sru': a recurrent cell other than GRU is not supported");
  check("marian-rnn-gru", "dec-depth: 1", "dec-depth: 2",
        "setting 'dec-depth' is '2': a recurrent model with more layers or cells is not "
        "supported");
  check("marian-rnn-gru", "base-depth: 2", "base-depth: 4",
        "setting 'dec-cell-base-depth' is '4': another number of cells in the decoder is not "
        "supported");
}

TEST_CASE("a converted recurrent model of Marian is the original", "[conformance]") {
  const auto directory = directory_of("marian-rnn-gru");
  if (!directory) return;
  for (const std::string file : {"/model.npz", "/model.bin"}) {
    CAPTURE(file);
    ConvertedCase model(*directory + file, *directory);
    CHECK(model.converted().config.architecture == "rnn");
    CHECK(model.difference("target_logprobs") < kTolerance);
    CHECK(model.same_answers(1, 0, "greedy") == model.size());
    // The toolkit ends its search earlier, and may miss the best translation.
    CHECK(model.same_answers(4, 0, "beam4") >= 22);
    CHECK(model.at_least_as_probable(4, "beam4") == model.size());
    CHECK(model.same_answers(6, 0.6, "beam6_normalize06", decode::LengthPenalty::kPower) >= 20);
  }
  // Each of these settings matters.
  const auto wrong = [&](const std::function<void(interchange::ConvertedModel&)>& change) {
    return ConvertedCase(*directory, *directory, change).difference("target_logprobs");
  };
  using Model = interchange::ConvertedModel;
  CHECK(wrong([](Model& it) { it.config.rnn.bridge = model::Bridge::kDense; }) > 1e-2);
  CHECK(wrong([](Model& it) { it.config.rnn.conditional_cell = model::Switch::kOff; }) > 1e-2);
  // The second cell has the bias of its new state inside of the reset gate.
  CHECK(wrong([](Model& it) {
          auto& bias = it.weights["decoder.0.second.hidden_bias"];
          auto& first = it.weights["decoder.0.input_bias"];
          std::swap_ranges(bias.end() - 32, bias.end(), first.end() - 32);
        }) > 1e-2);
}

TEST_CASE("a converted MarianMT is the original", "[conformance]") {
  const auto directory = directory_of("hf-marian");
  if (!directory) return;
  for (const std::string file : {"", "/pytorch_model.bin"}) {
    CAPTURE(file);
    ConvertedCase model(*directory + file, *directory);
    CHECK(model.difference("target_logprobs") < kTolerance);
    check_search(model);
  }
  // Each of these settings matters.
  const auto with = [](const std::function<void(model::Config&)>& change) {
    return [change](interchange::ConvertedModel& it) { change(it.config); };
  };
  const auto wrong = [&](const std::function<void(model::Config&)>& change) {
    return ConvertedCase(*directory, *directory, with(change)).difference("target_logprobs");
  };
  using model::Switch;
  CHECK(wrong([](auto& it) { it.start_id = 1; }) > 1e-3);
  CHECK(wrong([](auto& it) {
          it.transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
        }) > 1e-3);
  CHECK(wrong([](auto& it) { it.transformer.embedding_scale = nn::EmbeddingScale::kOne; }) > 1e-3);
  CHECK(wrong([](auto& it) { it.transformer.source_end = Switch::kOff; }) > 1e-3);
  CHECK(wrong([](auto& it) { it.transformer.attention_bias = Switch::kOff; }) > 1e-3);
  CHECK(wrong([](auto& it) { it.transformer.output_bias = Switch::kOff; }) > 1e-3);
  ConvertedCase unmasked(*directory, *directory,
                         with([](auto& it) { it.transformer.masked_ids.clear(); }));
  CHECK(unmasked.difference("target_logprobs_with_pad") < kTolerance);
}

TEST_CASE("converted multilingual models of Hugging Face are the originals", "[conformance]") {
  for (const std::string name : {"hf-nllb", "hf-m2m100", "hf-mbart50"}) {
    const auto directory = directory_of(name);
    if (!directory) return;
    CAPTURE(name);
    ConvertedCase model(*directory, *directory);
    CHECK(model.difference("target_logprobs") < kTolerance);
    CHECK(model.difference("target_logprobs64") < kTolerance);
    CHECK(model.same_ids() == model.size());
    model.leave_out_empty();
    model.limit_length(59);
    check_search(model);
    CHECK(model.same_texts() == model.size());
  }
}

TEST_CASE("converted models of T5's architecture of Hugging Face are the originals",
          "[conformance]") {
  for (const std::string name : {"hf-madlad", "hf-mt5"}) {
    const auto directory = directory_of(name);
    if (!directory) return;
    CAPTURE(name);
    ConvertedCase model(*directory, *directory);
    CHECK(model.difference("target_logprobs") < kTolerance);
    CHECK(model.difference("target_logprobs64") < kTolerance);
    CHECK(model.same_ids() == model.size());
    model.limit_length(60);
    check_search(model);
    model.leave_out_empty();
    CHECK(model.same_texts() == model.size());
  }
  const auto directory = directory_of("hf-madlad");
  if (!directory) return;
  // Each of these settings matters.
  const auto wrong = [&](const std::function<void(model::Config&)>& change) {
    return ConvertedCase(*directory, *directory,
                         [&](interchange::ConvertedModel& it) { change(it.config); })
        .difference("target_logprobs");
  };
  using model::Switch;
  CHECK(wrong([](auto& it) { it.transformer.activation = nn::Activation::kGelu; }) > kTolerance);
  CHECK(wrong([](auto& it) {
          it.transformer.attention_scale = model::AttentionScale::kInverseRootOfKeys;
        }) > 1e-3);
  CHECK(wrong([](auto& it) {
          it.transformer.output_scale = model::OutputScale::kInverseRootOfColumns;
        }) > 1e-3);
  CHECK(wrong([](auto& it) { it.transformer.relative_max_distance = 20; }) > 1e-3);
  CHECK(wrong([](auto& it) { it.transformer.norm_epsilon = 1e-2; }) > 1e-3);
  CHECK(wrong([](auto& it) { it.start_id = 1; }) > 1e-3);
}

TEST_CASE("a converted model of fairseq is the original", "[conformance]") {
  const auto directory = directory_of("fairseq");
  if (!directory) return;
  ConvertedCase model(*directory, *directory);
  CHECK(model.difference("target_logprobs") < kTolerance);
  check_search(model);
  CHECK(model.same_answers(5, 1, "beam5_lenpen1", decode::LengthPenalty::kPower) >= 20);
}

TEST_CASE("a converted model of OpenNMT-py is the original", "[conformance]") {
  const auto directory = directory_of("onmt");
  if (!directory) return;
  ConvertedCase model(*directory, *directory);
  CHECK(model.difference("target_logprobs") < kTolerance);
  check_search(model);
}

TEST_CASE("a converted model of Sockeye is the original", "[conformance]") {
  const auto directory = directory_of("sockeye");
  if (!directory) return;
  ConvertedCase model(*directory, *directory);
  CHECK(model.converted().source_vocabulary.has_value());
  CHECK(model.difference("target_logprobs") < kTolerance);
  check_search(model);
}

TEST_CASE("converted models of CTranslate2 are the originals", "[conformance]") {
  const auto config = conformance_file("models/ct2/float32/config.json");
  if (!config) return;
  const auto root = std::filesystem::path(*config).parent_path().parent_path().string();
  for (const std::string type : {"/float32", "/float16", "/int16", "/int8"}) {
    CAPTURE(type);
    ConvertedCase model(root + type, root + type);
    CHECK(model.difference("target_logprobs") < kTolerance);
  }
  // Before version 5, the epsilon of normalization is not stored, which changes results by 1e-4.
  for (const std::string version : {"-v2", "-v3", "-v4", "-v5"}) {
    for (const std::string type : {"/float32", "/int8"}) {
      CAPTURE(type, version);
      ConvertedCase model(root + type + version, root + type);
      model.append_end();
      CHECK(model.difference("target_logprobs") < 2 * kTolerance);
    }
  }
}

TEST_CASE("a multilingual model of CTranslate2 with int8 weights is the original",
          "[conformance]") {
  const auto config = conformance_file("models/ct2-nllb/int8/config.json");
  if (!config) return;
  const auto directory = std::filesystem::path(*config).parent_path().string();
  ConvertedCase model(directory, directory);
  CHECK(model.difference("target_logprobs") < kTolerance);
  model.leave_out_empty();
  model.limit_length(59);
  CHECK(model.same_answers(1, 0, "greedy") == model.size());
}

TEST_CASE("models that CTranslate2's own converters wrote are the originals", "[conformance]") {
  for (const std::string name :
       {"ct2-marian", "ct2-opus-mt/float32", "ct2-nllb/float32", "ct2-madlad/float32"}) {
    const auto config = conformance_file("models/" + name + "/config.json");
    if (!config) return;
    CAPTURE(name);
    const auto directory = std::filesystem::path(*config).parent_path().string();
    ConvertedCase model(directory, directory);
    CHECK(model.difference("target_logprobs") < kTolerance);
    // Those of NLLB were cut after 60 tokens with that of the language, two of the others after 60.
    const bool is_multilingual = name.starts_with("ct2-nllb"),
               is_t5 = name.starts_with("ct2-madlad"), is_exact = is_multilingual || is_t5;
    if (is_multilingual) model.leave_out_empty();
    if (is_exact) model.limit_length(is_t5 ? 60 : 59);
    CHECK(model.same_answers(1, 0, "greedy") >= model.size() - (is_exact ? 0 : 2));
    if (is_exact) CHECK(model.same_answers(4, 0, "beam4_64") == model.size());
    const bool is_assumed = model.converted().assumed_source_end.has_value();
    CHECK(is_assumed == (name != "ct2-marian"));
    if (!is_assumed) continue;
    CHECK(model.converted().assumed_source_end->starts_with(*config + ": 'add_source_eos' is "));
    ConvertedCase endless(directory, directory,
                          [](auto& it) { it.config.transformer.source_end = model::Switch::kOff; });
    CHECK(endless.difference("target_logprobs") > 1e-3);
  }
}

}  // namespace awend::tests
