#include "text/sentencepiece/model.hpp"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/files.hpp"
#include "text/sentencepiece/check.hpp"
#include "text/sentencepiece/line_text.hpp"
#include "text/sentencepiece/printed_pieces.hpp"

namespace awend::text {
namespace {

using sentencepiece::util::Status;

void check(const Status& status, std::string_view name) {
  if (status.ok()) return;
  std::string what = status.message();
  std::ranges::replace(what, '\n', ' ');
  base::fail(name, ": ", what);
}

std::vector<std::uint32_t> unsigned_ids(const std::vector<int>& ids) {
  return {ids.begin(), ids.end()};
}

std::optional<std::uint32_t> defined(int id) {
  if (id < 0) return std::nullopt;
  return static_cast<std::uint32_t>(id);
}

// The index of the sampled candidate, by log probabilities.
std::size_t draw(const std::vector<double>& scores, double alpha, base::Random& random) {
  const double best = *std::ranges::max_element(scores);
  std::vector<double> weights;
  double sum = 0;
  for (const double score : scores) {
    weights.push_back(std::exp(alpha * (score - best)));
    sum += weights.back();
  }
  double left = random.uniform() * sum;
  for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
    if (left < weights[i]) return i;
    left -= weights[i];
  }
  return weights.size() - 1;
}

void apply(const PieceRules& rules, const std::string& name,
           sentencepiece::SentencePieceProcessor& processor) {
  std::string extra;
  for (const std::string& option : rules.extra) extra += (extra.empty() ? "" : ":") + option;
  check(processor.SetEncodeExtraOptions(extra), name);
  // Only the order must be reverted: ends of sentences decode to nothing.
  const bool reverse = std::ranges::count(rules.extra, "reverse") % 2 == 1;
  check(processor.SetDecodeExtraOptions(reverse ? "reverse" : ""), name);
  if (!rules.vocabulary) return;
  const std::vector<absl::string_view> pieces(rules.vocabulary->begin(), rules.vocabulary->end());
  check(processor.SetVocabulary(pieces), name);
}

}  // namespace

struct SentencePieceModel::State {
  std::string name;
  sentencepiece::SentencePieceProcessor processor;
  bool can_sample = false;
  PrintedPieces printed;
};

SentencePieceModel::SentencePieceModel(std::string_view bytes, const std::string& name,
                                       const PieceRules& rules)
    : state_(std::make_unique<State>()) {
  state_->name = name;
  const std::string model = checked_sentencepiece(bytes, name);
  try {
    check(state_->processor.LoadFromSerializedProto(model), name);
    check(state_->processor.status(), name);
    // Models other than unigram models fail here.
    std::vector<std::vector<int>> ids;
    state_->can_sample = state_->processor.NBestEncode("a", 1, &ids).ok();
    apply(rules, name, state_->processor);
    std::vector<std::string_view> pieces;
    for (std::uint32_t id = 0; id < size(); ++id)
      pieces.push_back(state_->processor.IdToPiece(static_cast<int>(id)));
    state_->printed = PrintedPieces(pieces);
  } catch (const base::Error&) {
    throw;
  } catch (const std::exception& error) {
    // The double arrays of the library throw if they cannot be built.
    base::fail(name, ": the model is damaged: ", error.what());
  }
}

SentencePieceModel SentencePieceModel::read(const std::string& path) {
  return SentencePieceModel(base::read_file(path, base::kMaxModelBytes), base::input_name(path));
}

SentencePieceModel::~SentencePieceModel() = default;
SentencePieceModel::SentencePieceModel(SentencePieceModel&&) noexcept = default;
SentencePieceModel& SentencePieceModel::operator=(SentencePieceModel&&) noexcept = default;

bool SentencePieceModel::looks_like_model(std::string_view first_bytes) {
  return begins_like_sentencepiece(first_bytes);
}

std::uint32_t SentencePieceModel::size() const {
  return static_cast<std::uint32_t>(state_->processor.GetPieceSize());
}

