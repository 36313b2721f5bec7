// Models of Marian, whose settings are in special:model.yml.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "base/numbers.hpp"
#include "interchange/foreign_settings.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/formats.hpp"
#include "interchange/marian_arrays.hpp"
#include "interchange/marian_settings.hpp"
#include "interchange/names.hpp"
#include "interchange/transformer_settings.hpp"
#include "store/marian_binary.hpp"
#include "store/npy.hpp"
#include "text/import.hpp"
#include "text/lexical_table.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

/// Letters of transformer-preprocess and so on: d dropout, a add, n normalization.
bool has_norm(ForeignSettings& settings, std::string_view name, std::string_view otherwise,
              std::string_view allowed) {
  const auto steps = settings.text(name, otherwise);
  for (const char step : steps) {
    if (allowed.find(step) == allowed.npos)
      base::fail("setting '", name, "' is '", steps, "': step '", std::string(1, step),
                 "' is not supported");
  }
  return steps.find('n') != steps.npos;
}

void read_norms(ForeignSettings& settings, model::Config& config) {
  auto& transformer = config.transformer;
  const bool before = has_norm(settings, "transformer-preprocess", "", "dn"),
             after = has_norm(settings, "transformer-postprocess", "dan", "dan");
  if (before == after) {
    base::fail("settings 'transformer-preprocess' and 'transformer-postprocess': exactly one of ",
               "them must normalize");
  }
  transformer.norm = before ? model::Norm::kPre : model::Norm::kPost;
  const bool top = has_norm(settings, "transformer-postprocess-top", "", "dn");
  if (top != before)
    transformer.final_norm = top ? model::FinalNorm::kBoth : model::FinalNorm::kNone;
  if (has_norm(settings, "transformer-postprocess-emb", "d", "dn"))
    transformer.embedding_norm = Switch::kOn;
}

constexpr base::Word<nn::Activation> kActivations[] = {{nn::Activation::kRelu, "relu"},
                                                       {nn::Activation::kSwish, "swish"},
                                                       {nn::Activation::kGelu, "gelu"}};

void refuse_transformer_variants(ForeignSettings& settings) {
  settings.require("transformer-ffn-depth", {"2"}, "a network of another depth");
  settings.require("transformer-decoder-ffn-depth", {"0", "2"}, "a network of another depth");
  settings.require("transformer-no-projection", {"false"}, "attention without output projection");
  settings.require("transformer-tied-layers", {""}, "a model with tied layers");
  settings.require("transformer-disable-position-embeddings", {"false"},
                   "a model without positions");
  settings.require("transformer-train-positions", {"false"}, "learned positions");
  settings.require("transformer-attention-mask", {"default"}, "another attention mask");
  settings.require("transformer-alibi-shift", {"false"}, "positions by ALiBi");
  settings.require("transformer-alibi-trainable", {"false"}, "positions by ALiBi");
  settings.require("transformer-pool", {"false"}, "pooling");
  settings.require("layer-normalization", {"true", "false"}, "another normalization");
}

/// What reads previous tokens in the decoder.
void read_autoregressive_layer(ForeignSettings& settings, model::Config& config) {
  const auto layer = settings.text("transformer-decoder-autoreg", "self-attention");
  const bool projects = settings.is_on("transformer-rnn-projection");
  if (layer == "self-attention") return;
  if (layer != "rnn")
    base::fail("setting 'transformer-decoder-autoreg': '", layer, "' is not supported");
  settings.require("dec-cell", {"ssru"}, "a decoder with other recurrent cells than SSRU");
  settings.require("layer-normalization", {"false"}, "normalization in recurrent cells");
  config.transformer.autoregressive_layer = model::AutoregressiveLayer::kSsru;
  if (projects) config.transformer.ssru_projection = Switch::kOn;
}

void read_sizes(ForeignSettings& settings, model::Config& config) {
  auto& transformer = config.transformer;
  read_marian_vocabulary_sizes(settings, config);
  config.d_model = settings.count("dim-emb");
  transformer.heads = settings.count("transformer-heads");
  set_head_sizes(config);
  transformer.d_ff = settings.count("transformer-dim-ffn");
  transformer.decoder_d_ff = settings.count("transformer-decoder-dim-ffn", 0);
  config.encoder_layers = settings.count("enc-depth");
  config.decoder_layers = settings.count("dec-depth");
}

