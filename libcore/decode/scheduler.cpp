#include "decode/scheduler.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "batch/packed_batch.hpp"
#include "decode/samples.hpp"

namespace awend::decode {
namespace {

// Sentences enter in groups, because the encoder is most efficient with dozens of tokens.
constexpr std::uint32_t kPlacesOfGroup = 16;  // places for each sentence of a group

std::unique_ptr<Search> new_search(const SearchSettings& settings, std::uint32_t longest,
                                   const SpecialIds& special) {
  if (settings.sampling)
    return std::make_unique<Samples>(settings, longest, special.end_of_sentence);
  return std::make_unique<Beam>(settings, longest, special);
}

std::vector<std::uint32_t> parents_of(const Search& search) {
  std::vector<std::uint32_t> parents;
  for (const auto& living : search.live()) parents.push_back(living.parent);
  return parents;
}

}  // namespace

Scheduler::Scheduler(StepModel& model, const SchedulerCapacity& capacity,
                     const SearchSettings& settings, const SpecialIds& special)
    : model_(model),
      capacity_(capacity),
      settings_(settings),
      special_(special),
      rules_(settings.rules, special),
      pages_(capacity.cache_rows / PagePool::kRows),
      source_rows_(capacity.source_rows) {}

std::uint32_t Scheduler::pages_of(const Job& job) const {
  const std::uint64_t tokens = std::uint64_t{job.longest} + job.start.size();
  return PagePool::pages_for(settings_.beam_size * tokens);
}

void Scheduler::require_room(const Job& job) const {
  base::check(job.ids.size() <= capacity_.source_rows &&
                  pages_of(job) <= capacity_.cache_rows / PagePool::kRows && places() > 0,
              "each sentence fits into empty caches");
}

void Scheduler::add(Job job) {
  require_room(job);
  waiting_.push_back(std::move(job));
}

bool Scheduler::wants_more() const {
  const std::size_t free_places = places() - active_.size();
  return waiting_.size() < std::max<std::size_t>(free_places, 2 * places() / kPlacesOfGroup + 1);
}

void Scheduler::admit() {
  const std::size_t free_places = places() - active_.size();
  const std::size_t group = std::min<std::size_t>(waiting_.size(), places() / kPlacesOfGroup);
  if (free_places < group && !active_.empty()) return;
  std::vector<model::SourceSentence> entering;
  for (std::size_t i = 0; i < free_places && !waiting_.empty(); ++i) {
    Job& job = waiting_.front();
    const std::uint32_t pages = pages_of(job);
    if (pages > pages_.unreserved()) break;
    const auto begin = source_rows_.take(static_cast<std::uint32_t>(job.ids.size()));
    if (!begin) break;
    pages_.reserve(pages);
    auto search = new_search(settings_, job.longest, special_);
    active_.push_back({std::move(job), std::move(search), History(pages_), *begin});
    active_.back().history.keep(parents_of(*active_.back().search));
    waiting_.pop_front();
    entering.push_back({active_.back().job.ids, *begin});
  }
  if (!entering.empty()) model_.encode(entering);
}

/// The token that the decoder reads next, after the tokens `ids`.
std::uint32_t Scheduler::Active::last_id(const std::vector<std::uint32_t>& ids) const {
  if (!ids.empty()) return ids.back();
  return started == 0 ? batch::kNoToken : job.start[started - 1];
}

void Scheduler::append_row(const Active& active, std::size_t hypothesis, Step& step) const {
  const auto& living = active.search->live()[hypothesis];
  const auto& ids = living.hypothesis.ids;
  const auto& prefix = active.job.prefix;
  const auto source_tokens = static_cast<std::uint32_t>(active.job.ids.size());
  const auto past_begin = static_cast<std::uint32_t>(step.cache_rows.size());
  active.history.append_path(hypothesis, step.cache_rows);
  step.rows.push_back({.last_id = active.last_id(ids),
                       .source = {active.source_begin, active.source_begin + source_tokens},
                       .past = {past_begin, static_cast<std::uint32_t>(step.cache_rows.size())}});
  TokenRequest request;
  if (active.job.allowed) request.allowed = &*active.job.allowed;
  request.adjustments.begin = static_cast<std::uint32_t>(step.adjustments.size());
  if (ids.size() < prefix.size()) {
    request.forced_id = prefix[ids.size()];
  } else {
    const std::uint32_t shortest =
        settings_.rules.shortest(source_tokens - active.job.source_start - 1);
    rules_.append(ids, std::min(shortest, active.job.longest - 1), step.adjustments);
  }
  request.adjustments.end = static_cast<std::uint32_t>(step.adjustments.size());
  if (settings_.sampling) {
    request.random_key = random_key_of(settings_.sampling->seed,
                                       {.line = active.job.line,
                                        .piece = active.job.piece,
                                        .hypothesis = living.number,
                                        .position = static_cast<std::uint32_t>(ids.size())});
  }
  step.requests.push_back(request);
}

Step Scheduler::next_step() {
  Step step;
  for (Active& active : active_) {
    active.history.grow();
    for (std::size_t i = 0; i < active.search->live().size(); ++i) append_row(active, i, step);
  }
  return step;
}

std::vector<Scheduler::Answer> Scheduler::step() {
  admit();
  auto candidates = model_.step(next_step());
  const std::size_t per_row = settings_.candidates();
  std::vector<Answer> finished;
  for (auto active = active_.begin(); active != active_.end();) {
    auto& [job, search, history, source_begin, started] = *active;
    const std::size_t count = search->live().size() * per_row;
    const auto own = candidates.first(count);
    candidates = candidates.subspan(count);
    if (started < job.start.size()) {
      ++started;
      ++active;
      continue;
    }
    search->advance(own);
    if (!search->done()) {
      history.keep(parents_of(*search));
      ++active;
      continue;
    }
    finished.push_back({job.ticket, search->results()});
    source_rows_.give_back(source_begin, static_cast<std::uint32_t>(job.ids.size()));
    pages_.release(pages_of(job));
    active = active_.erase(active);
  }
  return finished;
}

}  // namespace awend::decode
