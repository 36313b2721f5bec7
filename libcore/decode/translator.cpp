#include "decode/translator.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/signals.hpp"
#include "decode/capacity.hpp"
#include "decode/sentence_shortlist.hpp"

namespace awend::decode {
namespace {

// Answers that wait for an earlier one: enough that the longest search does not block others,
// within reasonable memory.
constexpr std::size_t kMaxOpen = 20'000;

/// With the length of all outputs, which only models fix.
TranslatorSettings with_output_length(TranslatorSettings settings, const Ensemble& ensemble) {
  const auto length = ensemble.members.front().seq2seq->output_length();
  auto& search = settings.search;
  search.output_length = length;
  if (!length) return settings;
  // A sample must not be the end.
  if (search.sampling)
    search.rules.min_length_extra = std::max(search.rules.min_length_extra, *length);
  return settings;
}

/// The search, with lengths that include the tokens of languages.
SearchSettings with_languages(const TranslatorSettings& settings) {
  auto search = settings.search;
  search.max_length_extra += settings.language_tokens;
  return search;
}

SearchCapacity search_capacity(const nn::Engine& engine, const Ensemble& ensemble,
                               const TranslatorSettings& settings) {
  if (settings.search.n_best > settings.search.beam_size) {
    throw base::UsageError(base::Message(kNBest, " ", settings.search.n_best, " is more than ",
                                         nn::kBeamSize, " ", settings.search.beam_size));
  }
  return capacity_for(engine, ensemble, with_languages(settings),
                      {.batch_tokens = settings.batch_tokens,
                       .longest_piece = settings.longest_piece + settings.language_tokens});
}

std::uint32_t piece_of(const nn::Engine& engine, const SearchCapacity& capacity,
                       const Ensemble& ensemble, const TranslatorSettings& settings) {
  const auto search = with_languages(settings);
  std::uint32_t piece = settings.longest_piece + settings.language_tokens;
  for (const auto& member : ensemble.members) {
    piece = std::min(piece, longest_piece(capacity, member.footprint(engine), search, piece));
  }
  return std::max(piece, settings.language_tokens + 1) - settings.language_tokens;
}

std::set<std::uint32_t> masked_ids_of(const Ensemble& ensemble) {
  std::set<std::uint32_t> ids;
  for (const auto& member : ensemble.members) {
    const auto& masked = member.seq2seq->config().transformer.masked_ids;
    ids.insert(masked.begin(), masked.end());
  }
  return ids;
}

/// Appends the translation of the next piece.
void append(Hypothesis& hypothesis, const Hypothesis& next) {
  hypothesis.ids.insert(hypothesis.ids.end(), next.ids.begin(), next.ids.end());
  hypothesis.of_tokens.insert(hypothesis.of_tokens.end(), next.of_tokens.begin(),
                              next.of_tokens.end());
  hypothesis.log_probability += next.log_probability;
  hypothesis.score += next.score;
}

}  // namespace

Translator::Translator(nn::Engine& engine, const Ensemble& ensemble,
                       const TranslatorSettings& settings)
    : settings_(with_output_length(settings, ensemble)),
      shortlist_(settings.shortlist, settings.special),
      capacity_(search_capacity(engine, ensemble, settings_)),
      decoders_(engine, ensemble, capacity_,
                {.search = settings_.search,
                 .special = settings_.special,
                 .shortlist = shortlist_,
                 .has_sentence_lists = settings_.sentence_shortlist != nullptr}),
      longest_piece_(piece_of(engine, capacity_, ensemble, settings_)),
      masked_ids_(masked_ids_of(ensemble)) {}

void Translator::put(std::span<const std::uint32_t> sentence, std::span<const std::uint32_t> prefix,
                     const SentenceLanguages& languages) {
  base::check(settings_.language_tokens == 1 || (!languages.source && !languages.target),
              "sentences may have languages");
  if (!std::ranges::all_of(prefix, [&](std::uint32_t id) { return shortlist_.has(id); }))
    base::fail("the prefix has a token that is not in the shortlist");
  if (std::ranges::any_of(prefix, [&](std::uint32_t id) { return masked_ids_.contains(id); }))
    base::fail("the prefix has a token that the model masks");
  const std::size_t count = base::divide_up(sentence.size(), longest_piece_);
  open_.push_back({next_piece_, std::vector<Answer>(count), count});
  for (std::size_t part = 0; part < count; ++part) {
    // Pieces of equal length, so that the last one is not very short.
    const std::size_t begin = sentence.size() * part / count;
    const auto piece = sentence.subspan(begin, sentence.size() * (part + 1) / count - begin);
    std::vector<std::uint32_t> ids;
    if (languages.source) ids.push_back(*languages.source);
    ids.insert(ids.end(), piece.begin(), piece.end());
    ids.push_back(settings_.special.end_of_sentence);
    Scheduler::Job job{.ticket = next_piece_++,
                       .ids = std::move(ids),
                       .longest = longest_output(piece.size()),
                       .line = next_sentence_,
                       .piece = static_cast<std::uint32_t>(part)};
    // The prefix belongs to the first piece.  The part beyond the longest output is ignored.
    if (part == 0) job.prefix.assign(prefix.begin(), prefix.end());
    if (languages.target) job.start = {*languages.target};
    job.source_start = languages.source ? 1 : 0;
    if (settings_.sentence_shortlist != nullptr) {
      auto allowed = settings_.sentence_shortlist->allowed(job.ids);
      allowed.insert(allowed.end(), job.prefix.begin(), job.prefix.end());
      job.allowed.emplace(std::move(allowed), settings_.special);
    }
    decoders_.add(std::move(job));
  }
  ++next_sentence_;
}

std::uint32_t Translator::longest_output(std::size_t tokens) const {
  const auto most = std::max(capacity_.longest, settings_.language_tokens + 1);
  return std::min(settings_.search.longest(static_cast<std::uint32_t>(tokens)),
                  most - settings_.language_tokens);
}

bool Translator::accepts_input() const {
  return decoders_.waiting() < 2 * decoders_.places() && open_.size() < kMaxOpen;
}

void Translator::step() {
  if (open_.front().missing == 0) return;
  for (Scheduler::Answer& answer : decoders_.step()) {
    const auto after = std::upper_bound(
        open_.begin(), open_.end(), answer.ticket,
        [](std::uint64_t piece, const Open& open) { return piece < open.first_piece; });
    // An empty sentence has no piece, and the same number as the first piece of the next sentence.
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
    // Each hypothesis is continued by the best one of the next piece, a sample by the sample of the
    // same number.
    for (std::size_t i = 0; i < answer.size(); ++i)
      append(answer[i], pieces[piece][settings_.search.sampling ? i : 0]);
  }
  return answer;
}

std::vector<Translator::Answer> Translator::translate(
    std::span<const std::vector<std::uint32_t>> sentences,
    std::span<const SentenceLanguages> languages) {
  base::check(!has_work(), "no other sentences are in progress");
  base::check(languages.empty() || languages.size() == sentences.size(),
              "each sentence has its languages");
  for (std::size_t i = 0; i < sentences.size(); ++i)
    put(sentences[i], {}, languages.empty() ? SentenceLanguages{} : languages[i]);
  std::vector<Answer> answers;
  while (has_work()) {
    if (base::stop_signal() != 0) {
      decoders_.stop();  // before the caller changes parameters
      throw base::Interrupted();
    }
    step();
    while (auto answer = take()) answers.push_back(std::move(*answer));
  }
  return answers;
}

}  // namespace awend::decode
