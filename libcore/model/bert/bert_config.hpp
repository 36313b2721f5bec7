// The settings of BERT that other architectures do not have.
#pragma once

#include <string>
#include <vector>

#include "model/setting_words.hpp"

namespace awend::model {

/// What a model for given text is trained for: masked tokens, one label for a line, a label for
/// each token, or the span of a passage that answers a question.
enum class Task { kPretrain, kClassify, kTag, kSpans };

/// Its encoder has the settings in Config::transformer.
struct BertConfig {
  Task task = Task::kPretrain;
  Switch next_sentence = Switch::kOn;  ///< In pre-training, whether segments are pairs.
  double mask_rate = 0.15;
  Switch whole_words = Switch::kOff;  ///< Whether all tokens of a word are masked together.
  std::vector<std::string> labels;    ///< Of kClassify and kTag, in order of their ids.
};

}  // namespace awend::model
