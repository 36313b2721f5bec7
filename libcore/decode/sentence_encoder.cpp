#include "decode/sentence_encoder.hpp"

#include <algorithm>
#include <atomic>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/parallel.hpp"
#include "base/signals.hpp"

namespace awend::decode {
namespace {

// The logits of the batches of all programs take at most about this, but in each as much as the
// longest line needs, if one allocation holds it and one binding covers it.
constexpr std::uint64_t kLogitBytes = std::uint64_t{64} << 20;

/// Attention is kept for few sentences at a time: its weights grow with the square of the rows.
std::uint32_t rows_of(const EncoderSettings& settings, std::uint32_t longest, unsigned programs) {
  if (settings.attention == EncoderSettings::Attention::kRecorded) return longest;
  return std::max(base::divide_up(settings.batch_tokens, programs), longest);
}

EncoderCapacity capacity_of(const vulkan::Limits& limits, const model::Encoder& model,
                            std::uint32_t rows, std::uint32_t longest, unsigned programs) {
  const std::uint64_t row_bytes = sizeof(float) * (std::uint64_t{model.classes()} + 3);  // padded
  const std::uint64_t fit = kLogitBytes / programs / row_bytes;
  const std::uint64_t most = limits.tensor_bytes() / row_bytes;
  const auto predictions = std::min({std::max<std::uint64_t>(fit, longest), std::uint64_t{rows},
                                     std::max(most, std::uint64_t{1})});
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
      capacity_(capacity_of(engine.limits(), *model.encoder, rows_of(settings, longest_, threads_),
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

/// Encodes lines with more predictions than fit several times, each time for some of them.
std::vector<EncodedLine> SentenceEncoder::encode_divided(Lines lines) {
  std::vector<data::EncoderLine> parts;
  std::vector<std::size_t> lines_of_parts;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::span<const std::uint32_t> left = lines[i].predicted;
    do {
      const auto now = left.first(std::min<std::size_t>(left.size(), capacity_.predictions));
      parts.push_back({.ids = lines[i].ids,
                       .second_segment = lines[i].second_segment,
                       .predicted = {now.begin(), now.end()}});
      lines_of_parts.push_back(i);
      left = left.subspan(now.size());
    } while (!left.empty());
  }
  auto of_parts = encode(parts);
  std::vector<EncodedLine> encoded;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (encoded.size() == lines_of_parts[part]) {
      encoded.push_back(std::move(of_parts[part]));
    } else {
      std::ranges::copy(of_parts[part].candidates, std::back_inserter(encoded.back().candidates));
    }
  }
  return encoded;
}

std::vector<EncodedLine> SentenceEncoder::encode(std::span<const data::EncoderLine> lines) {
  const auto exceeds = [&](const auto& line) {
    return line.predicted.size() > capacity_.predictions;
  };
  if (std::ranges::any_of(lines, exceeds)) return encode_divided(lines);
  const auto batches = batches_of(lines);
  std::vector<std::vector<EncodedLine>> of_batches(batches.size());
  const auto workers = programs_for(std::min<std::size_t>(threads_, batches.size()));
  for (std::size_t worker = 0; worker < workers; ++worker)
    programs_[worker]->use_threads(workers > 1 ? nn::Threads::kOne : nn::Threads::kAll);
  std::atomic<std::size_t> next = 0;
  base::run_on_threads(static_cast<unsigned>(workers), [&](unsigned worker) {
    for (std::size_t i; (i = next++) < batches.size();) {
      base::stop_if_requested();
      of_batches[i] = programs_[worker]->encode(batches[i]);
    }
  });
  std::vector<EncodedLine> encoded;
  encoded.reserve(lines.size());
  for (auto& batch : of_batches) std::ranges::move(batch, std::back_inserter(encoded));
  return encoded;
}

}  // namespace awend::decode
