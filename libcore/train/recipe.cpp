#include "train/recipe.hpp"

#include "base/error.hpp"

namespace awend::train {

Preset preset(std::string_view name) {
  Preset preset{model::preset(name), {}, {}};
  if (name == "big") preset.course.max_steps = 300000;
  if (name == "small" || name == "tiny") {
    // Some 500 000 tokens an epoch want small batches, a high rate and few steps.
    preset.model.dropout = 0.3;
    preset.recipe.batch_tokens = 4096;
    preset.recipe.learning_rate = name == "tiny" ? 0.004 : 0.0015;
    preset.recipe.warmup = 800;
    preset.course.max_steps = 4000;
    preset.course.valid_every = 250;
    preset.course.save_every = 250;
  }
  return preset;
}

Curve parse_curve(std::string_view text) {
  for (const auto curve :
       {Curve::kInverseSquareRoot, Curve::kConstant, Curve::kLinear, Curve::kCosine}) {
    if (name_of(curve) == text) return curve;
  }
  base::fail("schedule is one of inverse-sqrt, constant, linear, cosine, not '", text, "'");
}

std::string_view name_of(Curve curve) {
  switch (curve) {
    case Curve::kInverseSquareRoot:
      return "inverse-sqrt";
    case Curve::kConstant:
      return "constant";
    case Curve::kLinear:
      return "linear";
    case Curve::kCosine:
      return "cosine";
  }
  return {};
}

Metric parse_metric(std::string_view text) {
  for (const auto metric : {Metric::kLoss, Metric::kBleu, Metric::kChrf}) {
    if (name_of(metric) == text) return metric;
  }
  base::fail("best-metric is one of loss, bleu, chrf, not '", text, "'");
}

std::string_view name_of(Metric metric) {
  switch (metric) {
    case Metric::kLoss:
      return "loss";
    case Metric::kBleu:
      return "bleu";
    case Metric::kChrf:
      return "chrf";
  }
  return {};
}

store::Settings to_settings(const Recipe& recipe) {
  store::Settings settings;
  settings.set("learning-rate", recipe.learning_rate);
  settings.set("warmup", recipe.warmup);
  settings.set("schedule", name_of(recipe.curve));
  settings.set("schedule-steps", recipe.schedule_steps);
  settings.set("adam-beta1", recipe.adam.beta1);
  settings.set("adam-beta2", recipe.adam.beta2);
  settings.set("adam-epsilon", recipe.adam.epsilon);
  settings.set("weight-decay", recipe.adam.weight_decay);
  settings.set("clip-norm", recipe.clip_norm);
  settings.set("batch-tokens", recipe.batch_tokens);
  settings.set("accumulate", recipe.accumulate);
  settings.set("seed", recipe.seed);
  settings.set("ema-decay", recipe.ema_decay);
  std::string patterns;
  for (const auto& pattern : recipe.freeze) {
    if (!patterns.empty()) patterns += ',';
    patterns += pattern;
  }
  settings.set("freeze", patterns);
  settings.set("precision", std::string(nn::name_of(recipe.precision)));
  return settings;
}

store::Settings to_settings(const Course& course) {
  store::Settings settings;
  settings.set("max-steps", course.max_steps);
  settings.set("max-epochs", course.max_epochs);
  settings.set("time-limit", course.time_limit_minutes);
  settings.set("valid-every", course.valid_every);
  settings.set("valid-beam", course.valid_beam);
  settings.set("early-stopping", course.early_stopping);
  settings.set("save-every", course.save_every);
  settings.set("keep", course.keep);
  settings.set("keep-states", course.keep_states);
  settings.set("keep-best", course.keep_best);
  settings.set("best-metric", name_of(course.best_metric));
  settings.set("log-every", course.log_every);
  settings.set("memory-budget", course.memory_budget_mib);
  return settings;
}

namespace {

/// What a checkpoint that does not know a setting was trained with.
std::string before_it_was_known(std::string_view name) {
  if (name == "precision") return "fp32";
  if (name == "schedule") return "inverse-sqrt";
  if (name == "activation") return "relu";
  if (name == "freeze") return "";
  return name == "schedule-steps" || name == "weight-decay" || name == "ema-decay" ? "0" : "unset";
}

}  // namespace

void require_same(const store::Settings& then, const store::Settings& now,
                  const std::string& where) {
  for (const auto& [name, value] : now.entries()) {
    const auto before = then.find(name).value_or(before_it_was_known(name));
    if (before == value) continue;
    base::fail(where, ": was trained with ", name, " ", before, ", which is now ", value,
               "; use the old value, or start a new run in another directory (it can start from "
               "these weights)");
  }
}

}  // namespace awend::train
