#include "decode/quality_estimator.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/error.hpp"
#include "decode/model_files.hpp"
#include "model/checkpoint.hpp"
#include "model/weight_layout.hpp"
#include "store/weights.hpp"

namespace awend::decode {
namespace {

using model::MetricActivation;
using model::MetricInputs;
using model::MetricKind;

constexpr std::string_view kSpecial[] = {"<s>", "<pad>", "</s>", "<unk>", "<mask>"};

std::vector<float> read_weights(const store::ArrayFile& file, std::string_view name,
                                std::uint64_t size) {
  const std::uint64_t shape[] = {size, 1};
  return store::Weights(file, name, shape).read();
}

LayerMix mix_of(const store::ArrayFile& file, const model::Config& config) {
  const auto& metric = config.bert.metric;
  LayerMix mix{.weights = read_weights(file, "mix", config.encoder_layers + 1)};
  if (metric.pooling == model::MetricPooling::kFirst) mix.pooling = LayerMix::Pooling::kFirst;
  if (metric.layer_norm == model::Switch::kOn) mix.norm = LayerMix::Norm::kText;
  if (config.bert.first_position > 0) mix.padding = config.bert.first_position - 1;
  return mix;
}

double activated(MetricActivation activation, double x) {
  switch (activation) {
    case MetricActivation::kTanh:
      return std::tanh(x);
    case MetricActivation::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case MetricActivation::kRelu:
      return std::max(x, 0.0);
    case MetricActivation::kGelu:
      return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
    case MetricActivation::kNone:
      break;
  }
  return x;
}

model::Config metric_config_of(const store::ArrayFile& checkpoint, QualityReference reference) {
  auto config = model::read_config(checkpoint);
  if (fit_of(config, reference) != MetricFit::kFits)
    base::fail(checkpoint.path(), ": not a metric that scores these texts");
  return config;
}

/// Appends a * b and |a - b|.
void append_comparison(const std::vector<float>& a, const std::vector<float>& b,
                       std::vector<double>& features) {
  for (std::size_t i = 0; i < a.size(); ++i) features.push_back(double{a[i]} * b[i]);
  for (std::size_t i = 0; i < a.size(); ++i) features.push_back(std::abs(double{a[i]} - b[i]));
}

}  // namespace

MetricFit fit_of(const model::Config& config, QualityReference reference) {
  const auto& metric = config.bert.metric;
  const bool is_joint = metric.kind == MetricKind::kJoint;
  if (metric.kind == MetricKind::kNone) return MetricFit::kNoMetric;
  const bool reads_reference =
      metric.kind == MetricKind::kReference || (is_joint && metric.inputs != MetricInputs::kSource);
  const bool needs_reference = metric.kind == MetricKind::kReference ||
                               (is_joint && metric.inputs == MetricInputs::kReference);
  if (reference == QualityReference::kGiven)
    return reads_reference ? MetricFit::kFits : MetricFit::kReadsNoReference;
  return needs_reference ? MetricFit::kNeedsReference : MetricFit::kFits;
}

/// The feed-forward network over features.
class QualityEstimator::Estimator {
 public:
  Estimator(const store::ArrayFile& file, const model::Config& config)
      : metric_(config.bert.metric) {
    for (const auto& [inputs, outputs] : model::estimator_layers(config)) {
      const auto name = base::concat("estimator.", layers_.size());
      layers_.push_back({read_weights(file, name, std::uint64_t{inputs} * outputs),
                         read_weights(file, name + "_bias", outputs)});
    }
  }

  double operator()(std::vector<double> x) const {
    for (const auto& layer : layers_) {
      std::vector<double> y(layer.bias.begin(), layer.bias.end());
      const float* row = layer.weight.data();
      for (const double input : x) {
        for (std::size_t i = 0; i < y.size(); ++i) y[i] += input * row[i];
        row += y.size();
      }
      const bool is_last = &layer == &layers_.back();
      const auto activation = is_last ? metric_.final_activation : metric_.activation;
      for (auto& value : y) value = activated(activation, value);
      x = std::move(y);
    }
    return x.front();
  }

 private:
  struct Layer {
    std::vector<float> weight, bias;  // (inputs, outputs) and (outputs)
  };
  model::MetricConfig metric_;
  std::vector<Layer> layers_;
};

/// The sequences to encode, each once, and the places of those of each segment.
class QualityEstimator::Sequences {
 public:
  void add(text::Ids ids) {
    const auto place = static_cast<std::uint32_t>(lines_.size());
    const auto [found, is_new] = places_.try_emplace(std::move(ids), place);
    if (is_new) {
      const auto& own = found->first;
      lines_.push_back(
          {.ids = own, .second_segment = static_cast<std::uint32_t>(own.size()), .predicted = {}});
    }
    of_segments_.push_back(found->second);
  }
  std::span<const data::EncoderLine> lines() const { return lines_; }
  std::span<const std::uint32_t> of_segments() const { return of_segments_; }

