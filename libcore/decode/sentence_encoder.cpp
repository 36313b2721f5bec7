#include "decode/sentence_encoder.hpp"

#include <algorithm>
#include <atomic>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/parallel.hpp"

namespace awend::decode {
namespace {

// The logits of the batches of all programs take at most about this, but in each as much as the
// longest line needs.
constexpr std::uint64_t kLogitBytes = std::uint64_t{64} << 20;

EncoderCapacity capacity_of(const model::Encoder& model, std::uint32_t rows, std::uint32_t longest,
                            unsigned programs) {
  const std::uint64_t fit =
      kLogitBytes / programs / (sizeof(float) * std::uint64_t{model.classes()});
  const auto predictions = std::min<std::uint64_t>(std::max<std::uint64_t>(fit, longest), rows);
  return {.rows = rows, .predictions = static_cast<std::uint32_t>(predictions)};
}

}  // namespace

SentenceEncoder::SentenceEncoder(nn::Engine& engine, const model::EncoderView& model,
                                 const EncoderSettings& settings)
    : engine_(engine),
      model_(model),
      settings_(settings),
      threads_(engine.concurrency()),
      longest_(model.encoder->max_tokens(engine)),
      capacity_(capacity_of(*model.encoder,
                            std::max(base::divide_up(settings.batch_tokens, threads_), longest_),
                            longest_, threads_)) {
  add_program();
}

void SentenceEncoder::add_program() {
  programs_.push_back(std::make_unique<EncoderProgram>(engine_, model_, settings_, capacity_));
}

/// Adds programs until there are as many; fewer if memory does not suffice.
std::size_t SentenceEncoder::programs_for(std::size_t count) {
  try {
    while (programs_.size() < count) add_program();
  } catch (const base::LimitError&) {
    threads_ = static_cast<unsigned>(programs_.size());
  }
  return std::min(count, programs_.size());
}

/// Divides lines into batches that fit, of about equal size, at least one for each thread.
std::vector<SentenceEncoder::Lines> SentenceEncoder::batches_of(Lines lines) const {
  std::size_t all_rows = 0;
  for (const auto& line : lines) all_rows += line.ids.size();
  const auto share = base::divide_up(all_rows, std::size_t{threads_});
  const auto most_rows = std::min<std::size_t>(share, capacity_.rows);
  std::vector<Lines> batches;
  std::size_t begin = 0, rows = 0, predictions = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto own_rows = lines[i].ids.size(), own_predictions = lines[i].predicted.size();
    const bool is_full =
        rows + own_rows > most_rows || predictions + own_predictions > capacity_.predictions;
    if (i > begin && is_full) {
      batches.push_back(lines.subspan(begin, i - begin));
      begin = i;
      rows = predictions = 0;
    }
    rows += own_rows;
    predictions += own_predictions;
    base::check(rows <= capacity_.rows && predictions <= capacity_.predictions,
                "a line fits in a batch");
  }
  if (begin < lines.size()) batches.push_back(lines.subspan(begin));
  return batches;
}

std::vector<EncodedLine> SentenceEncoder::encode(std::span<const data::EncoderLine> lines) {
  const auto batches = batches_of(lines);
  std::vector<std::vector<EncodedLine>> of_batches(batches.size());
  const auto workers = programs_for(std::min<std::size_t>(threads_, batches.size()));
  for (std::size_t worker = 0; worker < workers; ++worker)
    programs_[worker]->use_threads(workers > 1 ? nn::Threads::kOne : nn::Threads::kAll);
  std::atomic<std::size_t> next = 0;
  base::run_on_threads(static_cast<unsigned>(workers), [&](unsigned worker) {
    for (std::size_t i; (i = next++) < batches.size();)
      of_batches[i] = programs_[worker]->encode(batches[i]);
  });
  std::vector<EncodedLine> encoded;
  encoded.reserve(lines.size());
  for (auto& batch : of_batches) std::ranges::move(batch, std::back_inserter(encoded));
  return encoded;
}

}  // namespace awend::decode
