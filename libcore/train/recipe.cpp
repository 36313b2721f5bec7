#include "train/recipe.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "store/field_table.hpp"

namespace awend::train {
namespace {

using base::DefaultFrom;
using base::integer_field;
using base::real_field;
using base::word_field;

constexpr base::Word<Curve> kCurves[] = {{Curve::kInverseSquareRoot, "inverse-sqrt"},
                                         {Curve::kConstant, "constant"},
                                         {Curve::kLinear, "linear"},
                                         {Curve::kCosine, "cosine"},
                                         {Curve::kHalving, "halving"}};
constexpr base::Word<Quantize> kQuantized[] = {{Quantize::kNone, "none"},
                                               {Quantize::kInt8, "int8"}};
constexpr base::Word<Optimizer> kOptimizers[] = {
    {Optimizer::kAdam, "adam"}, {Optimizer::kMuon, "muon"}, {Optimizer::kSgd, "sgd"}};

constexpr base::Word<nn::WeightDecayOf> kDecayed[] = {{nn::WeightDecayOf::kAll, "all"},
                                                      {nn::WeightDecayOf::kMatrices, "matrices"}};
constexpr base::Word<nn::RandomWeights> kInitializers[] = {
    {nn::RandomWeights::kByParameter, "glorot"},
    {nn::RandomWeights::kNormal, "normal"},
    {nn::RandomWeights::kTruncatedNormal, "truncated-normal"}};

constexpr base::Word<nn::AlignmentCost> kAlignmentCosts[] = {
    {nn::AlignmentCost::kCrossEntropy, "ce"}, {nn::AlignmentCost::kSquaredError, "mse"}};

constexpr std::string_view kGuided = "Guided alignment";
constexpr std::string_view kOptimizer = "Optimizer (defaults depend on the preset)";
constexpr std::string_view kLimits = "Stopping, saving and logging (defaults depend on the preset)";
constexpr std::string_view kDevice = "Device";

constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int32_t>::max();
constexpr base::Integers kPositive{.min = 1, .max = kMaxInteger};
constexpr base::Integers kNotNegative{.min = 0, .max = kMaxInteger};

// Training states carry them in this order.
constexpr base::Field<Recipe> kRecipeFields[] = {
    word_field<kOptimizers, &Recipe::optimizer>(
        {.name = "optimizer",
         .metavar = "WHICH",
         .group = kOptimizer,
         .help = "Adam, Muon, or stochastic gradient descent without momentum",
         .default_from = DefaultFrom::kPreset,
         .stored = base::Stored::kUnlessDefault}),
    real_field<&Recipe::learning_rate>(
        {.name = "learning-rate",
         .metavar = "R",
         .group = kOptimizer,
         .help = "peak learning rate; 0 = (d-model * warmup)^-0.5, as in the paper",
         .default_from = DefaultFrom::kPreset},
        {0, 1e6}),
    integer_field<&Recipe::warmup>({.name = "warmup",
                                    .group = kOptimizer,
                                    .help = "warmup steps: updates until the peak learning rate",
                                    .default_from = DefaultFrom::kPreset},
                                   kPositive),
    word_field<kCurves, &Recipe::curve>({.name = "schedule",
                                         .metavar = "CURVE",
                                         .group = kOptimizer,
                                         .help = "learning-rate decay after warmup",
                                         .default_from = DefaultFrom::kPreset}),
    integer_field<&Recipe::schedule_steps>(
        {.name = "schedule-steps",
         .group = kOptimizer,
         .help = "updates until linear or cosine decay reaches 0, or between halvings; without it, "
                 "max-steps or a quarter of it",
         .default_from = DefaultFrom::kPreset},
        kPositive),
    real_field<&Recipe::adam, &nn::AdamSettings::beta1>({.name = "adam-beta1",
                                                         .metavar = "B",
                                                         .group = kOptimizer,
                                                         .help = "decay rate of the first moment"},
                                                        {0, 0.999999}),
    real_field<&Recipe::adam, &nn::AdamSettings::beta2>({.name = "adam-beta2",
                                                         .metavar = "B",
                                                         .group = kOptimizer,
                                                         .help = "decay rate of the second moment",
                                                         .default_from = DefaultFrom::kPreset},
                                                        {0, 0.999999}),
    real_field<&Recipe::adam, &nn::AdamSettings::epsilon>({.name = "adam-epsilon",
                                                           .metavar = "E",
                                                           .group = kOptimizer,
                                                           .help = "term added to the denominator",
                                                           .default_from = DefaultFrom::kPreset},
                                                          {1e-30, 1}),
    real_field<&Recipe::muon_momentum>({.name = "muon-momentum",
                                        .metavar = "M",
                                        .group = kOptimizer,
                                        .help = "decay rate of the momentum of matrices",
                                        .stored = base::Stored::kUnlessDefault},
                                       {0, 0.999999}),
    real_field<&Recipe::adam, &nn::AdamSettings::weight_decay, &nn::WeightDecay::rate>(
        {.name = "weight-decay",
         .metavar = "D",
         .group = kOptimizer,
         .help = "decoupled weight decay",
         .default_from = DefaultFrom::kPreset},
        {0, 1e6}),
    word_field<kDecayed, &Recipe::adam, &nn::AdamSettings::weight_decay, &nn::WeightDecay::of>(
        {.name = "weight-decay-of",
         .metavar = "WHICH",
         .group = kOptimizer,
         .help = "parameters that decay; matrices leaves out biases and normalizations",
         .default_from = DefaultFrom::kPreset,
         .stored = base::Stored::kUnlessDefault}),
    real_field<&Recipe::clip_norm>({.name = "clip-norm",
                                    .metavar = "NORM",
                                    .group = kOptimizer,
                                    .help = "maximum gradient norm; 0 = no clipping",
                                    .default_from = DefaultFrom::kPreset},
                                   {0, 1e30}),
    integer_field<&Recipe::batch_tokens>(
        {.name = "batch-tokens",
         .group = kOptimizer,
         .help = "maximum tokens per batch on each side; split into passes if memory requires",
         .default_from = DefaultFrom::kPreset},
        kPositive),
    integer_field<&Recipe::batch_sentences>({.name = "batch-sentences",
                                             .group = kOptimizer,
                                             .help = "maximum pairs per batch; 0 = no limit",
                                             .default_from = DefaultFrom::kPreset,
                                             .stored = base::Stored::kUnlessDefault},
                                            kNotNegative),
    integer_field<&Recipe::accumulate>({.name = "accumulate",
                                        .group = kOptimizer,
                                        .help = "gradient accumulation: batches per update"},
                                       {.min = 1, .max = 65'536}),
    integer_field<&Recipe::seed>(
        {.name = "seed",
         .group = kOptimizer,
         .help = "random seed for initialization, batch order and dropout"},
        {.min = 0, .max = std::numeric_limits<std::int64_t>::max()}),
    word_field<kInitializers, &Recipe::initializer, &nn::InitialDistribution::weights>(
        {.name = "initializer",
         .metavar = "WHICH",
         .group = kOptimizer,
         .help = "distribution of initial weights",
         .default_from = DefaultFrom::kPreset,
         .stored = base::Stored::kUnlessDefault}),
    real_field<&Recipe::initializer, &nn::InitialDistribution::deviation>(
        {.name = "initializer-deviation",
         .metavar = "S",
         .group = kOptimizer,
         .help = "standard deviation of normal initial weights, before truncation",
         .stored = base::Stored::kUnlessDefault},
        {1e-6, 10}),
    real_field<&Recipe::ema_decay>(
        {.name = "ema-decay",
         .metavar = "D",
         .group = kOptimizer,
         .help = "validate and save an exponential moving average of the weights; 0 = off"},
        {0, 0.999999999}),
    base::list_field<&Recipe::freeze>(
        {.name = "freeze",
         .metavar = "PATTERN,...",
         .group = kOptimizer,
         .help = "do not train parameters that match, such as 'encoder.*'"}),
    word_field<nn::kElementWords, &Recipe::precision>(
        {.name = "precision",
         .metavar = "TYPE",
         .group = kDevice,
         .help = "type of the operands of matrix products"}),
    word_field<kQuantized, &Recipe::quantize>(
        {.name = "quantize",
         .metavar = "TYPE",
         .group = kDevice,
         .help = "quantization-aware training of an initialized model",
         .stored = base::Stored::kUnlessDefault}),
    word_field<kAlignmentCosts, &Recipe::guided_alignment, &nn::GuidedAlignment::cost>(
        {.name = "guided-alignment-cost",
         .metavar = "WHICH",
         .group = kGuided,
         .help = "cross entropy (ce) or squared error (mse) of the attention weights",
         .stored = base::Stored::kUnlessDefault}),
    real_field<&Recipe::guided_alignment, &nn::GuidedAlignment::weight>(
        {.name = "guided-alignment-weight",
         .metavar = "W",
         .group = kGuided,
         .help = "weight of the alignment cost in the loss",
         .stored = base::Stored::kUnlessDefault},
        {0, 1e6}),
};

constexpr base::Field<RunLimits> kLimitFields[] = {
    integer_field<&RunLimits::max_steps>({.name = "max-steps",
                                          .group = kLimits,
                                          .help = "stop after N updates",
                                          .default_from = DefaultFrom::kPreset},
                                         kPositive),
    integer_field<&RunLimits::max_epochs>(
        {.name = "max-epochs", .group = kLimits, .help = "stop after N epochs; 0 = no limit"},
        kNotNegative),
    real_field<&RunLimits::time_limit_minutes>(
        {.name = "time-limit",
         .metavar = "MINUTES",
         .group = kLimits,
         .help = "save and stop after this time; 0 = no limit"},
        {0, 1e9}),
    integer_field<&RunLimits::valid_every>({.name = "valid-every",
                                            .group = kLimits,
                                            .help = "updates between validations",
                                            .default_from = DefaultFrom::kPreset},
                                           kPositive),
    integer_field<&RunLimits::valid_beam>(
        {.name = "valid-beam",
         .group = kLimits,
         .help = "beam size for scores at validation; 0 = only the loss"},
        kNotNegative),
    integer_field<&RunLimits::early_stopping>(
        {.name = "early-stopping",
         .group = kLimits,
         .help = "stop after N validations without improvement; 0 = off"},
        kNotNegative),
    integer_field<&RunLimits::save_every>({.name = "save-every",
                                           .group = kLimits,
                                           .help = "updates between checkpoints",
                                           .default_from = DefaultFrom::kPreset},
                                          kPositive),
    integer_field<&RunLimits::keep>(
        {.name = "keep", .group = kLimits, .help = "keep the N newest checkpoints"}, kPositive),
    integer_field<&RunLimits::keep_states>(
        {.name = "keep-states",
         .group = kLimits,
         .help = "keep the N newest training states, to resume from"},
        kPositive),
    integer_field<&RunLimits::keep_best>(
        {.name = "keep-best",
         .group = kLimits,
         .help = "keep the N checkpoints with the best validation"},
        kNotNegative),
    word_field<kMetrics, &RunLimits::best_metric>(
        {.name = "best-metric",
         .metavar = "WHICH",
         .group = kLimits,
         .help = "validation metric for the best checkpoints",
         .default_from = DefaultFrom::kPreset}),
    integer_field<&RunLimits::log_every>({.name = "log-every",
                                          .group = kLimits,
                                          .help = "updates between log lines",
                                          .default_from = DefaultFrom::kPreset},
                                         kPositive),
    integer_field<&RunLimits::memory_budget_mib>(
        {.name = "memory-budget",
         .metavar = "MIB",
         .group = kDevice,
         .help = "device memory to use; batches are split into passes to fit; 0 = all available"},
        kNotNegative),
};

/// Training of a recurrent network.  The papers used stochastic gradient descent or Adadelta; these
/// are values for Adam.
void set_rnn_training(std::string_view name, Preset& preset) {
  auto& [model, recipe, limits] = preset;
  const bool is_small = name.starts_with("rnn-");
  recipe.clip_norm = is_small || name == "bahdanau" || name == "cho" ? 1 : 5;
  recipe.batch_tokens = 4096;
  recipe.learning_rate = is_small ? 0.002 : 0.001;
  recipe.warmup = is_small ? 400 : 1000;
  if (!is_small) return;
  limits.max_steps = 4000;
  limits.valid_every = limits.save_every = 250;
}

// A tenth of the questions of a task of bAbI is for validation: 900 of 1000 are for training.  All
// tasks together have twenty times as many.
constexpr std::uint32_t kQuestionsOfBatch = 32;
constexpr std::uint32_t kUpdatesOfTask = 29, kUpdatesOfAllTasks = 563;  // of an epoch

/// Training of a memory network on the tasks of bAbI (Sukhbaatar et al., 2015, section 4.2): the
/// recipe of the paper, but for 60 epochs of linear start instead of 20 to 30.
void set_memory_training(std::string_view name, Preset& preset) {
  auto& [model, recipe, limits] = preset;
  const bool is_joint = name == "memory-joint";
  const std::uint32_t epoch = is_joint ? kUpdatesOfAllTasks : kUpdatesOfTask;
  // The authors use the sum of the gradients of the questions.  Here it is the mean over tokens, of
  // which an answer and its end are two.
  constexpr double kSum = 2 * kQuestionsOfBatch;
  recipe.optimizer = Optimizer::kSgd;
  recipe.learning_rate = 0.005 * kSum;
  // The authors clip each parameter at 40; this is the norm of all parameters.
  recipe.clip_norm = (is_joint ? 40 : 25.6) / kSum;
  recipe.batch_sentences = kQuestionsOfBatch;
  recipe.batch_tokens = 16384;
  recipe.warmup = 1;
  recipe.curve = Curve::kHalving;
  recipe.schedule_steps = (is_joint ? 15 : 25) * epoch;
  model.memory.linear_start = 60 * epoch;
  limits.max_steps = model.memory.linear_start + 4 * recipe.schedule_steps;
  limits.valid_every = 10 * epoch;
  limits.save_every = 20 * epoch;
  limits.log_every = epoch;
  limits.best_metric = default_metric(model);
}

/// Pre-training of BERT (Devlin et al., 2019, appendix A.2), with tokens for sentences of a batch.
void set_bert_training(std::string_view name, Preset& preset) {
  auto& [model, recipe, limits] = preset;
  recipe.adam.beta2 = 0.999;
  recipe.adam.epsilon = 1e-6;
  recipe.adam.weight_decay = {.rate = 0.01, .of = nn::WeightDecayOf::kMatrices};
  recipe.initializer = {.weights = nn::RandomWeights::kTruncatedNormal, .deviation = 0.02};
  recipe.clip_norm = 1;
  if (name == "bert-base") {
    recipe.learning_rate = 1e-4;
    recipe.warmup = 10000;
    recipe.batch_tokens = 131072;
    recipe.curve = Curve::kLinear;
    limits.max_steps = 1000000;
    recipe.schedule_steps = limits.max_steps;
    return;
  }
  recipe.learning_rate = 0.002;
  recipe.warmup = 200;
  recipe.batch_tokens = 4096;
  limits.max_steps = 4000;
  limits.valid_every = limits.save_every = 250;
}

struct Training {
  std::string_view architecture;
  void (*set)(std::string_view name, Preset& preset);
};
constexpr Training kTrainings[] = {
    {"rnn", set_rnn_training}, {"memory", set_memory_training}, {"bert", set_bert_training}};

}  // namespace

Preset preset(std::string_view name) {
  Preset preset{model::preset(name), {}, {}};
  const auto* const training =
      std::ranges::find(kTrainings, preset.model.architecture, &Training::architecture);
  if (training != std::end(kTrainings)) training->set(name, preset);
  if (name == "big") preset.limits.max_steps = 300000;
  if (name == "small" || name == "tiny") {
    // With about 500 000 tokens per epoch, small batches, a high learning rate and few steps work
    // best.
    const bool is_tiny = name == "tiny";
    preset.model.dropout = is_tiny ? 0.2 : 0.3;
    preset.recipe.batch_tokens = 4096;
    preset.recipe.learning_rate = is_tiny ? 0.004 : 0.002;
    preset.recipe.warmup = is_tiny ? 400 : 500;
    preset.limits.max_steps = 4000;
    preset.limits.valid_every = 250;
    preset.limits.save_every = 250;
  }
  return preset;
}

std::span<const base::Field<Recipe>> recipe_fields() {
  return kRecipeFields;
}

std::span<const base::Field<RunLimits>> limit_fields() {
  return kLimitFields;
}

store::Settings to_settings(const Recipe& recipe) {
  return store::settings_of(recipe_fields(), recipe);
}

namespace {

// Presets of BERT set them, but runs from before these settings existed were trained without.
constexpr std::string_view kLater[] = {"weight-decay-of", "initializer"};

}  // namespace

Recipe resumed(Recipe recipe, const store::Settings& then,
               const std::vector<std::string>& requested) {
  for (const auto& field : recipe_fields()) {
    const auto name = field.about.name;
    const bool is_later = std::ranges::find(kLater, name) != std::end(kLater);
    const bool is_open = !then.find(name) && std::ranges::find(requested, name) == requested.end();
    if (is_later && is_open) field.set(recipe, field.text(Recipe{}));
  }
  return recipe;
}

namespace {

using Value = std::optional<std::string>;

/// The value of a setting that checkpoints omit.
std::string omitted(const std::string& name) {
  for (const auto& field : recipe_fields()) {
    if (field.about.name == name && field.about.stored == base::Stored::kUnlessDefault)
      return field.text(Recipe{});
  }
  return "unset";
}

void require_same(const std::string& name, const Value& then, const Value& now,
                  const std::string& where) {
  if (then == now) return;
  base::fail(
      where, ": was trained with ", name, " ", then.value_or(omitted(name)), ", which is now ",
      now.value_or(omitted(name)),
      "; resume with the old value, or start a new run from these weights in another directory");
}

}  // namespace

void require_same(const store::Settings& then, const store::Settings& now,
                  const std::string& where) {
  for (const auto& [name, value] : now.entries()) {
    require_same(name, then.find(name), value, where);
  }
  for (const auto& [name, value] : then.entries()) require_same(name, value, now.find(name), where);
}

}  // namespace awend::train
