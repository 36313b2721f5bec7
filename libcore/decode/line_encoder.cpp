#include "decode/line_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/format.hpp"
#include "data/corpus.hpp"
#include "text/spaced_words.hpp"

namespace awend::decode {
namespace {

constexpr std::size_t kMaxLines = 4096;
constexpr int kDigits = 4;

}  // namespace

LineEncoder::LineEncoder(const Parts& parts, const Settings& settings)
    : parts_(parts),
      settings_(settings),
      special_(data::encoder_ids(parts.vocabulary)),
      inputs_(parts.vocabulary) {
  if (settings.output == EncoderOutput::kNpy) npy_.emplace(parts.out, parts.config.d_model);
  if (settings.attention_file.empty()) return;
  attention_.emplace(settings.attention_file);
  attention_->write(store::attention_header(
      {.encoder_layers = parts.config.encoder_layers, .heads = parts.config.transformer.heads}));
}

void LineEncoder::read(base::LineReader& in) {
  std::string_view line;
  try {
    for (;;) {
      const bool is_full = tokens_ >= settings_.batch_tokens || lines_.size() >= kMaxLines;
      if (!lines_.empty() && (is_full || in.waits())) flush();
      if (!in.next(line)) break;
      put(line, in);
    }
  } catch (const base::Error&) {
    flush();
    throw;
  }
  flush();
}

void LineEncoder::finish() {
  if (npy_) npy_->finish();
  if (attention_) attention_->commit();
}

bool LineEncoder::is_empty(const Line& line) {
  return std::ranges::all_of(line.segments, [](const auto& segment) { return segment.empty(); });
}

void LineEncoder::put(std::string_view text, const base::LineReader& in) {
  Line line;
  std::vector<std::uint32_t> ids;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\t', begin), text.size());
    const auto segment = text.substr(begin, end - begin);
    if (!line.segments.empty()) ids.insert(ids.end(), special_.separators, special_.separator);
    const auto own = inputs_.ids_of(segment, LineForm::kTokens);
    ids.insert(ids.end(), own.begin(), own.end());
    line.segments.push_back(text::spaced_words(segment));
    begin = end + 1;
  }
  const auto place = [&] { return base::concat(in.place(), ": "); };
  if (line.segments.size() > 2)
    base::fail(place(), "expected one or two segments, got ", line.segments.size());
  if (settings_.output == EncoderOutput::kSpans && line.segments.size() < 2 && !ids.empty())
    base::fail(place(), "expected a question and a passage with a tab between them");
  const auto max_tokens = parts_.encoder.longest() - data::kAroundSegment;
  if (ids.size() > max_tokens) {
    base::fail(place(), ids.size(), " tokens, but the model or this device encodes at most ",
               max_tokens);
  }
  auto encoder_line = this->encoder_line(ids);
  if (settings_.output == EncoderOutput::kFilled) {
    encoder_line.predicted.clear();
    for (std::uint32_t at = 0; at < encoder_line.ids.size(); ++at) {
      if (encoder_line.ids[at] == special_.mask) encoder_line.predicted.push_back(at);
    }
    if (!ids.empty() && encoder_line.predicted.empty() && unmasked_.count++ == 0)
      unmasked_.first = in.place();
  }
  tokens_ += encoder_line.ids.size();
  encoder_lines_.push_back(std::move(encoder_line));
  lines_.push_back(std::move(line));
}

data::EncoderLine LineEncoder::encoder_line(std::span<const std::uint32_t> ids) const {
  if (settings_.output == EncoderOutput::kSpans)
    return data::encoder_line(ids, special_, data::Labeled::kSpans);
  const bool by_token = parts_.config.bert.task == model::Task::kTag;
  return data::encoder_line(ids, special_,
                            by_token ? data::Labeled::kTokens : data::Labeled::kLines);
}

void LineEncoder::flush() {
  if (lines_.empty()) return;
  const auto encoded = parts_.encoder.encode(encoder_lines_);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (attention_ && !is_empty(lines_[i])) {
      attention_->write(store::to_json({.line = written_ + i,
                                        .source = tokens_of(lines_[i], encoder_lines_[i]),
                                        .target = {},
                                        .encoder = encoded[i].attention,
                                        .decoder = {},
                                        .cross = {}}));
    }
    switch (settings_.output) {
      case EncoderOutput::kFilled:
        parts_.out.write(filled(lines_[i], encoder_lines_[i], encoded[i].candidates) + '\n');
        break;
      case EncoderOutput::kLabels:
        parts_.out.write(labeled(encoded[i].candidates) + '\n');
        break;
      case EncoderOutput::kSpans:
        parts_.out.write(answered(lines_[i], encoder_lines_[i], encoded[i].span_ends) + '\n');
        break;
      case EncoderOutput::kJson:
        parts_.out.write('[' + base::join(encoded[i].vector, ",") + "]\n");
        break;
      case EncoderOutput::kNpy:
        npy_->write(encoded[i].vector);
        break;
    }
  }
  written_ += lines_.size();
  lines_.clear();
  encoder_lines_.clear();
  tokens_ = 0;
  if (!npy_) parts_.out.flush();
  if (settings_.after_lines) settings_.after_lines(written_);
}

