#include "model/config.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "model/rnn/settings.hpp"
#include "store/field_table.hpp"

namespace awend::model {
namespace {

using base::DefaultFrom;
using base::integer_field;
using base::real_field;
using base::Stored;
using base::word_field;

constexpr base::Word<Positions> kPositions[] = {{Positions::kSinusoid, "sinusoid"},
                                                {Positions::kLearned, "learned"}};
constexpr base::Word<Norm> kNorms[] = {{Norm::kPost, "post"}, {Norm::kPre, "pre"}};
constexpr base::Word<Tie> kTies[] = {
    {Tie::kAll, "all"}, {Tie::kDecoder, "decoder"}, {Tie::kNone, "none"}};
constexpr base::Word<nn::Activation> kActivations[] = {
    {nn::Activation::kRelu, name_of(nn::Activation::kRelu)},
    {nn::Activation::kGelu, name_of(nn::Activation::kGelu)},
    {nn::Activation::kSwish, name_of(nn::Activation::kSwish)}};

constexpr std::string_view kTransformer = "transformer";
constexpr std::string_view kRnn = "rnn";

constexpr std::string_view kModel = "Model (defaults depend on the preset)";
constexpr std::string_view kRegularization = "Regularization (defaults depend on the preset)";

// Kernels read rows as vectors of four.
constexpr base::Integers kWidth{.min = 4, .multiple_of = 4};
constexpr base::Integers kCount{.min = 1};
constexpr base::Reals kProbability{0, 0.99};

// Checkpoints carry them in this order.
constexpr base::Field<Config> kFields[] = {
    // Transformers do not carry it, so that their checkpoints keep their bytes.
    base::text_field<&Config::architecture>(
        {.name = "architecture", .stored = Stored::kUnlessDefault}),
    integer_field<&Config::vocabulary>({.name = "vocabulary"}, kCount),
    integer_field<&Config::d_model>({.name = "d-model",
                                     .group = kModel,
                                     .help = "model dimension",
                                     .default_from = DefaultFrom::kPreset},
                                    kWidth),
    integer_field<&Config::d_ff>({.name = "d-ff",
                                  .group = kModel,
                                  .help = "inner dimension of the feed-forward layers",
                                  .default_from = DefaultFrom::kPreset},
                                 kWidth),
    integer_field<&Config::heads>({.name = "heads",
                                   .group = kModel,
                                   .help = "number of attention heads",
                                   .default_from = DefaultFrom::kPreset},
                                  {.min = 1, .max = 256}),
    integer_field<&Config::d_k>(
        {.name = "d-k",
         .group = kModel,
         .help = "dimension of queries and keys per head; default: d-model / heads",
         .default_from = DefaultFrom::kPreset},
        kWidth),
    integer_field<&Config::d_v>({.name = "d-v",
                                 .group = kModel,
                                 .help = "dimension of values per head; default: d-model / heads",
                                 .default_from = DefaultFrom::kPreset},
                                kWidth),
    integer_field<&Config::encoder_layers>({.name = "encoder-layers",
                                            .group = kModel,
                                            .help = "number of encoder layers",
                                            .default_from = DefaultFrom::kPreset},
                                           kCount),
    integer_field<&Config::decoder_layers>({.name = "decoder-layers",
                                            .group = kModel,
                                            .help = "number of decoder layers",
                                            .default_from = DefaultFrom::kPreset},
                                           kCount),
    real_field<&Config::dropout>({.name = "dropout",
                                  .metavar = "P",
                                  .group = kRegularization,
                                  .help = "dropout on sub-layer outputs and embeddings",
                                  .default_from = DefaultFrom::kPreset},
                                 kProbability),
    real_field<&Config::attention_dropout>({.name = "attention-dropout",
                                            .metavar = "P",
                                            .group = kRegularization,
                                            .help = "dropout on attention weights",
                                            .default_from = DefaultFrom::kPreset},
                                           kProbability),
    real_field<&Config::relu_dropout>({.name = "relu-dropout",
                                       .metavar = "P",
                                       .group = kRegularization,
                                       .help = "dropout after the feed-forward activation",
                                       .default_from = DefaultFrom::kPreset},
                                      kProbability),
    real_field<&Config::label_smoothing>({.name = "label-smoothing",
                                          .metavar = "P",
                                          .group = kRegularization,
                                          .help = "label smoothing factor",
                                          .default_from = DefaultFrom::kPreset},
                                         kProbability),
    word_field<kPositions, &Config::positions>({.name = "positions",
                                                .metavar = "KIND",
                                                .group = kModel,
                                                .help = "positional encoding",
                                                .default_from = DefaultFrom::kPreset}),
    word_field<kNorms, &Config::norm>({.name = "norm",
                                       .metavar = "WHERE",
                                       .group = kModel,
                                       .help = "position of layer normalization",
                                       .default_from = DefaultFrom::kPreset}),
    word_field<kTies, &Config::tie>({.name = "tie",
                                     .metavar = "WHICH",
                                     .group = kModel,
                                     .help = "weight tying of embeddings and output projection",
                                     .default_from = DefaultFrom::kPreset}),
    word_field<kActivations, &Config::activation>({.name = "activation",
                                                   .metavar = "KIND",
                                                   .group = kModel,
                                                   .help = "activation of the feed-forward layers",
                                                   .default_from = DefaultFrom::kPreset}),
    integer_field<&Config::longest>({.name = "max-positions"}, kCount),
};

// Of the fields above, those that a recurrent network has too.
constexpr std::string_view kSharedWithRnn[] = {"architecture",    "vocabulary",     "d-model",
                                               "encoder-layers",  "decoder-layers", "dropout",
                                               "label-smoothing", "max-positions"};

using Fields = std::vector<base::Field<Config>>;

Fields all_fields() {
  Fields fields(std::begin(kFields), std::end(kFields));
  const auto own = rnn_fields();
  fields.insert(fields.end(), own.begin(), own.end());
  return fields;
}

Fields fields_of_rnn() {
  Fields fields;
  const auto own = rnn_fields();
  for (const auto& field : kFields) {
    const bool is_shared =
        std::ranges::find(kSharedWithRnn, field.about.name) != std::end(kSharedWithRnn);
    if (is_shared) fields.push_back(field);
  }
  fields.insert(fields.end(), own.begin(), own.end());
  return fields;
}

}  // namespace

std::span<const base::Field<Config>> config_fields() {
  static const Fields kAll = all_fields();
  return kAll;
}

std::span<const base::Field<Config>> config_fields(std::string_view architecture) {
  if (architecture != kRnn) return kFields;
  static const Fields kOfRnn = fields_of_rnn();
  return kOfRnn;
}

std::string_view default_preset(std::string_view architecture) {
  return architecture == kRnn ? "bahdanau" : "base";
}

Config preset(std::string_view name) {
  Config config;
  if (name == "base") return config;
  if (name == "big") {
    config.d_model = 1024;
    config.d_ff = 4096;
    config.heads = 16;
    config.dropout = 0.3;
    return config;
  }
  if (name == "small") {
    config.d_model = 256;
    config.d_ff = 1024;
    config.heads = 4;
    config.encoder_layers = config.decoder_layers = 3;
    return config;
  }
  if (name == "tiny") {
    config.d_model = 128;
    config.d_ff = 256;
    config.heads = 4;
    config.d_k = config.d_v = 32;
    config.encoder_layers = config.decoder_layers = 4;
    return config;
  }
  return rnn_preset(name);
}

std::uint32_t head_size(std::uint32_t d_model, std::uint32_t heads) {
  if (heads == 0 || d_model % heads != 0)
    base::fail("d-model ", d_model, " is not divisible by heads ", heads);
  return d_model / heads;
}

void require_consistent(const Config& config) {
  if (config.architecture == kRnn) require_consistent_rnn(config);
}

void validate(const Config& config) {
  base::validate(config_fields(config.architecture), config);
  require_consistent(config);
  const auto start_id = config.rnn.start_id;
  if (start_id >= 0 && static_cast<std::uint32_t>(start_id) >= config.vocabulary)
    base::fail("start-id must be below the vocabulary size ", config.vocabulary, ", got ",
               start_id);
}

store::Settings to_settings(const Config& config) {
  return store::settings_of(config_fields(config.architecture), config);
}

Config from_settings(const store::Settings& settings, const std::string& file) {
  try {
    const auto architecture = settings.find("architecture").value_or(std::string(kTransformer));
    return store::struct_from(config_fields(architecture), settings);
  } catch (const base::Error& error) {
    base::fail(file, ": ", error.what());
  }
}

}  // namespace awend::model
