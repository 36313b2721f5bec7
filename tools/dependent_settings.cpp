#include "dependent_settings.hpp"

#include <algorithm>

namespace awend::tools {
namespace {

using model::Config;

bool is_pretrained(const Config& config) {
  return config.bert.task == model::Task::kPretrain;
}

bool has_sinusoids(const Config& config) {
  const auto positions = config.transformer.positions;
  return positions == model::Positions::kSinusoid || positions == model::Positions::kStored;
}

struct DependentSetting {
  std::string_view name, needs;
  bool (*has_effect)(const Config&);
};

constexpr DependentSetting kDependentSettings[] = {
    {"start-id", "--decoder-start token",
     [](const Config& config) { return model::start_token_of(config).has_value(); }},
    {"sinusoid-layout", "--positions sinusoid or stored", has_sinusoids},
    {"first-position", "--positions sinusoid or stored", has_sinusoids},
    {"relative-buckets", "--positions relative", model::has_relative_positions},
    {"relative-max-distance", "--positions relative", model::has_relative_positions},
    {"ssru-projection", "--autoregressive-layer ssru", model::has_ssru},
    {"attention-window", "--autoregressive-layer self-attention",
     [](const Config& config) { return !model::has_ssru(config); }},
    {"local-window", "--attention-span monotonic or predictive",
     [](const Config& config) {
       return config.rnn.attention_span != model::AttentionSpan::kGlobal;
     }},
    {"d-attention", "--attention additive",
     [](const Config& config) { return config.rnn.attention == model::RnnAttention::kAdditive; }},
    {"next-sentence", "--task pretrain", is_pretrained},
    {"mask-rate", "--task pretrain", is_pretrained},
    {"whole-words", "--task pretrain", is_pretrained},
    {"label-smoothing", "--task pretrain, classify or tag",
     [](const Config& config) { return model::text_kind_of(config) != model::TextKind::kSpans; }}};

}  // namespace

void settle_dependent_settings(const cli::Options& options, const Config& defaults,
                               const Config& inherited, Config& config) {
  for (const auto& field : model::config_fields(config.architecture)) {
    const auto name = field.about.name;
    const auto* const found = std::ranges::find(kDependentSettings, name, &DependentSetting::name);
    if (found == std::end(kDependentSettings) || found->has_effect(config)) continue;
    const auto unused = field.text(defaults);
    if (options.has(name) && field.text(config) != unused)
      throw base::UsageError(base::concat("--", name, " needs ", found->needs));
    if (!options.has(name) && found->has_effect(inherited)) field.set(config, unused);
  }
}

}  // namespace awend::tools
