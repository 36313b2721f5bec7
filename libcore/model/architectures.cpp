#include "model/architectures.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "model/memory/memory.hpp"
#include "model/rnn/rnn.hpp"
#include "model/transformer/transformer.hpp"

namespace awend::model {
namespace {

template <class Model>
std::unique_ptr<Seq2Seq> make(const Config& config, nn::Parameters& parameters) {
  return std::make_unique<Model>(config, parameters);
}

struct Architecture {
  std::string_view name;
  std::unique_ptr<Seq2Seq> (*make)(const Config& config, nn::Parameters& parameters);
};

constexpr Architecture kArchitectures[] = {
    {"transformer", make<Transformer>},
    {"rnn", make<Rnn>},
    {"memory", make<Memory>},
};

const Architecture& find(std::string_view name) {
  const auto* found = std::ranges::find(kArchitectures, name, &Architecture::name);
  if (found != std::end(kArchitectures)) return *found;
  std::string known;
  for (const auto& architecture : kArchitectures)
    known += base::concat(known.empty() ? "" : ", ", architecture.name);
  base::fail("unknown architecture '", name, "' (available: ", known, ")");
}

}  // namespace

std::vector<std::string_view> architecture_names() {
  std::vector<std::string_view> names;
  for (const auto& architecture : kArchitectures) names.push_back(architecture.name);
  return names;
}

void require_architecture(std::string_view name) {
  find(name);
}

std::unique_ptr<Seq2Seq> make_seq2seq(const Config& config, nn::Parameters& parameters) {
  return find(config.architecture).make(config, parameters);
}

}  // namespace awend::model
