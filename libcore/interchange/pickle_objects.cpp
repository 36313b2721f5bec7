#include "interchange/pickle_objects.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "base/concat.hpp"

namespace awend::interchange {
namespace {

constexpr std::size_t kMaxNamed = 5;
constexpr std::size_t kMaxLength = 80;

// Of PyTorch, the libraries that describe settings, and the toolkits themselves.
constexpr std::string_view kKnown[] = {
    "_codecs.encode",
    "argparse.Namespace",
    "collections.Counter",
    "collections.OrderedDict",
    "collections.defaultdict",
    "copyreg._reconstructor",
    "copy_reg._reconstructor",
    "numpy.dtype",
    "numpy.ndarray",
    "torch.Size",
    "torch.Tensor",
    "torch.device",
    "torch.dtype",
    "torch.Generator",
    "torch.serialization._get_layout",
    "typing.Any",
    "typing.Dict",
    "typing.List",
    "typing.Optional",
    "typing.Union",
};
constexpr std::string_view kKnownBeginnings[] = {
    "comet.",
    "fairseq.",
    "lightning.",
    "numpy._core.multiarray.",
    "numpy.core.multiarray.",
    "omegaconf.",
    "onmt.",
    "pathlib.",
    "pytorch_lightning.",
    "torch._tensor.",
    "torch._utils.",
    "torch.nn.",
    "torch.optim.",
    "torch.storage.",
    "torchtext.",
    "transformers.",
};
// Of builtins, the types of plain values.
constexpr std::string_view kPlainTypes[] = {"bool",  "bytearray", "bytes", "complex", "dict",
                                            "float", "frozenset", "int",   "list",    "object",
                                            "range", "set",       "slice", "str",     "tuple"};
// The types of numbers, such as torch.float32 and torch.FloatStorage.
constexpr std::string_view kNumberTypes[] = {"float",  "int",     "uint", "bool",
                                             "bfloat", "half",    "long", "short",
                                             "double", "complex", "qint", "quint"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_known(const store::PickleGlobal& global) {
  if (global.module == "builtins" || global.module == "__builtin__")
    return is_one_of(kPlainTypes, global.name);
  const auto name = base::concat(global.module, ".", global.name);
  const auto begins = [&](std::string_view beginning) { return name.starts_with(beginning); };
  if (is_one_of(kKnown, name) || std::ranges::any_of(kKnownBeginnings, begins)) return true;
  if (global.module != "torch") return false;
  return global.name.ends_with("Storage") ||
         std::ranges::any_of(kNumberTypes,
                             [&](std::string_view type) { return global.name.starts_with(type); });
}

/// The name as a text for a terminal.
std::string printable(const store::PickleGlobal& global) {
  auto name = base::concat(global.module, ".", global.name).substr(0, kMaxLength);
  for (char& letter : name) {
    if (letter <= ' ' || letter > '~') letter = '?';
  }
  return name;
}

}  // namespace

std::optional<std::string> unknown_objects(const store::Pickle& pickle) {
  std::vector<std::string> names;
  for (store::PickleId id = 0; id < pickle.size(); ++id) {
    const auto* global = pickle.find<store::PickleGlobal>(id);
    if (global == nullptr || is_known(*global)) continue;
    auto name = printable(*global);
    if (std::ranges::find(names, name) != names.end()) continue;
    if (names.size() == kMaxNamed) {
      names.emplace_back("...");
      break;
    }
    names.push_back(std::move(name));
  }
  if (names.empty()) return std::nullopt;
  std::string list;
  for (const auto& name : names) list += base::concat(list.empty() ? "" : ", ", name);
  return base::concat("objects that models do not have are ignored, and not run: ", list);
}

void warn_of_unknown_objects(ModelFiles& files, const std::string& name,
                             const store::Pickle& pickle) {
  if (const auto objects = unknown_objects(pickle))
    files.warn(base::concat(files.path_of(name), ": ", *objects));
}

}  // namespace awend::interchange
