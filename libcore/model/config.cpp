#include "model/config.hpp"

#include <array>

#include "base/error.hpp"

namespace awend::model {
namespace {

template <class Value>
struct Name {
  Value value;
  std::string_view text;
};
constexpr std::array<Name<Positions>, 2> kPositions = {
    {{Positions::kSinusoid, "sinusoid"}, {Positions::kLearned, "learned"}}};
constexpr std::array<Name<Norm>, 2> kNorms = {{{Norm::kPost, "post"}, {Norm::kPre, "pre"}}};
constexpr std::array<Name<Tie>, 3> kTies = {
    {{Tie::kAll, "all"}, {Tie::kDecoder, "decoder"}, {Tie::kNone, "none"}}};

constexpr std::array<Name<Activation>, 3> kActivations = {
    {{Activation::kRelu, "relu"}, {Activation::kGelu, "gelu"}, {Activation::kSwish, "swish"}}};

template <class Names, class Value>
std::string text_of(const Names& names, Value value) {
  for (const auto& name : names) {
    if (name.value == value) return std::string(name.text);
  }
  return "";
}

template <class Names>
auto parse_name(const Names& names, std::string_view text, std::string_view setting) {
  std::string known;
  for (const auto& name : names) {
    if (name.text == text) return name.value;
    known += base::concat(known.empty() ? "" : ", ", name.text);
  }
  base::fail(setting, " is one of ", known, ", not '", text, "'");
}

void require_size(std::uint32_t value, std::string_view name) {
  if (value == 0) base::fail(name, " must be at least 1");
}

void require_multiple_of_4(std::uint32_t value, std::string_view name) {
  require_size(value, name);
  if (value % 4 != 0) base::fail(name, " must be a multiple of 4, which ", value, " is not");
}

void require_probability(double value, std::string_view name) {
  if (!(value >= 0 && value < 1)) base::fail(name, " must be in [0, 1), which ", value, " is not");
}

}  // namespace

Positions parse_positions(std::string_view text) {
  return parse_name(kPositions, text, "positions");
}
Norm parse_norm(std::string_view text) {
  return parse_name(kNorms, text, "norm");
}
Tie parse_tie(std::string_view text) {
  return parse_name(kTies, text, "tie");
}

Activation parse_activation(std::string_view text) {
  return parse_name(kActivations, text, "activation");
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
  base::fail("there is no preset '", name, "': base, big, small, tiny");
}

std::uint32_t head_size(std::uint32_t d_model, std::uint32_t heads) {
  require_size(heads, "heads");
  if (d_model % heads != 0)
    base::fail("d-model ", d_model, " does not divide into ", heads, " heads");
  return d_model / heads;
}

void validate(const Config& config) {
  require_size(config.vocabulary, "vocabulary");
  require_multiple_of_4(config.d_model, "d-model");
  require_multiple_of_4(config.d_ff, "d-ff");
  require_multiple_of_4(config.d_k, "d-k");
  require_multiple_of_4(config.d_v, "d-v");
  require_size(config.heads, "heads");
  require_size(config.encoder_layers, "encoder-layers");
  require_size(config.decoder_layers, "decoder-layers");
  require_size(config.longest, "max-positions");
  require_probability(config.dropout, "dropout");
  require_probability(config.attention_dropout, "attention-dropout");
  require_probability(config.relu_dropout, "relu-dropout");
  require_probability(config.label_smoothing, "label-smoothing");
  if (config.heads > 256) base::fail("heads must be at most 256, which ", config.heads, " is not");
}

store::Settings to_settings(const Config& config) {
  store::Settings settings;
  // The default is not written, so that checkpoints of Transformers keep their bytes.
  if (config.architecture != Config{}.architecture)
    settings.set("architecture", config.architecture);
  settings.set("vocabulary", config.vocabulary);
  settings.set("d-model", config.d_model);
  settings.set("d-ff", config.d_ff);
  settings.set("heads", config.heads);
  settings.set("d-k", config.d_k);
  settings.set("d-v", config.d_v);
  settings.set("encoder-layers", config.encoder_layers);
  settings.set("decoder-layers", config.decoder_layers);
  settings.set("dropout", config.dropout);
  settings.set("attention-dropout", config.attention_dropout);
  settings.set("relu-dropout", config.relu_dropout);
  settings.set("label-smoothing", config.label_smoothing);
  settings.set("positions", text_of(kPositions, config.positions));
  settings.set("norm", text_of(kNorms, config.norm));
  settings.set("tie", text_of(kTies, config.tie));
  settings.set("activation", text_of(kActivations, config.activation));
  settings.set("max-positions", config.longest);
  return settings;
}

Config from_settings(const store::Settings& settings, const std::string& file) {
  try {
    const auto size = [&](std::string_view name) {
      const std::int64_t value = settings.integer(name);
      if (value < 0 || value > 1'000'000'000)
        base::fail("setting '", name, "' is out of range: ", value);
      return static_cast<std::uint32_t>(value);
    };
    Config config;
    if (const auto architecture = settings.find("architecture"))
      config.architecture = *architecture;
    config.vocabulary = size("vocabulary");
    config.d_model = size("d-model");
    config.d_ff = size("d-ff");
    config.heads = size("heads");
    config.d_k = size("d-k");
    config.d_v = size("d-v");
    config.encoder_layers = size("encoder-layers");
    config.decoder_layers = size("decoder-layers");
    config.dropout = settings.number("dropout");
    config.attention_dropout = settings.number("attention-dropout");
    config.relu_dropout = settings.number("relu-dropout");
    config.label_smoothing = settings.number("label-smoothing");
    config.positions = parse_positions(settings.at("positions"));
    config.norm = parse_norm(settings.at("norm"));
    config.tie = parse_tie(settings.at("tie"));
    // Checkpoints from before there was a choice have the paper's.
    config.activation = parse_activation(settings.find("activation").value_or("relu"));
    config.longest = size("max-positions");
    validate(config);
    return config;
  } catch (const base::Error& error) {
    base::fail(file, ": ", error.what());
  }
}

}  // namespace awend::model