std::string SentencePieceModel::piece(std::uint32_t id) const {
  base::check(id < size(), "an id is below the model's size");
  return state_->printed.printed(state_->processor.IdToPiece(static_cast<int>(id)));
}

std::optional<std::uint32_t> SentencePieceModel::find(std::string_view token) const {
  const std::string_view piece = state_->printed.piece(token);
  // The library returns the unknown piece for other text.
  const int id = state_->processor.PieceToId(piece);
  if (id < 0 || state_->processor.IdToPiece(id) != piece) return std::nullopt;
  return static_cast<std::uint32_t>(id);
}

std::uint32_t SentencePieceModel::unknown() const {
  return static_cast<std::uint32_t>(state_->processor.unk_id());
}
std::optional<std::uint32_t> SentencePieceModel::end_of_sentence() const {
  return defined(state_->processor.eos_id());
}

std::vector<std::uint32_t> SentencePieceModel::encode(std::string_view line) const {
  check_length(line);
  std::vector<int> ids;
  check(state_->processor.Encode(line, &ids), state_->name);
  return unsigned_ids(ids);
}

std::vector<std::string> SentencePieceModel::encode_pieces(std::string_view line) const {
  check_length(line);
  std::vector<std::string> pieces;
  check(state_->processor.Encode(line, &pieces), state_->name);
  for (std::string& piece : pieces) piece = state_->printed.printed(piece);
  return pieces;
}

bool SentencePieceModel::can_sample() const {
  return state_->can_sample;
}

std::vector<std::uint32_t> SentencePieceModel::sample(std::string_view line,
                                                      const PieceSampling& sampling,
                                                      base::Random& random) const {
  base::check(can_sample(), "only a unigram model is sampled from");
  base::check(sampling.candidates >= 1 && sampling.candidates <= 512, "1 to 512 candidates");
  check_length(line);
  if (line.empty()) return {};
  const auto best = state_->processor.NBestEncodeAsImmutableProto(line, sampling.candidates);
  if (best.nbests_size() == 0) return encode(line);
  std::vector<double> scores;
  for (const auto& candidate : best.nbests()) scores.push_back(candidate.score());
  const auto drawn = best.nbests(static_cast<int>(draw(scores, sampling.alpha, random)));
  std::vector<std::uint32_t> ids;
  for (const auto& piece : drawn.pieces()) ids.push_back(piece.id());
  return ids;
}

std::vector<PieceCandidate> SentencePieceModel::best(std::string_view line, int count) const {
  base::check(can_sample(), "only a unigram model has candidates");
  base::check(count >= 1 && count <= 512, "1 to 512 candidates");
  check_length(line);
  std::vector<PieceCandidate> candidates;
  const auto found = state_->processor.NBestEncodeAsImmutableProto(line, count);
  for (const auto& segmentation : found.nbests()) {
    PieceCandidate& candidate = candidates.emplace_back();
    candidate.score = segmentation.score();
    for (const auto& piece : segmentation.pieces()) {
      candidate.ids.push_back(piece.id());
      candidate.pieces.push_back(state_->printed.printed(piece.piece()));
    }
  }
  return candidates;
}

std::string SentencePieceModel::decode(std::span<const std::uint32_t> ids) const {
  for (const std::uint32_t id : ids) {
    if (id >= size())
      base::fail(state_->name, ": id ", id, " is out of range (vocabulary size ", size(), ")");
  }
  std::string line;
  check(state_->processor.Decode(std::vector<int>(ids.begin(), ids.end()), &line), state_->name);
  return without_breaks(line);
}

std::string SentencePieceModel::decode_pieces(std::span<const std::string> tokens) const {
  std::vector<std::string> pieces;
  for (const std::string& token : tokens) pieces.emplace_back(state_->printed.piece(token));
  std::string line;
  check(state_->processor.Decode(pieces, &line), state_->name);
  return without_breaks(line);
}

}  // namespace awend::text
