#include "decode/forced_pass.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "decode/feed.hpp"

namespace awend::decode {
namespace {

// Attention is kept for a sentence at a time: its weights grow with the square of the rows.
constexpr std::uint32_t kFewestRows = 64;
constexpr std::uint32_t kScoredRows = 2048;

}  // namespace

/// The pass for one capacity.
class ForcedPass::Compiled {
 public:
  Compiled(nn::Engine& engine, nn::Parameters& parameters, const model::Transformer& transformer,
           std::uint32_t rows, Keeps keeps)
      : rows_(rows),
        program_(engine),
        graph_(program_, parameters, nn::Mode::kInference),
        inputs_(model::declare_inputs(graph_, transformer.config(),
                                      {.source_rows = rows, .target_rows = rows})),
        loss_(append(transformer, keeps)) {}

  /// What it would take of the device's memory.  Throws Error if the device has a limit below that.
  std::uint64_t plan() { return program_.plan(); }
  void compile() { program_.compile(); }

  std::uint32_t rows() const { return rows_; }

  void run(const data::Batch& batch) {
    feed(program_, inputs_, batch);
    loss_.set_rows(batch.target_rows());
    program_.replay();
  }

  float log_probability(std::size_t row) const {
    return -program_.host<float>(loss_.rows())[2 * row + 1];
  }

  /// Attention number `index` in the order of the model, of the batch's only sentence.
  AttentionMap map(std::size_t index, std::uint32_t rows, std::uint32_t columns,
                   std::span<const data::RowRange> seen) const {
    const auto& [weights, heads] = attentions_[index];
    AttentionMap map{heads, rows, columns, {}};
    map.weights.resize(std::size_t{heads} * rows * columns);
    const auto from = program_.host<float>(weights);
    for (std::uint32_t head = 0; head < heads; ++head) {
      for (std::uint32_t row = 0; row < rows; ++row) {
        const auto own = from.subspan((std::size_t{row} * heads + head) * rows_,
                                      seen[row].end - seen[row].begin);
        std::ranges::copy(
            own, map.weights.begin() +
                     static_cast<std::ptrdiff_t>((std::size_t{head} * rows + row) * columns));
      }
    }
    return map;
  }

 private:
  struct Seen {
    nn::Tensor weights;
    std::uint32_t heads;
  };
  nn::ChunkedLoss append(const model::Transformer& transformer, Keeps keeps) {
    if (keeps == Keeps::kAttention) {
      graph_.on_attention([this](const nn::AttentionRecord& seen) {
        attentions_.push_back({nn::attention_weights(graph_, seen, rows_), seen.heads});
      });
    }
    return transformer.token_losses(graph_, inputs_);
  }

  std::uint32_t rows_;
  nn::Program program_;
  nn::Graph graph_;
  model::BatchInputs inputs_;
  std::vector<Seen> attentions_;
  nn::ChunkedLoss loss_;
};

ForcedPass::ForcedPass(nn::Engine& engine, nn::Parameters& parameters,
                       const model::Transformer& transformer, std::uint32_t end_of_sentence,
                       Keeps keeps)
    : engine_(engine),
      parameters_(parameters),
      transformer_(transformer),
      end_of_sentence_(end_of_sentence),
      keeps_(keeps) {}

ForcedPass::~ForcedPass() = default;

bool ForcedPass::holds(std::uint32_t rows) const {
  if (compiled_ && compiled_->rows() >= rows) return true;
  const std::uint64_t own = compiled_ ? compiled_->plan() : 0;
  const std::uint64_t others = engine_.device.arena_bytes() - own;
  try {
    return others + Compiled(engine_, parameters_, transformer_, rows, keeps_).plan() <=
           vulkan::usable_bytes(engine_.device);
  } catch (const base::Error&) {  // a limit of the device
    return false;
  }
}

bool ForcedPass::fits(std::uint32_t tokens) {
  const auto& config = transformer_.config();
  const auto most = nn::max_attended_keys(engine_, {config.heads, config.d_k, config.d_v});
  if (tokens > std::min(most, kMostGiven)) return false;
  if (config.positions == model::Positions::kLearned && tokens > config.longest) return false;
  return holds(tokens);
}

ForcedPass::Compiled& ForcedPass::compiled_for(std::uint32_t rows) {
  if (compiled_ && compiled_->rows() >= rows) return *compiled_;
  // Room for more than is asked, so that the next longer sentence compiles nothing.
  const auto least = keeps_ == Keeps::kAttention ? kFewestRows : kScoredRows;
  const std::uint32_t roomy = std::max(least, std::bit_ceil(rows));
  const std::uint32_t made = holds(roomy) ? roomy : rows;
  compiled_.reset();  // its memory goes before that of the larger one comes
  compiled_ = std::make_unique<Compiled>(engine_, parameters_, transformer_, made, keeps_);
  compiled_->compile();
  return *compiled_;
}

ForcedPass::Compiled& ForcedPass::run(std::span<const GivenPair> pairs) {
  data::SentencePairs sentences;
  sentences.end_of_sentence = end_of_sentence_;
  std::vector<std::uint32_t> numbers;
  std::uint32_t source = 0, target = 0;
  for (const auto& pair : pairs) {
    numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
    sentences.source.add(pair.source);
    sentences.target.add(pair.target);
    source += static_cast<std::uint32_t>(pair.source.size()) + 1;
    target += static_cast<std::uint32_t>(pair.target.size()) + 1;
  }
  data::pack_batch(sentences, numbers, batch_);
  Compiled& compiled = compiled_for(std::max(source, target));
  compiled.run(batch_);
  return compiled;
}

std::vector<std::vector<float>> ForcedPass::scores(std::span<const GivenPair> pairs) {
  std::vector<std::vector<float>> scores;
  std::uint32_t together = kScoredRows;
  while (together > kFewestRows && !holds(together)) together /= 2;
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::uint32_t rows = pairs[begin].tokens();
    std::size_t end = begin + 1;
    for (; end < pairs.size() && rows + pairs[end].tokens() <= together; ++end)
      rows += pairs[end].tokens();
    const Compiled& compiled = run(pairs.subspan(begin, end - begin));
    std::size_t row = 0;
    for (; begin < end; ++begin) {
      auto& own = scores.emplace_back();
      for (std::size_t i = 0; i <= pairs[begin].target.size(); ++i)
        own.push_back(compiled.log_probability(row++));
    }
  }
  return scores;
}

Attentions ForcedPass::attention(const GivenPair& pair) {
  base::check(keeps_ == Keeps::kAttention, "the pass keeps attention");
  const Compiled& compiled = run({&pair, 1});
  const auto& config = transformer_.config();
  const std::uint32_t source = batch_.source_rows(), target = batch_.target_rows();
  Attentions result;
  std::size_t index = 0;
  for (std::uint32_t layer = 0; layer < config.encoder_layers; ++layer)
    result.encoder.push_back(compiled.map(index++, source, source, batch_.encoder_rows));
  for (std::uint32_t layer = 0; layer < config.decoder_layers; ++layer) {
    result.decoder.push_back(compiled.map(index++, target, target, batch_.causal_keys));
    result.cross.push_back(compiled.map(index++, target, source, batch_.cross_keys));
  }
  return result;
}

}  // namespace awend::decode
