#include "model/config.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "model/bert/bert_fields.hpp"
#include "model/memory/memory_fields.hpp"
#include "model/rnn/rnn_fields.hpp"
#include "model/transformer/transformer_fields.hpp"
#include "store/field_table.hpp"

namespace awend::model {
namespace {

constexpr std::string_view kTransformer = "transformer";
constexpr std::string_view kRnn = "rnn";
constexpr std::string_view kMemory = "memory";
constexpr std::string_view kBert = "bert";

// Of the fields of the Transformer, those that a recurrent network has too.
constexpr std::string_view kSharedWithRnn[] = {"architecture",
                                               "vocabulary",
                                               "d-model",
                                               "encoder-layers",
                                               "decoder-layers",
                                               "dropout",
                                               "label-smoothing",
                                               "max-positions",
                                               "decoder-start",
                                               "start-id",
                                               "source-vocabulary-size"};

// And those that a memory network has too.
constexpr std::string_view kSharedWithMemory[] = {"architecture", "vocabulary", "d-model",
                                                  "label-smoothing", "max-positions"};
// The same for BERT.
constexpr std::string_view kSharedWithBert[] = {"architecture", "vocabulary",
                                                "d-model",      "d-ff",
                                                "heads",        "d-k",
                                                "d-v",          "encoder-layers",
                                                "dropout",      "attention-dropout",
                                                "relu-dropout", "label-smoothing",
                                                "activation",   "max-positions",
                                                "norm-epsilon"};

using Fields = std::span<const base::Field<Config>>;
using FieldList = std::vector<base::Field<Config>>;

FieldList all_fields() {
  FieldList fields;
  for (const auto own : {transformer_fields(), rnn_fields(), memory_fields(), bert_fields()})
    fields.insert(fields.end(), own.begin(), own.end());
  return fields;
}

/// The fields of the Transformer with one of the names `shared`, then those of the architecture
/// itself.
template <const auto& shared, Fields (*own)()>
Fields fields_of() {
  static const FieldList kFields = [] {
    FieldList fields;
    for (const auto& field : transformer_fields()) {
      if (std::ranges::find(shared, field.about.name) != std::end(shared)) fields.push_back(field);
    }
    const auto others = own();
    fields.insert(fields.end(), others.begin(), others.end());
    return fields;
  }();
  return kFields;
}

struct Architecture {
  std::string_view name, default_preset;
  Fields (*fields)();
  Config (*preset)(std::string_view name);
  void (*require_consistent)(const Config& config);
};

constexpr Architecture kArchitectures[] = {
    {kTransformer, "base", transformer_fields, transformer_preset, require_consistent_transformer},
    {kRnn, "bahdanau", fields_of<kSharedWithRnn, rnn_fields>, rnn_preset, require_consistent_rnn},
    {kMemory, "memory-3hop", fields_of<kSharedWithMemory, memory_fields>, memory_preset,
     require_consistent_memory},
    {kBert, "bert-base", fields_of<kSharedWithBert, bert_fields>, bert_preset,
     require_consistent_bert}};

/// Unknown ones are Transformers.
const Architecture& architecture_of(std::string_view name) {
  const auto* const found = std::ranges::find(kArchitectures, name, &Architecture::name);
  return found == std::end(kArchitectures) ? kArchitectures[0] : *found;
}

}  // namespace

std::span<const base::Field<Config>> config_fields() {
  static const FieldList kAll = all_fields();
  return kAll;
}

std::span<const base::Field<Config>> config_fields(std::string_view architecture) {
  return architecture_of(architecture).fields();
}

bool has_setting(const Config& config, std::string_view name) {
  return std::ranges::any_of(config_fields(config.architecture),
                             [&](const auto& field) { return field.about.name == name; });
}

std::string_view default_preset(std::string_view architecture) {
  return architecture_of(architecture).default_preset;
}

std::vector<std::string_view> preset_names(std::string_view architecture) {
  std::vector<std::string_view> names;
  for (const auto& preset : kPresets) {
    if (preset.architecture == architecture) names.push_back(preset.text);
  }
  return names;
}

Config preset(std::string_view name) {
  base::require_one_of(base::texts_of<kPresets>(), name);
  const auto architecture = std::ranges::find(kPresets, name, &PresetName::text)->architecture;
  return architecture_of(architecture).preset(name);
}

std::uint32_t head_size(std::uint32_t d_model, std::uint32_t heads) {
  if (heads == 0 || d_model % heads != 0)
    base::fail("d-model ", d_model, " is not divisible by heads ", heads);
  return d_model / heads;
}

void require_consistent(const Config& config) {
  architecture_of(config.architecture).require_consistent(config);
}

void validate(const Config& config) {
  base::validate(config_fields(config.architecture), config);
  require_consistent(config);
  require_valid_ids(config);
}

bool reads_stories(const Config& config) {
  return config.architecture == kMemory;
}

std::uint64_t layers_of(const Config& config) {
  if (config.architecture == kMemory)
    return config.memory.tying == HopTying::kAdjacent ? config.memory.hops : 1;
  return std::uint64_t{config.encoder_layers} + config.decoder_layers;
}

Tie tie_of(const Config& config) {
  return config.architecture == kRnn ? config.rnn.tie : config.transformer.tie;
}

Config decoder_side(const Config& config) {
  const auto& transformer = config.transformer;
  Config side = config;
  if (transformer.decoder_d_ff != 0) side.transformer.d_ff = transformer.decoder_d_ff;
  if (transformer.decoder_heads == 0) return side;
  side.transformer.heads = transformer.decoder_heads;
  const auto part = [&](const char* name, std::uint32_t width) {
    const std::uint32_t all = transformer.heads * width;
    if (all % (4 * side.transformer.heads) != 0) {
      base::fail("decoder-heads ", side.transformer.heads, " must divide heads * ", name, " = ",
                 all, " into multiples of 4");
    }
    return all / side.transformer.heads;
  };
  side.transformer.d_k = part("d-k", transformer.d_k);
  side.transformer.d_v = part("d-v", transformer.d_v);
  return side;
}

TextKind text_kind_of(const Config& config) {
  if (config.architecture != kBert) return TextKind::kPairs;
  switch (config.bert.task) {
    case Task::kPretrain:
      return TextKind::kRunning;
    case Task::kSpans:
      return TextKind::kSpans;
    case Task::kClassify:
    case Task::kTag:
      break;
  }
  return TextKind::kLabeled;
}

store::Settings to_settings(const Config& config) {
  return store::settings_of(config_fields(config.architecture), config);
}

Config from_settings(const store::Settings& settings, const std::string& file) {
  return base::with_name(file, [&] {
    const auto architecture = settings.find("architecture").value_or(std::string(kTransformer));
    auto config = store::struct_from(config_fields(architecture), settings);
    if (architecture == kBert) config = with_fixed_settings(config);
    return config;
  });
}

}  // namespace awend::model
