#include "decode/quality_estimator.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "decode/model_files.hpp"
#include "model/checkpoint.hpp"
#include "store/weights.hpp"

namespace awend::decode {
namespace {

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

model::Config metric_config_of(const store::ArrayFile& checkpoint, QualityReference reference) {
  auto config = model::read_config(checkpoint);
  if (fit_of(config, reference) != MetricFit::kFits)
    base::fail(checkpoint.path(), ": not a metric that scores these texts");
  return config;
}

/// Writes the features of a text alone, then a * b and |a - b|, one part after another.
class FeatureWriter {
 public:
  explicit FeatureWriter(std::span<float> features) : features_(features) {}

  void text(const TextVector& a) { std::ranges::copy(a, next(a.size())); }
  void comparison(const TextVector& a, const TextVector& b) {
    std::ranges::transform(a, b, next(a.size()), std::multiplies());
    std::ranges::transform(a, b, next(a.size()), [](float x, float y) { return std::abs(x - y); });
  }

 private:
  float* next(std::size_t size) {
    auto* begin = features_.data();
    features_ = features_.subspan(size);
    return begin;
  }
  std::span<float> features_;
};

void write_features(const TextVector& translation, const TextVector& source,
                    const TextVector* reference, std::span<float> features) {
  FeatureWriter writer(features);
  const auto& second = reference != nullptr ? *reference : source;
  writer.text(translation);
  writer.text(second);
  writer.comparison(translation, second);
  if (reference != nullptr) writer.comparison(translation, source);
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
      estimator_(engine, checkpoint, config_),
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
/// loses its end.
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
  }
  joined.resize(std::min<std::size_t>(joined.size(), sentences_.longest()));
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

std::vector<TextVector> QualityEstimator::encode(const Sequences& sequences) {
  encoded_ += sequences.lines().size();
  std::vector<TextVector> vectors;
  for (auto& line : sentences_.encode(sequences.lines())) vectors.push_back(std::move(line.vector));
  return vectors;
}

std::vector<double> QualityEstimator::score(std::span<const QualitySegment> segments) {
  if (segments.empty()) return {};
  Sequences sequences;
  for (const auto& segment : segments) add(segment, sequences);
  const auto vectors = encode(sequences);
  const auto places = sequences.of_segments();
  const auto each = places.size() / segments.size();
  const auto vector_of = [&](std::size_t i, std::size_t text) -> const TextVector& {
    return vectors[places[i * each + text]];
  };
  const auto kind = config_.bert.metric.kind;
  if (kind != MetricKind::kJoint) {
    return estimator_.score(segments.size(), [&](std::size_t i, std::span<float> features) {
      const auto* reference = kind == MetricKind::kReference ? &vector_of(i, 2) : nullptr;
      write_features(vector_of(i, 0), vector_of(i, 1), reference, features);
    });
  }
  const auto parts = estimator_.score(places.size(), [&](std::size_t i, std::span<float> features) {
    std::ranges::copy(vectors[places[i]], features.begin());
  });
  std::vector<double> scores;
  for (auto begin = parts.begin(); begin != parts.end(); begin += static_cast<std::ptrdiff_t>(each))
    scores.push_back(std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(each), 0.0) /
                     static_cast<double>(each));
  return scores;
}

bool QualityEstimator::encodes_texts_alone() const {
  return config_.bert.metric.kind == MetricKind::kReference;
}

std::vector<TextVector> QualityEstimator::vectors_of(std::span<const std::string_view> texts) {
  if (texts.empty()) return {};
  Sequences sequences;
  for (const auto text : texts) sequences.add(sequence_of(text));
  const auto vectors = encode(sequences);
  std::vector<TextVector> of_texts;
  for (const auto place : sequences.of_segments()) of_texts.push_back(vectors[place]);
  return of_texts;
}

std::vector<double> QualityEstimator::score(const TextVector& source,
                                            std::span<const TextVector* const> translations,
                                            std::span<const TextVector* const> references) {
  base::check(encodes_texts_alone(), "each text has a vector");
  const auto count = translations.size() * references.size();
  return estimator_.score(count, [&](std::size_t i, std::span<float> features) {
    write_features(*translations[i / references.size()], source, references[i % references.size()],
                   features);
  });
}

}  // namespace awend::decode
