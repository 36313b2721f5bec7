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

model::BatchSettings::Attention attention_of(ForcedPass::Keeps keeps) {
  return keeps == ForcedPass::Keeps::kAttention ? model::BatchSettings::Attention::kRecorded
                                                : model::BatchSettings::Attention::kNone;
}

}  // namespace

/// The pass for one capacity.
class ForcedPass::Compiled {
 public:
  Compiled(nn::Engine& engine, nn::Parameters& parameters, const model::Seq2Seq& seq2seq,
           std::uint32_t rows, Keeps keeps)
      : rows_(rows),
        program_(engine),
        graph_(program_, parameters, nn::Mode::kInference),
        inputs_(seq2seq.declare_inputs(graph_, {.source_rows = rows,
                                                .target_rows = rows,
                                                .loss = model::BatchSettings::Loss::kTokens,
                                                .attention = attention_of(keeps)})),
        loss_(inputs_->loss()) {}

  /// What it would take of the device's memory.  Throws Error if the device has a limit below that.
  std::uint64_t plan() { return program_.plan(); }
  void compile() { program_.compile(); }

  std::uint32_t rows() const { return rows_; }

  void run(const data::Batch& batch) {
    inputs_->write(packed(batch));
    loss_.set_rows(batch.target_rows());
    program_.replay();
  }

  float log_probability(std::uint32_t row) const {
    return -program_.host<float>(loss_.rows())[2 * inputs_->row_of(row) + 1];
  }

  std::span<const model::AttentionOutput> attentions() const { return inputs_->attentions(); }

  /// An attention of the batch's only sentence.
  AttentionMap map(const model::AttentionOutput& output, std::uint32_t rows,
                   std::uint32_t columns) const {
    const std::uint32_t heads = output.heads;
    AttentionMap map{heads, rows, columns, {}};
    map.weights.resize(std::size_t{heads} * rows * columns);
    const auto from = program_.host<float>(output.weights);
    for (std::uint32_t head = 0; head < heads; ++head) {
      for (std::uint32_t row = 0; row < rows; ++row) {
        const bool causal = output.kind == model::AttentionOutput::Kind::kDecoder;
        const auto own = from.subspan((std::size_t{row} * heads + head) * output.max_keys,
                                      causal ? row + 1 : columns);
        std::ranges::copy(
            own, map.weights.begin() +
                     static_cast<std::ptrdiff_t>((std::size_t{head} * rows + row) * columns));
      }
    }
    return map;
  }

 private:
  std::uint32_t rows_;
  nn::Program program_;
  nn::Graph graph_;
  std::unique_ptr<model::TeacherForcing> inputs_;
  nn::ChunkedLoss loss_;
};

ForcedPass::ForcedPass(nn::Engine& engine, nn::Parameters& parameters,
                       const model::Seq2Seq& seq2seq, std::uint32_t end_of_sentence, Keeps keeps)
    : engine_(engine),
      parameters_(parameters),
      seq2seq_(seq2seq),
      end_of_sentence_(end_of_sentence),
      keeps_(keeps) {}

ForcedPass::~ForcedPass() = default;

bool ForcedPass::holds(std::uint32_t rows) const {
  if (compiled_ && compiled_->rows() >= rows) return true;
  const std::uint64_t own = compiled_ ? compiled_->plan() : 0;
  const std::uint64_t others = engine_.device.arena_bytes() - own;
  try {
    return others + Compiled(engine_, parameters_, seq2seq_, rows, keeps_).plan() <=
           vulkan::usable_bytes(engine_.device);
  } catch (const base::Error&) {  // a limit of the device
    return false;
  }
}

bool ForcedPass::fits(std::uint32_t tokens) {
  if (tokens > std::min(seq2seq_.max_tokens(engine_), kMostGiven)) return false;
  return holds(tokens);
}

ForcedPass::Compiled& ForcedPass::compiled_for(std::uint32_t rows) {
  if (compiled_ && compiled_->rows() >= rows) return *compiled_;
  // Room for more than is asked, so that the next longer sentence compiles nothing.
  const auto least = keeps_ == Keeps::kAttention ? kFewestRows : kScoredRows;
  const std::uint32_t roomy = std::max(least, std::bit_ceil(rows));
  const std::uint32_t made = holds(roomy) ? roomy : rows;
  compiled_.reset();  // its memory goes before that of the larger one comes
  compiled_ = std::make_unique<Compiled>(engine_, parameters_, seq2seq_, made, keeps_);
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
    std::uint32_t row = 0;
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
  const std::uint32_t source = batch_.source_rows(), target = batch_.target_rows();
  using Kind = model::AttentionOutput::Kind;
  Attentions result;
  for (const auto& output : compiled.attentions()) {
    if (output.kind == Kind::kEncoder) {
      result.encoder.push_back(compiled.map(output, source, source));
    } else if (output.kind == Kind::kDecoder) {
      result.decoder.push_back(compiled.map(output, target, target));
    } else {
      result.cross.push_back(compiled.map(output, target, source));
    }
  }
  return result;
}

}  // namespace awend::decode
