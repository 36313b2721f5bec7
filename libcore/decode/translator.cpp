#include "decode/translator.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "model/checkpoint.hpp"

namespace awend::decode {
namespace {

constexpr std::uint32_t kNoToken = 0xffffffff;
constexpr std::uint32_t kMostRows = 256;  // hypotheses in a step: beyond that a CPU gains nothing

StepperCapacity capacity_for(const nn::Engine& engine, const model::Config& config,
                             const TranslatorSettings& settings) {
  const SearchSettings& search = settings.search;
  if (search.n_best > search.beam_size) {
    throw base::UsageError(
        base::concat("--n-best ", search.n_best, " is more than --beam-size ", search.beam_size));
  }
  // Logits of a step must fit one binding.
  const std::uint64_t logit_rows =
      engine.device.limits().storage_range_bytes / (std::uint64_t{config.vocabulary + 4} * 4);
  const auto rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      std::max(kMostRows, search.beam_size), std::max<std::uint64_t>(logit_rows, 1)));
  if (rows < search.beam_size)
    base::fail("a beam of ", search.beam_size, " is too large for this device");
  return {.source_rows = settings.batch_tokens,
          .rows = rows,
          .cache_rows = std::max(search.beam_size, 4u) * settings.batch_tokens,
          .candidates = search.candidates()};
}

/// One sentence's search, and where the past of each of its hypotheses lies in the cache.
struct Search {
  Beam beam;
  std::vector<std::vector<std::uint32_t>> ancestors = {{}};  // of each living hypothesis
};

}  // namespace

Translator::Translator(nn::Engine& engine, const store::ArrayFile& checkpoint,
                       const TranslatorSettings& settings)
    : Translator(engine, std::make_unique<LoadedModel>(engine, checkpoint, settings.precision),
                 settings) {}

Translator::Translator(nn::Engine& engine, std::unique_ptr<LoadedModel> model,
                       const TranslatorSettings& settings)
    : Translator(engine, model->parameters(), model->transformer(), settings) {
  model_ = std::move(model);
}

Translator::Translator(nn::Engine& engine, nn::Parameters& parameters,
                       const model::Transformer& transformer, const TranslatorSettings& settings)
    : settings_(settings),
      stepper_(engine, parameters, transformer,
               capacity_for(engine, transformer.config(), settings)) {
  const model::Config& config = stepper_.config();
  const nn::AttentionShape shape{config.heads, config.d_k, config.d_v, 0};
  most_steps_ = std::min(stepper_.capacity().cache_rows / settings.search.beam_size,
                         nn::most_keys(engine, shape));
  if (config.positions == model::Positions::kLearned) {
    most_steps_ = std::min(most_steps_, config.longest);
  }
  const std::uint32_t longest = std::min(settings.batch_tokens, most_steps_);
  if (longest < 2) {
    throw base::UsageError("--batch-tokens is too small for one token and its end of sentence");
  }
  // Room for the extra length the output may have, where that leaves anything.
  const std::uint32_t extra = std::min(settings.search.max_length_extra, longest / 2);
  longest_piece_ = std::max(longest - extra, 2u) - 1;
}

std::vector<Translator::Piece> Translator::cut(
    std::span<const std::vector<std::uint32_t>> sentences) const {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const auto& ids = sentences[i];
    const std::size_t count = (ids.size() + longest_piece_ - 1) / longest_piece_;
    for (std::size_t part = 0; part < count; ++part) {
      // Pieces of equal length, so that the last is no stub.
      Piece piece{i,
                  {ids.begin() + static_cast<std::ptrdiff_t>(ids.size() * part / count),
                   ids.begin() + static_cast<std::ptrdiff_t>(ids.size() * (part + 1) / count)}};
      piece.ids.push_back(settings_.end_of_sentence);
      pieces.push_back(std::move(piece));
    }
  }
  return pieces;
}

