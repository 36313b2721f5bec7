#include "decode/teacher_forced_scorer.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "data/batch.hpp"
#include "decode/attention_maps.hpp"

namespace awend::decode {
namespace {

// Attention is computed for one sentence at a time: its weights grow with the square of the rows.
constexpr std::uint32_t kMinRows = 64;

using Kind = model::AttentionOutput::Kind;

}  // namespace

TeacherForcedScorer::TeacherForcedScorer(nn::Engine& engine, const model::Seq2SeqView& model,
                                         const Settings& settings)
    : engine_(engine), model_(model), settings_(settings) {}

std::unique_ptr<forward::Pass> TeacherForcedScorer::make_pass(std::uint32_t rows) const {
  using Attention = model::BatchSettings::Attention;
  const forward::PassSettings settings{
      .rows = rows,
      .loss = model::BatchSettings::Loss::kTokens,
      .attention = settings_.keeps == Keeps::kAttention ? Attention::kRecorded : Attention::kNone};
  return std::make_unique<forward::Pass>(engine_, model_, settings);
}

bool TeacherForcedScorer::has_memory_for(std::uint32_t rows) const {
  if (pass_ && pass_->rows() >= rows) return true;
  const std::uint64_t own = pass_ ? pass_->plan() : 0;
  const std::uint64_t others = engine_.allocated_bytes() - own;
  try {
    return others + make_pass(rows)->plan() <= engine_.usable_bytes();
  } catch (const base::Error&) {  // a limit of the device
    return false;
  }
}

bool TeacherForcedScorer::fits(std::uint32_t tokens) {
  if (tokens <= fitting_) return true;
  if (tokens > std::min(model_.seq2seq->max_tokens(engine_), kMaxPairTokens) ||
      !has_memory_for(tokens))
    return false;
  fitting_ = tokens;
  return true;
}

bool TeacherForcedScorer::prepare() {
  if (!has_memory_for(settings_.batch_tokens)) return false;
  pass_for(settings_.batch_tokens);
  return true;
}

forward::Pass& TeacherForcedScorer::pass_for(std::uint32_t rows) {
  if (pass_ && pass_->rows() >= rows) return *pass_;
  // More rows than needed, so that the next longer sentence does not compile a pass again.
  const auto min_rows = settings_.keeps == Keeps::kAttention ? kMinRows : settings_.batch_tokens;
  const std::uint32_t spacious = std::max(min_rows, std::bit_ceil(rows));
  const std::uint32_t chosen = has_memory_for(spacious) ? spacious : rows;
  pass_.reset();  // frees its memory before the larger pass allocates
  auto made = make_pass(chosen);
  made->compile();
  pass_ = std::move(made);
  return *pass_;
}

forward::Pass& TeacherForcedScorer::run(std::span<const SentencePair> pairs) {
  data::SentencePairs sentences;
  sentences.end_of_sentence = settings_.end_of_sentence;
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
  forward::Pass& pass = pass_for(std::max(source, target));
  pass.write(batch_);
  pass.program().use_threads(threads_);
  pass.replay();
  return pass;
}

std::vector<std::vector<float>> TeacherForcedScorer::scores(std::span<const SentencePair> pairs) {
  std::vector<std::vector<float>> scores;
  std::uint32_t max_rows = settings_.batch_tokens;
  while (max_rows > kMinRows && !has_memory_for(max_rows)) max_rows /= 2;
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::uint32_t rows = pairs[begin].tokens();
    std::size_t end = begin + 1;
    for (; end < pairs.size() && rows + pairs[end].tokens() <= max_rows; ++end)
      rows += pairs[end].tokens();
    const forward::Pass& pass = run(pairs.subspan(begin, end - begin));
    std::uint32_t row = 0;
    for (; begin < end; ++begin) {
      auto& own = scores.emplace_back();
      const std::size_t tokens = pairs[begin].target.size();
      for (std::size_t i = 0; i <= tokens; ++i) own.push_back(pass.log_probability(row++));
      if (tokens != model_.seq2seq->output_length().value_or(tokens))
        std::ranges::fill(own, kImpossible);
    }
  }
  return scores;
}

Attentions TeacherForcedScorer::attention(const SentencePair& pair) {
  base::check(settings_.keeps == Keeps::kAttention, "the scorer keeps attention");
  forward::Pass& pass = run({&pair, 1});
  const std::uint32_t source = batch_.source.rows(), target = batch_.target_rows();
  const model::Config& config = model_.seq2seq->config();
  const auto maps = [&](const MapsShape& shape) {
    return attention_maps(pass.program(), pass.attentions(), shape);
  };
  if (auto sentences = model_.seq2seq->attended_sentences(pair.source)) {
    const auto columns = static_cast<std::uint32_t>(sentences->size());
    using Columns = MapsShape::Columns;
    const bool has_rest = !sentences->empty() && sentences->back() == batch::RowRange{};
    const auto unit = has_rest ? Columns::kSentencesAndRest : Columns::kSentences;
    return {.encoder = {.rows = columns, .columns = columns, .values = {}},
            .decoder = {.rows = target, .columns = target, .values = {}},
            .cross = maps({config, Kind::kCross, target, columns, unit}),
            .sentences = std::move(sentences)};
  }
  return {.encoder = maps({config, Kind::kEncoder, source, source}),
          .decoder = maps({config, Kind::kDecoder, target, target}),
          .cross = maps({config, Kind::kCross, target, source}),
          .guided_layer = config.transformer.guided_alignment_layer};
}

}  // namespace awend::decode
