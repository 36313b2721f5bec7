#include "decode/batch.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/batch.hpp"

namespace awend::decode {
namespace {

// Sentences enter a few at a time: the encoder is at its best with some dozens of tokens.
constexpr std::uint32_t kPlacesOfGroup = 16;  // a group for each so many places

}  // namespace

Batch::Batch(StepMachine& machine, const BatchCapacity& capacity, const SearchSettings& settings,
             const SpecialIds& special)
    : machine_(machine),
      capacity_(capacity),
      settings_(settings),
      special_(special),
      rules_(settings.rules, special),
      pages_(capacity.cache_rows / PagePool::kRows),
      source_rows_(capacity.source_rows) {}

std::uint32_t Batch::pages_of(const Job& job) const {
  return PagePool::pages_for(std::uint64_t{settings_.beam_size} * job.longest);
}

void Batch::add(Job job) {
  base::check(job.ids.size() <= capacity_.source_rows &&
                  pages_of(job) <= capacity_.cache_rows / PagePool::kRows && places() > 0,
              "every sentence fits an empty batch");
  waiting_.push_back(std::move(job));
}

void Batch::admit() {
  const std::size_t free_places = places() - active_.size();
  const std::size_t group = std::min<std::size_t>(waiting_.size(), places() / kPlacesOfGroup);
  if (free_places < group && !active_.empty()) return;
  std::vector<Source> entering;
  for (std::size_t i = 0; i < free_places && !waiting_.empty(); ++i) {
    Job& job = waiting_.front();
    const std::uint32_t pages = pages_of(job);
    if (pages > pages_.unreserved()) break;
    const auto begin = source_rows_.take(static_cast<std::uint32_t>(job.ids.size()));
    if (!begin) break;
    pages_.reserve(pages);
    Beam beam(settings_, job.longest, special_.end_of_sentence);
    active_.push_back({std::move(job), std::move(beam), History(pages_), *begin});
    waiting_.pop_front();
    entering.push_back({active_.back().job.ids, *begin});
  }
  if (!entering.empty()) machine_.encode(entering);
}

StepRow Batch::next_row(const Search& search, std::size_t hypothesis, Step& step) const {
  const auto& ids = search.beam.living()[hypothesis].hypothesis.ids;
  const auto& prefix = search.job.prefix;
  const auto source_tokens = static_cast<std::uint32_t>(search.job.ids.size());
  StepRow row{.last_id = ids.empty() ? data::kNoToken : ids.back(),
              .source = {search.source_begin, search.source_begin + source_tokens},
              .past = {static_cast<std::uint32_t>(step.cache_rows.size()), 0}};
  search.history.append_path(hypothesis, step.cache_rows);
  row.past.end = static_cast<std::uint32_t>(step.cache_rows.size());
  row.adjustments.begin = static_cast<std::uint32_t>(step.adjustments.size());
  if (ids.size() < prefix.size()) {
    row.wanted = prefix[ids.size()];
  } else {
    const std::uint32_t shortest = settings_.rules.shortest(source_tokens - 1);
    rules_.append(ids, std::min(shortest, search.job.longest - 1), step.adjustments);
  }
  row.adjustments.end = static_cast<std::uint32_t>(step.adjustments.size());
  return row;
}

Step Batch::next_step() {
  Step step;
  for (Search& search : active_) {
    search.history.grow();
    for (std::size_t i = 0; i < search.beam.living().size(); ++i)
      step.rows.push_back(next_row(search, i, step));
  }
  return step;
}

std::vector<Batch::Answer> Batch::step() {
  admit();
  auto candidates = machine_.step(next_step());
  const std::size_t per_row = settings_.candidates();
  std::vector<Answer> finished;
  for (auto search = active_.begin(); search != active_.end();) {
    auto& [job, beam, history, source_begin] = *search;
    const std::size_t count = beam.living().size() * per_row;
    beam.advance(candidates.first(count));
    candidates = candidates.subspan(count);
    if (!beam.done()) {
      std::vector<std::uint32_t> parents;
      for (const auto& living : beam.living()) parents.push_back(living.parent);
      history.keep(parents);
      ++search;
      continue;
    }
    finished.push_back({job.ticket, beam.results()});
    source_rows_.give_back(source_begin, static_cast<std::uint32_t>(job.ids.size()));
    pages_.release(pages_of(job));
    search = active_.erase(search);
  }
  return finished;
}

}  // namespace awend::decode