std::uint32_t Translator::longest_output(const Piece& piece) const {
  const auto source_tokens = static_cast<std::uint32_t>(piece.ids.size() - 1);
  return std::min(settings_.search.longest(source_tokens), most_steps_);
}

std::vector<std::vector<Hypothesis>> Translator::translate(
    std::span<const std::vector<std::uint32_t>> sentences) {
  std::vector<Piece> pieces = cut(sentences);
  std::vector<std::size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Long ones first: batches of sentences of one length end together.
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return pieces[a].ids.size() > pieces[b].ids.size(); });

  const auto& capacity = stepper_.capacity();
  std::vector<std::vector<Hypothesis>> of_piece(pieces.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::vector<Piece> batch;
    std::vector<std::size_t> places;
    std::uint64_t source_rows = 0;
    std::uint64_t steps = 0;
    for (; begin < order.size(); ++begin) {
      const Piece& piece = pieces[order[begin]];
      const std::uint64_t rows = std::uint64_t{settings_.search.beam_size} * (batch.size() + 1);
      steps = std::max<std::uint64_t>(steps, longest_output(piece));
      source_rows += piece.ids.size();
      const bool fits = source_rows <= capacity.source_rows && rows <= capacity.rows &&
                        rows * steps <= capacity.cache_rows;
      if (!fits && !batch.empty()) break;
      batch.push_back(piece);
      places.push_back(order[begin]);
    }
    auto results = translate_batch(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) of_piece[places[i]] = std::move(results[i]);
  }

  std::vector<std::vector<Hypothesis>> answers(sentences.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    auto& answer = answers[pieces[i].sentence];
    if (answer.empty()) {
      answer = std::move(of_piece[i]);
      continue;
    }
    // A later piece of a long sentence: its best goes behind each of what there is.
    const Hypothesis& next = of_piece[i].front();
    for (Hypothesis& hypothesis : answer) {
      hypothesis.ids.insert(hypothesis.ids.end(), next.ids.begin(), next.ids.end());
      hypothesis.log_probability += next.log_probability;
      hypothesis.score += next.score;
    }
  }
  for (auto& answer : answers) {
    if (answer.empty()) answer.emplace_back();
  }
  return answers;
}

std::vector<std::vector<Hypothesis>> Translator::translate_batch(std::span<const Piece> batch) {
  std::vector<std::vector<std::uint32_t>> sources;
  std::vector<Search> searches;
  for (const Piece& piece : batch) {
    sources.push_back(piece.ids);
    searches.push_back({Beam(settings_.search, longest_output(piece), settings_.end_of_sentence)});
  }
  stepper_.start(sources);
  const std::uint32_t per_row = settings_.search.candidates();
  for (;;) {
    std::vector<StepRow> rows;
    for (std::uint32_t sentence = 0; sentence < searches.size(); ++sentence) {
      const auto& [beam, ancestors] = searches[sentence];
      for (std::size_t i = 0; i < beam.living().size(); ++i) {
        const auto& ids = beam.living()[i].hypothesis.ids;
        rows.push_back({ids.empty() ? kNoToken : ids.back(), sentence, ancestors[i]});
      }
    }
    if (rows.empty()) break;
    auto candidates = stepper_.step(rows);
    std::uint32_t cache_row = stepper_.cache_first();
    for (auto& [beam, ancestors] : searches) {
      if (beam.done()) continue;
      const std::size_t living = beam.living().size();
      for (auto& past : ancestors) past.push_back(cache_row++);
      beam.advance(candidates.first(living * per_row));
      candidates = candidates.subspan(living * per_row);
      std::vector<std::vector<std::uint32_t>> next;
      for (const auto& living_now : beam.living()) next.push_back(ancestors[living_now.parent]);
      ancestors = std::move(next);
    }
  }
  std::vector<std::vector<Hypothesis>> results;
  for (const auto& search : searches) results.push_back(search.beam.results());
  return results;
}

}  // namespace awend::decode