model::Config transformer_config(ForeignSettings& settings) {
  refuse_transformer_variants(settings);
  model::Config config;
  auto& transformer = config.transformer;
  read_sizes(settings, config);
  read_norms(settings, config);
  read_autoregressive_layer(settings, config);
  transformer.tie = marian_tie(settings);
  transformer.activation = word_in<kActivations>(
      "transformer-ffn-activation", settings.text("transformer-ffn-activation", "swish"));
  transformer.attention_bias = Switch::kOn;
  transformer.output_bias = settings.is_on("output-omit-bias") ? Switch::kOff : Switch::kOn;
  transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
  // Without affine normalization and biases, gains are 1 and biases 0.
  settings.ignore({"transformer-no-affine", "transformer-no-bias"});
  settings.ignore({"dec-cell*", "dim-rnn", "enc-cell*", "enc-type", "skip", "transformer-aan-*",
                   "transformer-depth-scaling", "transformer-dim-aan",
                   "transformer-guided-alignment-layer", "transformer-train-position-embeddings"});
  return config;
}

model::Config config_of(ForeignSettings& settings) {
  require_common_marian(settings);
  const auto type = settings.text("type");
  if (type != "transformer" && type != "s2s")
    base::fail("architecture '", type, "' of Marian is not supported");
  auto config = type == "s2s" ? marian_rnn_config(settings) : transformer_config(settings);
  settings.require_all_known();
  return config;
}

enum class Side { kUnknown, kSource, kTarget };

/// The side that the name of a file tells.
Side side_of(std::string_view name) {
  const auto has = [&](std::string_view word) { return name.find(word) != name.npos; };
  const bool is_source = has("src") || has("source"),
             is_target = has("trg") || has("tgt") || has("target");
  if (is_source == is_target) return Side::kUnknown;
  return is_source ? Side::kSource : Side::kTarget;
}

using SideNames = std::pair<std::string, std::string>;  // of the files of source and target

/// Two vocabularies of a model by their sides.
SideNames by_side(const std::string& a, const std::string& b, const std::string& model) {
  if (side_of(a) == Side::kSource && side_of(b) == Side::kTarget) return {a, b};
  if (side_of(a) == Side::kTarget && side_of(b) == Side::kSource) return {b, a};
  base::fail("which of ", a, " and ", b, " is of the source is not known; add 'vocabs:' with the ",
             "lines '- SOURCE' and '- TARGET' to ", model, ".decoder.yml");
}

/// The vocabularies in a directory.
SideNames usual_vocabularies(const ModelFiles& files, const std::string& model) {
  auto found = files.names();
  std::erase_if(found, [](const std::string& name) {
    return name.find("vocab") == name.npos || !(name.ends_with(".yml") || name.ends_with(".spm"));
  });
  if (found.size() == 1) return {found[0], found[0]};
  if (found.size() == 2) return by_side(found[0], found[1], model);
  base::fail("expected one vocabulary of both languages or two (*vocab*.yml, *vocab*.spm), found ",
             found.size(), " files");
}

/// The vocabularies that the settings of the decoder name, otherwise the usual ones.
SideNames vocabulary_names(const ModelFiles& files, const std::string& model,
                           ForeignSettings& decoder) {
  const auto named = decoder.text("vocabs", "");
  if (const auto comma = named.find(','); comma != named.npos) {
    const auto base_name = [](std::string path) { return path.substr(path.rfind('/') + 1); };
    const auto source = base_name(named.substr(0, comma)),
               target = base_name(named.substr(comma + 1));
    if (files.has(source) && files.has(target)) return {source, target};
  }
  return usual_vocabularies(files, model);
}

/// The files of one side: its vocabulary, and the SentencePiece model that splits its text before
/// Marian reads it, as releases of OPUS-MT have it.
struct SideFiles {
  std::string vocabulary, splitter;
};

text::Vocabulary read_vocabulary(ModelFiles& files, const SideFiles& side, std::uint32_t expected) {
  const auto path = files.path_of(side.vocabulary);
  if (side.vocabulary.ends_with(".spm")) {
    return with_name_once(path, [&] {
      auto vocabulary = text::import_model(files.text(side.vocabulary), path);
      require_size("the model", vocabulary.size(), expected);
      return vocabulary;
    });
  }
  TokenList list;
  list.splitter = splitter_in(files, {&side.splitter, 1});
  return with_name_once(path, [&] {
    list.tokens = tokens_of_yaml(files.text(side.vocabulary));
    require_size("the vocabulary", list.tokens.size(), expected);
    return vocabulary_of(list);
  });
}

