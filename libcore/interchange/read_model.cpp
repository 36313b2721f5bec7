#include "interchange/read_model.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "interchange/formats.hpp"
#include "interchange/pickle_objects.hpp"
#include "interchange/shard_index.hpp"
#include "model/weight_layout.hpp"
#include "store/ctranslate2_binary.hpp"
#include "store/json_text.hpp"
#include "store/marian_binary.hpp"
#include "store/torch_file.hpp"
#include "store/zip_archive.hpp"

namespace awend::interchange {
namespace {

struct FormatRow {
  Format format;
  std::string_view name;
  ConvertedModel (*read)(ModelFiles& files, const std::string& name);
};

constexpr FormatRow kFormats[] = {
    {Format::kMarian, "Marian", read_marian},
    {Format::kHuggingFace, "Hugging Face", read_hugging_face},
    {Format::kCTranslate2, "CTranslate2", read_ctranslate2},
    {Format::kFairseq, "fairseq", read_fairseq},
    {Format::kOpenNmt, "OpenNMT-py", read_open_nmt},
    {Format::kSockeye, "Sockeye", read_sockeye},
};

const FormatRow& row_of(Format format) {
  return *std::ranges::find(kFormats, format, &FormatRow::format);
}

constexpr std::string_view kConfig = "config.json";
constexpr std::string_view kSourceEnd = "source-end";

/// The format of a file of torch.save(), which contains one of many things.
std::optional<Format> format_of_torch(ModelFiles& files, const std::string& name) {
  const store::TorchFile file(files.bytes(name));
  const auto& pickle = file.pickle();
  warn_of_unknown_objects(files, name, pickle);
  const auto root = pickle.root();
  if (pickle.at(root, "generator") && pickle.at(root, "opt")) return Format::kOpenNmt;
  if (pickle.at(root, "args") || pickle.at(root, "cfg")) return Format::kFairseq;
  if (files.has(kConfig)) return Format::kHuggingFace;
  if (files.has("config")) return Format::kSockeye;
  return std::nullopt;
}

bool is_hugging_face(ModelFiles& files) {
  const std::string name(kConfig);
  return files.has(name) && with_name_once(files.path_of(name), [&] {
           return store::json_members(files.text(name)).contains("model_type");
         });
}

/// The format of one file with weights.
std::optional<Format> format_of(ModelFiles& files, const std::string& name) {
  const auto bytes = files.bytes(name);
  const auto own = with_name_once(files.path_of(name), [&]() -> std::optional<Format> {
    if (store::TorchFile::looks_like_torch(bytes)) return format_of_torch(files, name);
    if (store::ZipArchive::looks_like_archive(bytes)) return Format::kMarian;
    if (store::looks_like_ctranslate2(bytes)) return Format::kCTranslate2;
    if (store::looks_like_marian_binary(bytes)) return Format::kMarian;
    return std::nullopt;
  });
  if (!own && name.ends_with(".safetensors") && is_hugging_face(files)) return Format::kHuggingFace;
  return own;
}

/// What trainers of Hugging Face save next to a model.
bool is_training_state(std::string_view name) {
  constexpr std::string_view kStems[] = {"optimizer", "rng_state", "scaler", "scheduler",
                                         "training_args"};
  return std::ranges::any_of(kStems, [&](std::string_view stem) { return name.starts_with(stem); });
}

bool may_have_weights(const std::string& name) {
  constexpr std::string_view kEnds[] = {".npz", ".bin", ".pt", ".safetensors", ".best"};
  return !is_training_state(name) &&
         std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

/// The files of a directory that transformers read: the first of these, or those that it names if
/// it is an index.
std::vector<std::string> files_of_transformers(ModelFiles& files) {
  constexpr std::string_view kUsual[] = {"model.safetensors", "model.safetensors.index.json",
                                         "pytorch_model.bin", "pytorch_model.bin.index.json"};
  const auto* const found =
      std::ranges::find_if(kUsual, [&](std::string_view name) { return files.has(name); });
  if (found == std::end(kUsual)) return {};
  std::vector<std::string> names = {std::string(*found)};
  if (!found->ends_with(".index.json")) return names;
  const auto file_of = with_name_once(files.path_of(names.front()),
                                      [&] { return parse_shard_index(files.text(names.front())); });
  names.clear();
  for (const auto& [array, file] : file_of) names.push_back(file);
  return names;
}

/// Of several files of Hugging Face, which often has the same weights twice, that with the highest
/// rank is read: that which transformers read; then safetensors, which are simpler; and other
/// pickles may be anything.
int rank_of(const std::string& name, const std::vector<std::string>& of_transformers) {
  if (std::ranges::count(of_transformers, name) > 0) return 3;
  if (name.ends_with(".safetensors")) return 2;
  return name.starts_with("pytorch_model") ? 1 : 0;
}

FoundModel find_in_directory(ModelFiles& files) {
  std::vector<FoundModel> found;
  std::string known;
  std::optional<std::vector<std::string>> of_transformers;  // needed if there are several files
  for (const auto& name : files.names()) {
    if (!may_have_weights(name)) continue;
    const auto format = format_of(files, name);
    if (!format) continue;
    if (*format == Format::kHuggingFace && !found.empty() &&
        found.back().format == Format::kHuggingFace) {
      if (!of_transformers) of_transformers = files_of_transformers(files);
      if (rank_of(name, *of_transformers) >= rank_of(found.back().name, *of_transformers))
        found.back().name = name;
      continue;
    }
    found.push_back({*format, name});
    known += base::concat(known.empty() ? "" : ", ", name);
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) base::fail(files.path_of(""), ": no model of a known format");
  // Marian stores the same model in several forms.
  const auto npz = std::ranges::find(found, std::string("model.npz"), &FoundModel::name);
  if (npz != found.end()) return *npz;
  base::fail(files.path_of(""), ": several models (", known, "); name one of these files");
}

void compute_as_marian(const FoundModel& found, model::Config& config) {
  auto& transformer = config.transformer;
  const bool is_marian_mt =
      found.format == Format::kHuggingFace &&
      model::layout_of(config.architecture) == model::WeightLayout::kTransformer &&
      transformer.positions == model::Positions::kSinusoid &&
      transformer.sinusoid_layout == model::SinusoidLayout::kHalves;
  if (!is_marian_mt) base::fail("not a MarianMT, which could be computed as by Marian");
  transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
  transformer.norm_epsilon = 1e-6;
}

}  // namespace

std::string_view name_of(Format format) {
  return row_of(format).name;
}

FoundModel find_model(ModelFiles& files) {
  if (!files.named()) return find_in_directory(files);
  // The settings of a model of Hugging Face may be named instead of its weights, and their index.
  if (*files.named() == kConfig || files.named()->ends_with(".index.json"))
    return find_in_directory(files);
  const auto format = format_of(files, *files.named());
  if (!format) base::fail(files.path_of(*files.named()), ": not a model of a known format");
  return {*format, *files.named()};
}

std::optional<Format> foreign_format_of(const std::string& path) {
  try {
    ModelFiles files(path);
    return find_model(files).format;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

ConvertedModel read_model(ModelFiles& files, const ReadOptions& options) {
  const auto [format, name] = find_model(files);
  auto model = row_of(format).read(files, name);
  if (options.marian_mt == ReadOptions::MarianMt::kAsMarian)
    with_name_once(files.path_of(name), [&, name = name, format = format] {
      compute_as_marian({format, name}, model.config);
    });
  if (options.source_end) {
    if (!model::has_setting(model.config, kSourceEnd))
      base::fail(files.path_of(name), ": this architecture has no setting '", kSourceEnd, "'");
    model.config.transformer.source_end = *options.source_end;
    model.assumed_source_end.reset();
  }
  with_name_once(files.path_of(name), [&] { model::validate(model.config); });
  model.warnings = files.warnings();
  model.notes.insert(model.notes.begin(), base::concat(files.path_of(name), ": ", name_of(format)));
  return model;
}

}  // namespace awend::interchange
