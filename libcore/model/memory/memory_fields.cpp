#include "model/memory/memory_fields.hpp"

#include "base/error.hpp"

namespace awend::model {
namespace {

using base::DefaultFrom;
using base::integer_field;
using base::real_field;
using base::text_field;
using base::word_field;

constexpr base::Word<HopTying> kTyings[] = {{HopTying::kAdjacent, "adjacent"},
                                            {HopTying::kLayerWise, "layer-wise"}};
constexpr base::Word<nn::BagWeights> kEncodings[] = {{nn::BagWeights::kPosition, "position"},
                                                     {nn::BagWeights::kOne, "bag-of-words"}};

constexpr std::string_view kMemory = "Memory network (defaults depend on the preset)";

// Kernels keep the weights of all memories of a question.
constexpr std::uint32_t kMaxMemories = 1024;

constexpr base::Field<Config> kMemoryFields[] = {
    integer_field<&Config::memory, &MemoryConfig::hops>({.name = "hops",
                                                         .group = kMemory,
                                                         .help = "attention hops over the story",
                                                         .default_from = DefaultFrom::kPreset},
                                                        {.min = 1, .max = 64}),
    word_field<kTyings, &Config::memory, &MemoryConfig::tying>(
        {.name = "hop-tying",
         .metavar = "WHICH",
         .group = kMemory,
         .help = "weight tying of the embeddings of hops",
         .default_from = DefaultFrom::kPreset}),
    word_field<kEncodings, &Config::memory, &MemoryConfig::encoding>(
        {.name = "sentence-encoding",
         .metavar = "KIND",
         .group = kMemory,
         .help = "weights of the words of a sentence",
         .default_from = DefaultFrom::kPreset}),
    word_field<kSwitchWords, &Config::memory, &MemoryConfig::temporal_encoding>(
        {.name = "temporal-encoding",
         .metavar = "SWITCH",
         .group = kMemory,
         .help = "learned vectors for the distance of a sentence from the question",
         .default_from = DefaultFrom::kPreset}),
    integer_field<&Config::memory, &MemoryConfig::size>(
        {.name = "memory-size",
         .group = kMemory,
         .help = "maximum number of sentences of a story; older ones are ignored",
         .default_from = DefaultFrom::kPreset},
        {.min = 1, .max = kMaxMemories}),
    integer_field<&Config::memory, &MemoryConfig::linear_start>(
        {.name = "linear-start",
         .group = kMemory,
         .help = "updates without softmax in the hops at the start of training",
         .default_from = DefaultFrom::kPreset},
        {.min = 0}),
    text_field<&Config::memory, &MemoryConfig::sentence_end>(
        {.name = "sentence-end",
         .metavar = "TOKEN",
         .group = kMemory,
         .help = "token that ends each sentence of a story; default: a full stop",
         .default_from = DefaultFrom::kPreset}),
    text_field<&Config::memory, &MemoryConfig::question_end>(
        {.name = "question-end",
         .metavar = "TOKEN",
         .group = kMemory,
         .help = "token that ends the question and the line; default: a question mark",
         .default_from = DefaultFrom::kPreset}),
    integer_field<&Config::memory, &MemoryConfig::sentence_end_id>({.name = "sentence-end-id"},
                                                                   {.min = 0, .max = 0xFFFFFFFF}),
    integer_field<&Config::memory, &MemoryConfig::question_end_id>({.name = "question-end-id"},
                                                                   {.min = 0, .max = 0xFFFFFFFF}),
    real_field<&Config::memory, &MemoryConfig::noise>(
        {.name = "memory-noise",
         .metavar = "P",
         .group = kRegularization,
         .help = "share of empty sentences inserted into stories in training",
         .default_from = DefaultFrom::kPreset},
        {0, 0.99}),
};

}  // namespace

std::span<const base::Field<Config>> memory_fields() {
  return kMemoryFields;
}

std::optional<std::string> outdated_memory(const store::Settings& settings,
                                           const store::ArrayFile& file) {
  if (settings.find("architecture") != "memory" || file.find("answer_embedding") == nullptr)
    return std::nullopt;
  return "a memory network of an earlier version, which predicted the ends of answers; train it "
         "again";
}

void require_consistent_memory(const Config& config) {
  const auto& memory = config.memory;
  if (memory.sentence_end == memory.question_end) {
    base::fail("sentence-end and question-end must be different tokens, got '", memory.sentence_end,
               "'");
  }
}

Config memory_preset(std::string_view name) {
  Config config;
  config.architecture = "memory";
  // Of all tasks together; a multiple of 4 near the 50 of the paper.
  config.d_model = name == "memory-joint" ? 52 : 20;
  config.max_positions = 16384;
  config.dropout = 0;
  config.label_smoothing = 0;
  return config;
}

}  // namespace awend::model
