#include "decode/translator.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "decode/capacity.hpp"

namespace awend::decode {
namespace {

// Answers that wait for an earlier one: enough for the longest search not to hold up the others,
// little enough to keep.
constexpr std::size_t kMostOpen = 20'000;

StepperCapacity stepper_capacity(const nn::Engine& engine, const Ensemble& ensemble,
                                 const TranslatorSettings& settings) {
  if (settings.search.n_best > settings.search.beam_size) {
    throw base::UsageError(base::Message(kNBest, " ", settings.search.n_best, " is more than ",
                                         nn::kBeamSize, " ", settings.search.beam_size));
  }
  return capacity_for(
      engine, ensemble, settings.search,
      {.batch_tokens = settings.batch_tokens, .longest_piece = settings.longest_piece});
}

std::uint32_t piece_of(const StepperCapacity& capacity, const Ensemble& ensemble,
                       const TranslatorSettings& settings) {
  std::uint32_t piece = settings.longest_piece;
  for (const auto& member : ensemble.members) {
    piece = std::min(piece, longest_piece(capacity, member.transformer->config(), settings.search,
                                          settings.longest_piece));
  }
  return piece;
}

std::vector<std::unique_ptr<LoadedModel>> one_model(nn::Engine& engine,
                                                    const store::ArrayFile& checkpoint,
                                                    const TranslatorSettings& settings) {
  std::vector<std::unique_ptr<LoadedModel>> models;
  models.push_back(std::make_unique<LoadedModel>(engine, checkpoint, settings.precision));
  return models;
}

/// Puts the translation of a later piece behind that of the earlier ones.
void append(Hypothesis& hypothesis, const Hypothesis& next) {
  hypothesis.ids.insert(hypothesis.ids.end(), next.ids.begin(), next.ids.end());
  hypothesis.of_tokens.insert(hypothesis.of_tokens.end(), next.of_tokens.begin(),
                              next.of_tokens.end());
  hypothesis.log_probability += next.log_probability;
  hypothesis.score += next.score;
}

}  // namespace

Translator::Translator(nn::Engine& engine, const store::ArrayFile& checkpoint,
                       const TranslatorSettings& settings)
    : Translator(engine, one_model(engine, checkpoint, settings), settings) {}

Translator::Translator(nn::Engine& engine, std::vector<std::unique_ptr<LoadedModel>> models,
                       const TranslatorSettings& settings)
    : Translator(engine, together(models, settings.ensemble), settings) {
  models_ = std::move(models);
}

Translator::Translator(nn::Engine& engine, nn::Parameters& parameters,
                       const model::Transformer& transformer, const TranslatorSettings& settings)
    : Translator(engine, alone(parameters, transformer), settings) {}

Translator::Translator(nn::Engine& engine, const Ensemble& ensemble,
                       const TranslatorSettings& settings)
    : settings_(settings),
      shortlist_(settings.shortlist, settings.special),
      stepper_(engine, ensemble, stepper_capacity(engine, ensemble, settings),
               {.sampling = settings.search.sampling, .shortlist = shortlist_}),
      batch_(stepper_,
             {.rows = stepper_.capacity().rows,
              .source_rows = stepper_.capacity().source_rows,
              .cache_rows = stepper_.capacity().cache_rows},
             settings.search, settings.special),
      longest_piece_(piece_of(stepper_.capacity(), ensemble, settings)) {}

void Translator::put(std::span<const std::uint32_t> sentence,
                     std::span<const std::uint32_t> prefix) {
  if (!std::ranges::all_of(prefix, [&](std::uint32_t id) { return shortlist_.has(id); }))
    base::fail("the prefix has a token that is not in the shortlist");
  const std::size_t count = (sentence.size() + longest_piece_ - 1) / longest_piece_;
  open_.push_back({next_piece_, std::vector<Answer>(count), count});
  for (std::size_t part = 0; part < count; ++part) {
    // Pieces of equal length, so that the last is no stub.
    const std::size_t begin = sentence.size() * part / count;
    const auto piece = sentence.subspan(begin, sentence.size() * (part + 1) / count - begin);
    std::vector<std::uint32_t> ids(piece.begin(), piece.end());
    ids.push_back(settings_.special.end_of_sentence);
    Batch::Job job{.ticket = next_piece_++,
                   .ids = std::move(ids),
                   .longest = longest_output(piece.size()),
                   .line = next_sentence_,
                   .piece = static_cast<std::uint32_t>(part)};
    // The prefix is that of the first piece; what is beyond the longest output is not said.
    if (part == 0) job.prefix.assign(prefix.begin(), prefix.end());
    batch_.add(std::move(job));
  }
  ++next_sentence_;
}

std::uint32_t Translator::longest_output(std::size_t tokens) const {
  return std::min(settings_.search.longest(static_cast<std::uint32_t>(tokens)),
                  stepper_.capacity().longest);
}

bool Translator::wants_more() const {
  return batch_.waiting() < 2 * batch_.places() && open_.size() < kMostOpen;
}

void Translator::step() {
  if (open_.front().missing == 0) return;
  for (Batch::Answer& answer : batch_.step()) {
    const auto after = std::upper_bound(
        open_.begin(), open_.end(), answer.ticket,
        [](std::uint64_t piece, const Open& open) { return piece < open.first_piece; });
    // An empty sentence has no piece, and the number of the next one's first.
    Open& open = *std::prev(after);
    open.pieces[answer.ticket - open.first_piece] = std::move(answer.hypotheses);
    --open.missing;
  }
}

std::optional<Translator::Answer> Translator::take() {
  if (open_.empty() || open_.front().missing > 0) return std::nullopt;
  std::vector<Answer> pieces = std::move(open_.front().pieces);
  open_.pop_front();
  if (pieces.empty()) return Answer(1);
  Answer answer = std::move(pieces.front());
  for (std::size_t piece = 1; piece < pieces.size(); ++piece) {
    // The best of a later piece goes behind each of what there is, but a sample behind its own.
    for (std::size_t i = 0; i < answer.size(); ++i)
      append(answer[i], pieces[piece][settings_.search.sampling ? i : 0]);
  }
  return answer;
}

std::vector<Translator::Answer> Translator::translate(
    std::span<const std::vector<std::uint32_t>> sentences) {
  base::check(!works(), "translations of several callers do not mix");
  for (const auto& sentence : sentences) put(sentence);
  std::vector<Answer> answers;
  while (works()) {
    step();
    while (auto answer = take()) answers.push_back(std::move(*answer));
  }
  return answers;
}

}  // namespace awend::decode