 private:
  std::map<text::Ids, std::uint32_t> places_;
  std::vector<data::EncoderLine> lines_;
  std::vector<std::uint32_t> of_segments_;
};

QualityEstimator::QualityEstimator(nn::Engine& engine, const store::ArrayFile& checkpoint,
                                   const Settings& settings)
    : config_(metric_config_of(checkpoint, settings.reference)),
      reference_(settings.reference),
      vocabulary_(vocabulary_of(checkpoint)),
      special_(data::encoder_ids(vocabulary_)),
      tokens_(vocabulary_),
      codec_(tokens_.make(), vocabulary_, kSpecial),
      encoder_(engine, checkpoint, settings.precision),
      estimator_(std::make_unique<Estimator>(checkpoint, config_)),
      sentences_(engine, encoder_.view(),
                 {.batch_tokens = settings.batch_tokens, .mix = mix_of(checkpoint, config_)}) {}

QualityEstimator::~QualityEstimator() = default;

/// A text between its first and its last token, of as many tokens as COMET keeps: two fewer than
/// the model can read.
text::Ids QualityEstimator::sequence_of(std::string_view text) {
  const auto longest = sentences_.longest() - data::kAroundSegment;
  text::Ids ids;
  codec_.encode_ids(text, 1, ids);
  ids.resize(std::min<std::size_t>(ids.size(), longest - data::kAroundSegment));
  ids.insert(ids.begin(), special_.classify);
  ids.push_back(special_.separator);
  return ids;
}

/// All texts in one sequence, each but the first after two separators.  A sequence that is too long
/// loses its end, with each text that is added.
text::Ids QualityEstimator::joined(std::span<const std::string_view> texts) {
  text::Ids joined;
  for (const auto text : texts) {
    auto ids = sequence_of(text);
    std::erase(ids, special_.pad);
    if (joined.empty()) {
      joined = std::move(ids);
      continue;
    }
    joined.back() = special_.separator;
    joined.push_back(special_.separator);
    joined.insert(joined.end(), ids.begin() + 1, ids.end());
    joined.resize(std::min<std::size_t>(joined.size(), sentences_.longest()));
  }
  return joined;
}

void QualityEstimator::add(const QualitySegment& segment, Sequences& sequences) {
  const auto& metric = config_.bert.metric;
  const auto& [source, translation, reference] = segment;
  const bool is_joint = metric.kind == MetricKind::kJoint;
  if (!is_joint) {
    sequences.add(sequence_of(translation));
    sequences.add(sequence_of(source));
    if (metric.kind == MetricKind::kReference) sequences.add(sequence_of(reference));
    return;
  }
  const bool has_reference =
                 reference_ == QualityReference::kGiven && metric.inputs != MetricInputs::kSource,
             has_source = metric.inputs != MetricInputs::kReference;
  using Texts = std::vector<std::string_view>;
  if (has_source) sequences.add(joined(Texts{translation, source}));
  if (has_reference) sequences.add(joined(Texts{translation, reference}));
  if (has_source && has_reference) sequences.add(joined(Texts{translation, source, reference}));
}

double QualityEstimator::score_of(std::span<const std::uint32_t> places,
                                  std::span<const std::vector<float>> vectors) const {
  const auto kind = config_.bert.metric.kind;
  if (kind == MetricKind::kJoint) {
    double sum = 0;
    for (const auto place : places)
      sum += (*estimator_)({vectors[place].begin(), vectors[place].end()});
    return sum / static_cast<double>(places.size());
  }
  const auto &translation = vectors[places[0]], &source = vectors[places[1]];
  std::vector<double> features(translation.begin(), translation.end());
  const auto& second = kind == MetricKind::kReference ? vectors[places[2]] : source;
  features.insert(features.end(), second.begin(), second.end());
  append_comparison(translation, second, features);
  if (kind == MetricKind::kReference) append_comparison(translation, source, features);
  return (*estimator_)(std::move(features));
}

std::vector<double> QualityEstimator::score(std::span<const QualitySegment> segments) {
  if (segments.empty()) return {};
  Sequences sequences;
  for (const auto& segment : segments) add(segment, sequences);
  std::vector<std::vector<float>> vectors;
  for (auto& line : sentences_.encode(sequences.lines())) vectors.push_back(std::move(line.vector));
  const auto places = sequences.of_segments();
  const auto each = places.size() / segments.size();
  std::vector<double> scores;
  for (std::size_t i = 0; i < segments.size(); ++i)
    scores.push_back(score_of(places.subspan(i * each, each), vectors));
  return scores;
}

}  // namespace awend::decode
