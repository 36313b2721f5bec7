// A checkpoint as JSON; see checkpoint_view.hpp and man/inspect.1.
#include "base/json.hpp"
#include "inspect/checkpoint_view.hpp"
#include "inspect/state_view.hpp"

namespace awend::tools {
namespace {

using base::JsonObject;

void add(JsonObject& object, const Statistics& statistics) {
  if (statistics.finite > 0) {
    object.number("rms", statistics.rms())
        .number("min", statistics.min)
        .number("max", statistics.max);
  }
  object.count("not_finite", statistics.not_finite);
}

/// Updates are a number, unless another program wrote a text.
std::string number_or_text(const std::string& text) {
  const bool digits = !text.empty() && text.size() < 16 &&
                      text.find_first_not_of("0123456789") == std::string::npos &&
                      (text == "0" || text[0] != '0');
  return digits ? text : base::json_string(text);
}

std::string parts_json(const Survey& survey) {
  return base::json_list(survey.parts, [](const auto& part) {
    JsonObject object;
    object.text("part", part.name).count("arrays", part.arrays).count("numbers", part.numbers);
    add(object, part.statistics);
    return object.str();
  });
}

std::string arrays_json(const CheckpointFacts& facts) {
  std::vector<std::string> arrays;
  for (std::size_t i = 0; i < facts.arrays.size(); ++i) {
    auto object = array_json(facts.arrays[i]);
    add(object, facts.survey.arrays[i]);
    arrays.push_back(object.str());
  }
  return base::json_values(arrays);
}

std::string vocabulary_json(const text::Vocabulary& vocabulary) {
  const auto& form = vocabulary.form();
  JsonObject object;
  object.text("type", text::name_of(vocabulary.type())).count("pieces", vocabulary.size());
  object.count("merges", vocabulary.merges().size());
  object.text("normalize", name_of(form.normalization)).text("case", name_of(form.letter_case));
  object.text("control", name_of(form.control)).count("unknown", vocabulary.unknown());
  object.count("end_of_sentence", vocabulary.end_of_sentence());
  const auto& languages = vocabulary.content().languages;
  if (languages.empty()) return object.str();
  JsonObject ids;
  for (const auto& [code, id] : languages) ids.count(code, id);
  return object.value("languages", ids.str()).str();
}

}  // namespace

std::string json_of(const CheckpointFacts& facts) {
  JsonObject object;
  object.text("file", facts.path).count("bytes", facts.bytes);
  if (facts.step) object.value("step", number_or_text(*facts.step));
  if (facts.average) object.text("average", *facts.average);
  object.value("config", model::to_settings(facts.config).to_json());
  object.count("numbers", facts.survey.numbers).value("parts", parts_json(facts.survey));
  object.value("arrays", arrays_json(facts));
  if (facts.state) object.value("training", training_json(*facts.state));
  if (facts.recipe) object.value("recipe", facts.recipe->to_json());
  if (facts.vocabulary) object.value("vocabulary", vocabulary_json(*facts.vocabulary));
  if (facts.source_vocabulary)
    object.value("source_vocabulary", vocabulary_json(*facts.source_vocabulary));
  if (facts.search) object.value("search", facts.search->to_json());
  if (facts.shortlist) object.value("shortlist", facts.shortlist->to_json());
  if (facts.scales) object.value("activation_scales", facts.scales->to_json());
  return object.str() + "\n";
}

}  // namespace awend::tools
