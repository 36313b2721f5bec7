#include "model/memory/memory.hpp"

#include <algorithm>

#include "model/memory/step_decoding.hpp"
#include "model/memory/story.hpp"
#include "model/memory/teacher_forcing.hpp"

namespace awend::model {
namespace {

// No kernel limits the tokens of an answer; this bounds the memory of searches.
constexpr std::uint32_t kMaxTargetTokens = 1 << 14;

}  // namespace

std::vector<std::uint64_t> Memory::phase_ends() const {
  if (!network_.softmax()) return {};
  return {config().memory.linear_start};
}

void Memory::begin_phase(nn::Parameters& parameters, std::size_t /*phase*/) const {
  const float on[] = {1};
  parameters.write(*network_.softmax(), on);
  if (!parameters.keeps_average()) return;
  parameters.write(*network_.softmax(), on, nn::Parameters::Buffer::kAverage);
}

bool Memory::has_probabilities(const nn::Parameters& parameters) const {
  return !network_.softmax() || parameters.read(*network_.softmax()).front() != 0;
}

std::unique_ptr<TeacherForcing> Memory::declare_inputs(nn::Graph& graph,
                                                       const BatchSettings& settings) const {
  return std::make_unique<MemoryTeacherForcing>(network_, graph, settings);
}

std::unique_ptr<StepDecoding> Memory::make_cache(nn::Engine& engine,
                                                 const StepCapacity& capacity) const {
  return std::make_unique<MemoryStepDecoding>(network_, engine, capacity);
}

store::AttentionLayout Memory::attention_layout() const {
  return {.encoder_layers = 0, .decoder_layers = config().memory.hops, .heads = 1};
}

std::optional<std::vector<batch::RowRange>> Memory::attended_sentences(
    std::span<const std::uint32_t> source) const {
  auto sentences = parse_story(source, config().memory).sentences;
  const std::size_t size = config().memory.size;
  if (sentences.size() > size)
    sentences.erase(sentences.begin(), sentences.end() - static_cast<std::ptrdiff_t>(size));
  if (sentences.size() < size) sentences.emplace_back();  // all empty memories
  return sentences;
}

batch::RowRange Memory::question(std::span<const std::uint32_t> source) const {
  return parse_story(source, config().memory).question;
}

std::uint32_t Memory::max_tokens(const nn::Engine& engine) const {
  return std::min(config().max_positions, nn::max_bag_rows(engine, config().d_model));
}

DecodingFootprint Memory::footprint(const nn::Engine& engine) const {
  const std::uint64_t row_bytes = config().d_model * sizeof(float);
  // In the caches and, with positions, in the activations of the encoder.
  const std::uint64_t rows = 3 * network_.tables() + 2;
  return {.vocabulary = config().vocabulary,
          .source_token_bytes = rows * row_bytes,
          .target_token_bytes = sizeof(float),
          .widest_row_bytes = row_bytes,
          .widest_activation_bytes = row_bytes,
          .max_source_tokens = max_tokens(engine),
          .max_target_tokens = kMaxTargetTokens};
}

}  // namespace awend::model