/// Sets the vocabulary of the target, and that of the source if it differs.
void read_vocabularies(ModelFiles& files, const SideFiles& source, const SideFiles& target,
                       ConvertedModel& model) {
  auto& config = model.config;
  model.vocabulary = read_vocabulary(files, target, config.vocabulary);
  const auto vocabulary = read_vocabulary(files, source, model::source_vocabulary_of(config));
  if (vocabulary.serialize() != model.vocabulary->serialize()) model.source_vocabulary = vocabulary;
  if (config.source_vocabulary == config.vocabulary) config.source_vocabulary = 0;
}

/// The settings of marian-decoder next to the model; none if there is no such file.
ForeignSettings decoder_settings(ModelFiles& files, const std::string& name) {
  // Other forms of the model may be next to the one that the settings are named after.
  auto candidates = files.names();
  std::erase_if(candidates, [](const auto& each) { return !each.ends_with("decoder.yml"); });
  if (candidates.size() > 1) candidates = {name + ".decoder.yml"};
  for (const auto& candidate : candidates) {
    if (!files.has(candidate)) continue;
    return with_name_once(files.path_of(candidate),
                          [&] { return ForeignSettings::from_yaml(files.text(candidate)); });
  }
  return ForeignSettings::from_yaml("");
}

/// The fixed scales of the activations, which browsers' models have.
void read_activation_scales(ForeignWeights& weights, const HasArray& has, ConvertedModel& model) {
  if (model::layout_of(model.config.architecture) == model::WeightLayout::kRnn) return;
  for (const auto& weight : model::weights_of(model.config)) {
    auto name = marian_location(weight, has).name + std::string(kMarianScaleEnd);
    // With a shortlist, the product with the embeddings has no name there.
    const bool is_output = weight.part == "embedding" || weight.part == "target_embedding" ||
                           weight.part == "projection";
    if (!has(name) && is_output)
      name = std::string(kMarianUnnamedMatrix) + std::string(kMarianScaleEnd);
    if (!has(name) || weight.rows == 1 || weight.columns == 1) continue;
    const auto values = weights.values(name);
    if (values.size() != 1 || !std::isfinite(values[0]) || values[0] <= 0)
      base::fail("array '", name, "' is not a positive number");
    model.activation_scales[weight.name()] = values[0];
  }
}

/// The file of the lexical shortlist: the binary one of browsers' models, or what marian-decoder
/// uses.
struct ShortlistFile {
  std::string name;
  std::uint32_t first = 100, best = 100;
  double threshold = 0;
};

std::optional<ShortlistFile> find_shortlist(ModelFiles& files, ForeignSettings& decoder) {
  ShortlistFile file;
  // "FILE,FIRST,BEST,THRESHOLD", of which only the first is required.
  const auto setting = decoder.text("shortlist", "");
  std::string_view named = setting;
  const auto next = [&] {
    const auto word = named.substr(0, named.find(','));
    named.remove_prefix(std::min(word.size() + 1, named.size()));
    return std::string(word);
  };
  const auto path = next();
  file.name = path.substr(path.rfind('/') + 1);
  file.first = base::find_number<std::uint32_t>(next()).value_or(file.first);
  file.best = base::find_number<std::uint32_t>(next()).value_or(file.best);
  file.threshold = base::find_number<double>(next()).value_or(file.threshold);
  if (!file.name.empty() && files.has(file.name)) return file;
  for (const std::string_view end : {".s2t.bin", ".s2t", ".s2t.gz", ".s2t.zst"}) {
    auto found = files.names();
    std::erase_if(found, [&](const std::string& name) {
      return !name.starts_with("lex") || !name.ends_with(end);
    });
    if (found.size() > 1)
      base::fail("several lexical shortlists (", found[0], ", ", found[1], "); keep one of them");
    if (found.size() == 1) return ShortlistFile{.name = found[0]};
  }
  return std::nullopt;
}

