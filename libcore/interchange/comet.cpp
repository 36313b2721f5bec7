#include "interchange/comet.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "interchange/foreign_settings.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/pickle_objects.hpp"
#include "interchange/xlm_roberta.hpp"
#include "model/weight_layout.hpp"
#include "store/torch_file.hpp"

namespace awend::interchange {
namespace {

using model::MetricActivation;
using model::MetricInputs;
using model::MetricKind;
using model::MetricPooling;
using model::Switch;

const std::string kSettings = "hparams.yaml", kCheckpoint = "model.ckpt";

constexpr base::Word<MetricKind> kKinds[] = {
    {MetricKind::kReference, "regression_metric"},
    {MetricKind::kSource, "referenceless_regression_metric"},
    {MetricKind::kJoint, "unified_metric"}};
constexpr base::Word<MetricActivation> kActivations[] = {{MetricActivation::kNone, "null"},
                                                         {MetricActivation::kTanh, "Tanh"},
                                                         {MetricActivation::kSigmoid, "Sigmoid"},
                                                         {MetricActivation::kRelu, "ReLU"},
                                                         {MetricActivation::kGelu, "GELU"}};

/// How the vector of a layer is made, besides what model::MetricConfig has.
struct Mix {
  enum class Transformation { kSoftmax, kSparsemax } transformation;
  std::optional<std::uint32_t> only;  ///< The layer that is used; none: all.
};

MetricActivation activation_of(ForeignSettings& settings, std::string_view name,
                               std::string_view otherwise) {
  auto text = settings.text(name, otherwise);
  if (text.empty() || text == "~") text = "null";
  return word_in<kActivations>(name, text);
}

std::vector<std::uint32_t> sizes_in(ForeignSettings& settings, std::string_view name,
                                    std::string_view otherwise) {
  std::vector<std::uint32_t> sizes;
  for (const auto& size : base::split_list(settings.text(name, otherwise)))
    sizes.push_back(base::to_number<std::uint32_t>(size, base::concat("a size in '", name, "'")));
  return sizes;
}

MetricInputs inputs_in(ForeignSettings& settings) {
  auto segments = base::split_list(settings.text("input_segments", "mt,src,ref"));
  const auto take = [&](std::string_view segment) {
    return std::erase(segments, std::string(segment)) > 0;
  };
  const bool mt = take("mt"), source = take("src"), reference = take("ref");
  if (!mt || !(source || reference) || !segments.empty())
    base::fail("setting 'input_segments': expected mt, and src, ref or both");
  if (!reference) return MetricInputs::kSource;
  return source ? MetricInputs::kBoth : MetricInputs::kReference;
}

Mix mix_in(ForeignSettings& settings, std::uint32_t layers) {
  Mix mix{};
  const auto transformation = settings.text("layer_transformation", "softmax");
  // Since unbabel-comet 2.2.4, the models of this name are computed so.
  const bool is_softmax = transformation == "softmax" || transformation == "sparsemax_patch";
  if (!is_softmax && transformation != "sparsemax")
    base::fail("setting 'layer_transformation': '", transformation, "' is not supported");
  mix.transformation = is_softmax ? Mix::Transformation::kSoftmax : Mix::Transformation::kSparsemax;
  const char* name = settings.has("sent_layer") ? "sent_layer" : "layer";
  const auto layer = settings.text(name, "mix");
  if (layer == "mix") return mix;
  mix.only = base::to_number<std::uint32_t>(layer, base::concat("the setting '", name, "'"));
  if (*mix.only > layers)
    base::fail("setting '", name, "' is ", *mix.only, ", but the encoder has ", layers, " layers");
  return mix;
}

Mix read_settings(ForeignSettings& settings, model::Config& config) {
  auto& metric = config.bert.metric;
  metric.kind = word_in<kKinds>("class_identifier", settings.text("class_identifier", ""));
  const bool is_joint = metric.kind == MetricKind::kJoint;
  settings.require("encoder_model", {"XLM-RoBERTa"}, "another encoder");
  settings.require("word_level_training", {"false", "False"}, "a prediction of errors");
  const auto mix = mix_in(settings, config.encoder_layers);
  const auto pool = settings.text("pool", "avg");
  if (pool != "avg" && pool != "cls" && !is_joint)
    base::fail("setting 'pool': '", pool, "' is not supported (expected avg or cls)");
  // A joint sequence is represented by its first token, whatever the setting.
  metric.pooling = is_joint || pool == "cls" ? MetricPooling::kFirst : MetricPooling::kMean;
  if (is_joint) metric.inputs = inputs_in(settings);
  if (settings.is_on("layer_norm", Default::kOn) && !mix.only) metric.layer_norm = Switch::kOn;
  metric.hidden = sizes_in(settings, "hidden_sizes", is_joint ? "3072,1024" : "2304,768");
  metric.activation = activation_of(settings, "activations", "Tanh");
  metric.final_activation = activation_of(settings, "final_activation", "null");
  settings.ignore({"batch_size",
                   "dropout",
                   "encoder_learning_rate",
                   "error_labels",
                   "cross_entropy_weights",
                   "keep_embeddings_frozen",
                   "layer",
                   "layerwise_decay",
                   "learning_rate",
                   "load_pretrained_weights",
                   "load_weights_from_checkpoint",
                   "local_files_only",
                   "loss",
                   "loss_lambda",
                   "nr_frozen_epochs",
                   "optimizer",
                   "pretrained_model",
                   "train_data",
                   "validation_data",
                   "warmup_steps",
                   "word_layer",
                   "word_weights"});
  settings.require_all_known();
  return mix;
}

std::vector<double> softmax(std::span<const double> values) {
  std::vector<double> weights;
  const auto largest = *std::ranges::max_element(values);
  double sum = 0;
  for (const auto value : values) sum += weights.emplace_back(std::exp(value - largest));
  for (auto& weight : weights) weight /= sum;
  return weights;
}

/// The projection onto the simplex (Martins and Astudillo, 2016).
std::vector<double> sparsemax(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted, std::greater());
  double sum = 0, threshold = 0;
  for (std::size_t k = 1; k <= sorted.size(); ++k) {
    sum += sorted[k - 1];
    const auto candidate = (sum - 1) / static_cast<double>(k);
    if (sorted[k - 1] > candidate) threshold = candidate;
  }
  std::vector<double> weights;
  for (const auto value : values) weights.push_back(std::max(value - threshold, 0.0));
  return weights;
}

/// The weight of each layer, with that of the embeddings first.
std::vector<float> read_mix(ForeignWeights& weights, const Mix& mix, std::uint32_t layers) {
  const auto scalar = [&](const std::string& name) {
    const auto values = weights.values(name);
    if (values.size() != 1) base::fail("array '", name, "' has ", values.size(), " elements");
    return double{values.front()};
  };
  std::vector<float> all(layers + 1);
  if (mix.only) {
    all[*mix.only] = 1;
    return all;
  }
  std::vector<double> parameters;
  for (std::uint32_t i = 0; i <= layers; ++i)
    parameters.push_back(scalar(base::concat("layerwise_attention.scalar_parameters.", i)));
  const auto gamma = scalar("layerwise_attention.gamma");
  const bool is_sparse = mix.transformation == Mix::Transformation::kSparsemax;
  const auto shares = is_sparse ? sparsemax(parameters) : softmax(parameters);
  for (std::uint32_t i = 0; i <= layers; ++i) all[i] = static_cast<float>(gamma * shares[i]);
  return all;
}

/// Each layer of the estimator is followed by its activation and dropout.
void read_estimator(ForeignWeights& weights, ConvertedModel& model) {
  constexpr std::size_t kModules = 3;
  std::size_t number = 0;
  for (const auto& [inputs, outputs] : model::estimator_layers(model.config)) {
    const auto theirs = base::concat("estimator.ff.", kModules * number);
    const auto ours = base::concat("estimator.", number++);
    model::WeightShape weight{
        .side = "", .layer = {}, .part = ours, .rows = inputs, .columns = outputs};
    model.weights.emplace(
        ours,
        weights.read({.name = theirs + ".weight", .order = Location::Order::kTransposed}, weight));
    weight = {.side = "", .layer = {}, .part = ours + "_bias", .rows = 1, .columns = outputs};
    model.weights.emplace(weight.part, weights.read({.name = theirs + ".bias"}, weight));
  }
}

void read_weights(store::StridedArrays arrays, const Mix& mix, ConvertedModel& model) {
  ForeignWeights weights(std::move(arrays));
  model.weights.emplace("mix", read_mix(weights, mix, model.config.encoder_layers));
  read_estimator(weights, model);
  weights.read_all(model, [](const model::WeightShape& weight) {
    return xlm_roberta_location(weight, "encoder.model.");
  });
  for (const char* name :
       {"encoder.model.embeddings.position_ids", "encoder.model.pooler.*", "layerwise_attention.*"})
    weights.ignore(name);
  weights.require_all_known();
}

}  // namespace

bool looks_like_comet(const ModelFiles& directory) {
  return directory.has(kSettings);
}

ConvertedModel read_comet(const CometFiles& files) {
  auto model = read_xlm_roberta_encoder(files.encoder);
  const auto mix = with_name_once(files.metric.path_of(kSettings), [&] {
    auto settings = ForeignSettings::from_yaml(files.metric.text(kSettings));
    const auto mix = read_settings(settings, model.config);
    model::validate(model.config);
    return mix;
  });
  with_name_once(files.checkpoints.path_of(kCheckpoint), [&] {
    const store::TorchFile file(files.checkpoints.bytes(kCheckpoint));
    warn_of_unknown_objects(files.checkpoints, kCheckpoint, file.pickle());
    const auto dictionary = file.pickle().at(file.pickle().root(), "state_dict");
    if (!dictionary) base::fail("no weights ('state_dict')");
    read_weights(file.tensors(*dictionary), mix, model);
  });
  model.warnings = files.checkpoints.warnings();
  model.notes.push_back(base::concat(files.metric.path_of(kSettings), ": COMET"));
  return model;
}

}  // namespace awend::interchange
