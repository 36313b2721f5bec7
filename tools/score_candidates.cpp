#include "score_candidates.hpp"

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "store/json_text.hpp"

namespace awend::tools {
namespace {

/// A list in JSON, as translate writes it.
CandidateList parse_json_list(std::string_view line) {
  CandidateList list;
  const auto members = store::json_members(line);
  const auto member = [](const auto& all, std::string_view name) -> const std::string& {
    const auto found = all.find(name);
    if (found == all.end()) base::fail("no member '", name, "'");
    return found->second;
  };
  list.line = base::to_number<std::uint64_t>(member(members, "line"), "a line number");
  for (const auto& element : store::json_elements(member(members, "translations"))) {
    const auto of_candidate = store::json_members(element);
    const auto text = of_candidate.contains("text") ? "text" : "tokens";
    Candidate candidate{.text = member(of_candidate, text)};
    for (const auto& [name, feature] :
         {std::pair("log_probability", "logprob"), std::pair("score", "score")}) {
      const auto found = of_candidate.find(name);
      if (found == of_candidate.end()) continue;
      candidate.features.push_back({feature, base::to_number<double>(found->second, "a number")});
    }
    list.candidates.push_back(std::move(candidate));
  }
  if (list.candidates.empty()) base::fail("no translations");
  return list;
}

}  // namespace

CandidateReader::CandidateReader(const std::string& path, const base::TextPolicy& policy,
                                 std::uint64_t each)
    : lines_(path, policy), each_(each) {
  std::string_view line;
  if (each_ > 0 || !lines_.next(line)) return;
  first_ = line;
  is_json_ = line.starts_with('{');
}

std::string CandidateReader::where() const {
  return lines_.place();
}

bool CandidateReader::read_line(std::string_view& line) {
  if (!first_) return lines_.next(line);
  line = *first_;
  return true;
}

std::optional<CandidateList> CandidateReader::next() {
  CandidateList list{.line = count_};
  const bool more = each_ > 0 ? next_plain(list) : is_json_ ? next_json(list) : next_entries(list);
  if (!more) return std::nullopt;
  ++count_;
  list.end_bytes = lines_.position_bytes();
  return list;
}

bool CandidateReader::next_plain(CandidateList& list) {
  for (std::string_view line; list.candidates.size() < each_ && lines_.next(line);)
    list.candidates.push_back({.text = std::string(line)});
  if (list.candidates.empty() || list.candidates.size() == each_) return !list.candidates.empty();
  base::fail(lines_.name(), ": ", lines_.line_number(), " lines are not a multiple of ", each_,
             " candidates");
}

void CandidateReader::require_next(std::uint64_t line) const {
  if (line == count_) return;
  if (line < count_)
    base::fail(where(), ": a candidate of line ", line, " comes after those of line ", count_ - 1);
  base::fail(where(), ": line ", count_, " has no candidates; those of line ", line, " follow");
}

bool CandidateReader::next_json(CandidateList& list) {
  std::string_view line;
  if (!read_line(line)) return false;
  list = base::at_line(lines_, [&] { return parse_json_list(line); });
  first_.reset();
  require_next(list.line);
  return true;
}

bool CandidateReader::next_entries(CandidateList& list) {
  for (std::string_view line;;) {
    if (!entry_) {
      if (!read_line(line)) break;
      auto parsed = metrics::parse_n_best_entry(line, where());
      entry_ = {parsed.line, {std::string(parsed.text), std::move(parsed.features)}};
      first_.reset();
    }
    if (!list.candidates.empty() && entry_->line != list.line) break;
    if (list.candidates.empty()) require_next(entry_->line);
    list.candidates.push_back(std::move(entry_->candidate));
    entry_.reset();
  }
  return !list.candidates.empty();
}

void require_candidates(const CandidateReader& reader) {
  if (reader.count() == 0) base::fail(reader.lines().name(), ": no candidates");
}

}  // namespace awend::tools
