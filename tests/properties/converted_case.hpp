// Models of other toolkits in the conformance data, converted.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "decode/open.hpp"
#include "decode/sentence_shortlist.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "interchange/checkpoint.hpp"
#include "interchange/read_model.hpp"
#include "tests/conformance.hpp"
#include "tests/largest.hpp"
#include "tests/properties/stage.hpp"
#include "text/token_codec.hpp"

namespace awend::tests {

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
        largest = larger(largest, std::abs(scores[i][unknown + at] - expected[at]));
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
inline std::optional<std::string> directory_of(const std::string& name) {
  const auto file = conformance_file("models/" + name + "/README.md");
  if (!file) return std::nullopt;
  return std::filesystem::path(*file).parent_path().string();
}

/// Searches find what an implementation in double precision finds.
inline void check_search(ConvertedCase& model) {
  CHECK(model.same_answers(1, 0, "greedy64") == model.size());
  CHECK(model.same_answers(4, 0, "beam4_64") == model.size());
  CHECK(model.same_answers(4, 0.6, "beam4_alpha06_64") == model.size());
}

inline constexpr double kTolerance = 1e-4;  // a token, of all in float32

}  // namespace awend::tests
