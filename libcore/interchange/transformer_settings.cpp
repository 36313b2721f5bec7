#include "interchange/transformer_settings.hpp"

#include "base/error.hpp"
#include "model/weight_layout.hpp"

namespace awend::interchange {

void set_head_sizes(model::Config& config) {
  auto& transformer = config.transformer;
  transformer.d_k = transformer.d_v = model::head_size(config.d_model, transformer.heads);
}

void set_sizes(model::Config& config, const SideSizes& encoder, const SideSizes& decoder) {
  auto& transformer = config.transformer;
  transformer.heads = encoder.heads;
  transformer.d_ff = encoder.d_ff;
  transformer.decoder_heads = decoder.heads == encoder.heads ? 0 : decoder.heads;
  transformer.decoder_d_ff = decoder.d_ff == encoder.d_ff ? 0 : decoder.d_ff;
  set_head_sizes(config);
}

void require_size(std::string_view list, std::size_t tokens, std::uint32_t expected) {
  if (tokens != expected)
    base::fail(list, " has ", tokens, " tokens, but the model has ", expected);
}

void set_vocabularies(ConvertedModel& model, const TokenList& source, const TokenList& target) {
  auto& config = model.config;
  require_size("the target's vocabulary", target.tokens.size(), config.vocabulary);
  require_size("the source's vocabulary", source.tokens.size(),
               model::source_vocabulary_of(config));
  model.vocabulary = vocabulary_of(target);
  if (config.source_vocabulary == config.vocabulary) config.source_vocabulary = 0;
  const auto vocabulary = vocabulary_of(source);
  if (vocabulary.serialize() != model.vocabulary->serialize()) model.source_vocabulary = vocabulary;
}

void require_expressible(bool has, std::string_view what, std::string_view format) {
  if (!has) throw Inexpressible(base::concat(what, " for ", format));
}

void require_setting(bool has, std::string_view what, std::string_view format,
                     const model::Config& config) {
  if (has) return;
  const auto setting = what.substr(0, what.find(" must be "));
  for (const auto& field : model::config_fields(config.architecture)) {
    if (field.about.name == setting)
      require_expressible(false, what, base::concat(format, ", not ", field.text(config)));
  }
  require_expressible(false, what, format);
}

void require_transformer(const model::Config& config, std::string_view format) {
  if (model::layout_of(config.architecture) != model::WeightLayout::kTransformer)
    throw Inexpressible(base::concat("models of architecture ", config.architecture,
                                     " cannot be converted for ", format));
  require_setting(config.transformer.attention_window == 0, "attention-window must be 0", format,
                  config);
}

void require_plain_layers(const model::Config& config, std::string_view format) {
  const auto& transformer = config.transformer;
  const auto require = [&](bool has, std::string_view what) {
    require_setting(has, what, format, config);
  };
  require(transformer.norm_kind == model::NormKind::kLayer, "norm-kind must be layer");
  require(transformer.feed_forward == model::FeedForwardKind::kPlain, "feed-forward must be plain");
  require(transformer.feed_forward_bias == model::Switch::kOn, "feed-forward-bias must be on");
  require(transformer.attention_scale == model::AttentionScale::kInverseRootOfKeys,
          "attention-scale must be inverse-sqrt-d-k");
  require(transformer.output_scale == model::OutputScale::kOne, "output-scale must be none");
}

std::optional<std::string> without_end(std::string_view part, std::string_view end) {
  if (!part.ends_with(end)) return std::nullopt;
  return std::string(part.substr(0, part.size() - end.size()));
}

}  // namespace awend::interchange
