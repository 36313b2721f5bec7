// The settings of BERT that other architectures do not have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/setting_words.hpp"

namespace awend::model {

/// What a model for given text is trained for: masked tokens, one label for a line, a label for
/// each token, or the span of a passage that answers a question.
enum class Task { kPretrain, kClassify, kTag, kSpans };

/// The family of a metric of translations that is learned from human scores (COMET): its features
/// are vectors of texts that are encoded alone, with or without a reference, or that of one
/// sequence of all texts.
enum class MetricKind { kNone, kReference, kSource, kJoint };
/// The texts that a joint sequence has besides the translation.
enum class MetricInputs { kSource, kReference, kBoth };
/// The vector of a sequence: the mean over its tokens, or that of the first.
enum class MetricPooling { kMean, kFirst };
/// Of the estimator, after each hidden layer or after the last one.
enum class MetricActivation { kNone, kTanh, kSigmoid, kRelu, kGelu };

/// A metric has an estimator instead of other heads: a feed-forward network over features from a
/// weighted sum of the embeddings and the outputs of all layers.
struct MetricConfig {
  MetricKind kind = MetricKind::kNone;
  MetricInputs inputs = MetricInputs::kSource;  ///< Of kJoint.
  MetricPooling pooling = MetricPooling::kMean;
  Switch layer_norm = Switch::kOff;  ///< Whether each layer is normalized over a text.
  MetricActivation activation = MetricActivation::kTanh, final_activation = MetricActivation::kNone;
  std::vector<std::uint32_t> hidden;  ///< The sizes of the hidden layers.
};

/// Its encoder has the settings in Config::transformer.
struct BertConfig {
  Task task = Task::kPretrain;
  Switch next_sentence = Switch::kOn;  ///< In pre-training, whether segments are pairs.
  double mask_rate = 0.15;
  Switch whole_words = Switch::kOff;  ///< Whether all tokens of a word are masked together.
  std::vector<std::string> labels;    ///< Of kClassify and kTag, in order of their ids.
  std::uint32_t segments = 2;         ///< Kinds of segments, whose vectors differ; XLM-R has one.
  /// Of the first token.  If it is not 0, the id before it is padding, whose position is its id and
  /// which is not counted, as in RoBERTa and XLM-R.
  std::uint32_t first_position = 0;
  MetricConfig metric;
};

}  // namespace awend::model