std::vector<std::string> LineEncoder::tokens_of(const Line& line,
                                                const data::EncoderLine& ids) const {
  std::vector<std::string> tokens;
  for (const auto id : ids.ids) tokens.emplace_back(parts_.vocabulary.piece(id));
  // Words that the vocabulary lacks keep their text.
  auto place = tokens.begin();
  for (const auto& segment : line.segments) {
    place += &segment == &line.segments.front() ? 1 : special_.separators;  // [CLS], or [SEP]
    place = std::ranges::copy(segment, place).out;
  }
  return tokens;
}

std::string_view LineEncoder::name_of(std::uint32_t id) const {
  const auto& labels = parts_.config.bert.labels;
  return labels.empty() ? parts_.vocabulary.piece(id) : std::string_view(labels[id]);
}

std::string LineEncoder::ranked(std::span<const Candidate> candidates) const {
  std::string text;
  for (const auto& [id, log_probability] : candidates) {
    if (id == batch::kNoToken) break;
    text += base::concat(text.empty() ? "" : " ", name_of(id), ' ',
                         base::fixed(std::exp(log_probability), kDigits));
  }
  return text;
}

std::string LineEncoder::filled(const Line& line, const data::EncoderLine& ids,
                                std::span<const Candidate> candidates) const {
  const std::size_t k = ids.predicted.empty() ? 0 : candidates.size() / ids.predicted.size();
  std::string text, columns;
  std::uint32_t place = 0;
  std::size_t mask = 0;
  for (const auto& segment : line.segments) {
    const bool is_first = &segment == &line.segments.front();
    if (!is_first) text += '\t';
    place += is_first ? 1 : special_.separators;  // [CLS], or [SEP]
    for (const auto& word : segment) {
      const bool is_masked = mask < ids.predicted.size() && ids.predicted[mask] == place;
      if (&word != &segment.front()) text += ' ';
      text += is_masked ? name_of(candidates[mask * k].id) : std::string_view(word);
      if (is_masked) columns += '\t' + ranked(candidates.subspan(mask++ * k, k));
      ++place;
    }
  }
  return settings_.n_best == 0 ? text : text + columns;
}

/// The words of the best answer; or for each answer its words, a tab, and the numbers of its first
/// and last words with its probability.
std::string LineEncoder::answered(const Line& line, const data::EncoderLine& ids,
                                  std::span<const float> span_ends) const {
  auto settings = settings_.answers;
  settings.count = std::max(settings_.n_best, 1u);
  const auto begin = ids.passage().begin;
  std::string text;
  bool is_first = true;
  for (const auto& answer : best_answers(ids, span_ends, settings)) {
    if (!std::exchange(is_first, false)) text += '\t';
    std::uint32_t first = data::kNoAnswer, last = data::kNoAnswer;
    if (answer.exists()) {
      first = answer.places.begin - begin + 1;
      last = answer.places.end - begin;
      const auto words = std::span(line.segments.back()).subspan(first - 1, last - first + 1);
      for (const auto& word : words) text += base::concat(&word == &words.front() ? "" : " ", word);
    }
    if (settings_.n_best > 0)
      text += base::concat('\t', first, ' ', last, ' ', base::fixed(answer.probability, kDigits));
  }
  return text;
}

std::string LineEncoder::labeled(std::span<const Candidate> candidates) const {
  const std::size_t k = std::max(settings_.n_best, 1u);
  const auto classes = parts_.config.bert.labels.size();
  const std::size_t step = std::min(k, classes);
  std::string text;
  for (std::size_t at = 0; at < candidates.size(); at += step) {
    const bool is_first = at == 0;
    if (settings_.n_best == 0) {
      text += base::concat(is_first ? "" : " ", name_of(candidates[at].id));
    } else {
      text += (is_first ? "" : "\t") + ranked(candidates.subspan(at, step));
    }
  }
  return text;
}

}  // namespace awend::decode