store::LexicalShortlist read_shortlist(ModelFiles& files, const ShortlistFile& file,
                                       const text::Vocabulary& source,
                                       const text::Vocabulary& target) {
  const auto path = files.path_of(file.name);
  return with_name_once(path, [&] {
    if (store::looks_like_marian_shortlist(files.bytes(file.name)) || file.name.ends_with(".bin"))
      return store::read_marian_shortlist(files.bytes(file.name), {source.size(), target.size()});
    base::LineReader in(base::InputFile(path, files.text(file.name)));
    store::LexicalShortlist shortlist{.first = std::min(file.first, target.size()),
                                      .best = file.best};
    const auto lists = text::read_lexical_table(in, source, target,
                                                {.best = file.best, .threshold = file.threshold});
    for (const auto& list : lists) shortlist.append(list);
    return shortlist;
  });
}

void read_search(ForeignSettings& decoder, ConvertedModel& model) {
  if (!decoder.is_on("allow-unk")) model.search.set("unknown-tokens", std::string_view("off"));
  if (decoder.has("beam-size")) model.search.set("beam-size", decoder.count("beam-size"));
  if (decoder.has("normalize")) {
    const double power = decoder.real("normalize", 0);
    model.search.set("alpha", power);
    if (power != 0) model.search.set("length-penalty", "power");
  }
  if (decoder.has("max-length-factor")) {
    // Marian counts the end of the source.
    const double factor = decoder.real("max-length-factor", 3);
    model.search.set("max-length-ratio", factor);
    model.search.set("max-length-extra",
                     static_cast<std::uint32_t>(std::clamp(std::ceil(factor), 0.0, 1000.0)));
  }
  if (decoder.real("word-penalty", 0) != 0)
    model.notes.emplace_back("the word penalty of the original's settings is not used");
}

}  // namespace

ConvertedModel read_marian(ModelFiles& files, const std::string& name) {
  const auto path = files.path_of(name);
  ConvertedModel model;
  with_name_once(path, [&] {
    const auto bytes = files.bytes(name);
    std::optional<store::NpzFile> archive;
    store::MarianItems items;
    if (store::looks_like_marian_binary(bytes)) {
      items = store::read_marian_binary(bytes);
    } else {
      archive.emplace(bytes);
      items.arrays = archive->arrays();
      if (const auto found = items.arrays.find("special:model.yml"); found != items.arrays.end()) {
        items.settings = store::marian_settings(found->second);
        items.arrays.erase(found);
      }
    }
    if (items.settings.empty()) base::fail("no settings ('special:model.yml')");
    auto settings = ForeignSettings::from_yaml(items.settings);
    model.config = config_of(settings);
    ForeignWeights weights(items.arrays, [&](const std::string& array, std::vector<float>& values) {
      const auto factor = items.factors.find(array);
      if (factor == items.factors.end()) return;
      for (float& value : values) value *= factor->second;
    });
    weights.after_reading([&] {
      files.forget();
      if (archive) archive->forget();
    });
    const HasArray has = [&](std::string_view array) { return weights.has(array); };
    if (model::layout_of(model.config.architecture) == model::WeightLayout::kRnn)
      read_marian_rnn_weights(weights, model);
    weights.read_all(
        model, [&](const model::WeightShape& weight) { return marian_location(weight, has); });
    read_activation_scales(weights, has, model);
    // Scales of products that are not computed here, and constants of decoding.
    for (const auto& [array, content] : items.arrays) {
      if (array.ends_with(kMarianScaleEnd) || array.starts_with("special:")) weights.ignore(array);
    }
    weights.require_all_known();
  });
  auto decoder = decoder_settings(files, name);
  const auto [source, target] =
      with_name_once(path, [&] { return vocabulary_names(files, name, decoder); });
  read_vocabularies(files, {source, "source.spm"}, {target, "target.spm"}, model);
  with_name_once(path, [&] { read_search(decoder, model); });
  if (const auto file = with_name_once(path, [&] { return find_shortlist(files, decoder); })) {
    model.shortlist = read_shortlist(
        files, *file, model.source_vocabulary.value_or(*model.vocabulary), *model.vocabulary);
    // As Marian, which compares the names of the vocabularies.
    if (source == target) model.shortlist->source_ids = store::SourceIds::kAllowed;
    model.notes.push_back("lexical shortlist: " + files.path_of(file->name));
  }
  return model;
}

}  // namespace awend::interchange
