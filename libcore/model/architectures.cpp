#include "model/architectures.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "model/bert/bert.hpp"
#include "model/memory/memory.hpp"
#include "model/rnn/rnn.hpp"
#include "model/transformer/transformer.hpp"

namespace awend::model {
namespace {

template <class Architecture>
std::unique_ptr<Model> make(const Config& config, nn::Parameters& parameters) {
  return std::make_unique<Architecture>(config, parameters);
}

struct Entry {
  std::string_view name;
  std::unique_ptr<Model> (*make)(const Config& config, nn::Parameters& parameters);
};

constexpr Entry kArchitectures[] = {
    {"transformer", make<Transformer>},
    {"rnn", make<Rnn>},
    {"memory", make<Memory>},
    {"bert", make<Bert>},
};

const Entry& find(std::string_view name) {
  const auto* found = std::ranges::find(kArchitectures, name, &Entry::name);
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

std::unique_ptr<Model> make_model(const Config& config, nn::Parameters& parameters) {
  return find(config.architecture).make(config, parameters);
}

const Seq2Seq& require_seq2seq(const Model& model) {
  const auto* const seq2seq = model.as_seq2seq();
  if (seq2seq == nullptr) {
    base::fail("a model of the architecture ", model.config().architecture,
               " does not generate text");
  }
  return *seq2seq;
}

const Encoder& require_encoder(const Model& model) {
  const auto* const encoder = model.as_encoder();
  if (encoder == nullptr) {
    base::fail("a model of the architecture ", model.config().architecture,
               " generates text; it does not encode it");
  }
  return *encoder;
}

std::unique_ptr<Seq2Seq> make_seq2seq(const Config& config, nn::Parameters& parameters) {
  auto model = make_model(config, parameters);
  require_seq2seq(*model);
  return std::unique_ptr<Seq2Seq>(static_cast<Seq2Seq*>(model.release()));
}

}  // namespace awend::model
