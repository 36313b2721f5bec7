#include "decode/shortlist_file.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/error.hpp"
#include "base/files.hpp"
#include "text/lexical_table.hpp"

namespace awend::decode {
namespace {

constexpr std::uint32_t kDefaultFirst = 100, kDefaultBest = 100;
// A compressed file must not exhaust memory.
constexpr std::uint64_t kMaxRatio = 100;

bool has_limits(const ShortlistFile& file) {
  return file.first || file.best || file.threshold;
}

/// The ids of the tokens with the highest counts, equal ones by id, in ascending order; nothing for
/// a vocabulary without counts, as those of other toolkits, whose ids are in the order of counts.
text::Ids most_frequent(const text::Vocabulary& vocabulary, std::uint32_t number) {
  text::Ids ids;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    if (vocabulary.count(id) > 0) ids.push_back(id);
  }
  std::ranges::stable_sort(ids, std::greater(),
                           [&](std::uint32_t id) { return vocabulary.count(id); });
  if (ids.size() > number) ids.resize(number);
  std::ranges::sort(ids);
  return ids;
}

}  // namespace

ShortlistContent::ShortlistContent(const ShortlistFile& file) : file_(file) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file.path, ignored)) {
    mapped_.emplace(file.path);
  } else {
    text_ = base::read_file(file.path, base::kMaxModelBytes);
  }
}

std::span<const std::byte> ShortlistContent::bytes() const {
  return mapped_ ? mapped_->bytes() : std::as_bytes(std::span(text_));
}

base::LineReader ShortlistContent::lines() const {
  const base::LineLimits limits{.file_bytes = mapped_ ? mapped_->bytes().size() * kMaxRatio
                                                      : base::kMaxModelBytes};
  if (mapped_) return base::LineReader(file_.path, file_.invalid, limits);
  return base::LineReader(base::InputFile(file_.path, text_), file_.invalid, limits);
}

bool ShortlistContent::is_binary() const {
  return store::looks_like_marian_shortlist(bytes()) || file_.path.ends_with(".bin");
}

bool ShortlistContent::is_lexical() const {
  if (is_binary() || has_limits(file_)) return true;
  // No token has spaces.
  auto in = lines();
  std::string_view line;
  return in.next(line) && text::looks_lexical(line);
}

store::LexicalShortlist ShortlistContent::lists(const text::Vocabularies& vocabularies) const {
  const auto& [source, target] = vocabularies;
  auto lists =
      is_binary() ? binary_lists({source.size(), target.size()}) : text_lists(vocabularies);
  // With one vocabulary, names and numbers can be copied.
  lists.source_ids = &source == &target ? store::SourceIds::kAllowed : store::SourceIds::kExcluded;
  return lists;
}

store::LexicalShortlist ShortlistContent::binary_lists(const store::ShortlistSizes& sizes) const {
  if (has_limits(file_))
    base::fail(file_.path, ": a binary shortlist has its own numbers of words");
  return base::with_name(file_.path, [&] { return store::read_marian_shortlist(bytes(), sizes); });
}

store::LexicalShortlist ShortlistContent::text_lists(const text::Vocabularies& vocabularies) const {
  const auto& [source, target] = vocabularies;
  const auto first = std::min(file_.first.value_or(kDefaultFirst), target.size()),
             best = file_.best.value_or(kDefaultBest);
  auto in = lines();
  auto lists = text::read_lexical_table(in, source, target,
                                        {.best = best, .threshold = file_.threshold.value_or(0)});
  const auto frequent = most_frequent(target, first);
  // Every source has an end, whose list may contain the tokens that are always allowed.
  auto& of_end = lists[source.end_of_sentence()];
  of_end.insert(of_end.end(), frequent.begin(), frequent.end());
  std::ranges::sort(of_end);
  of_end.erase(std::unique(of_end.begin(), of_end.end()), of_end.end());
  store::LexicalShortlist shortlist{.first = frequent.empty() ? first : 0, .best = best};
  for (const auto& list : lists) shortlist.append(list);
  return shortlist;
}

text::Ids ShortlistContent::tokens(const text::Vocabulary& vocabulary) const {
  text::Ids ids;
  auto in = lines();
  std::string_view line;
  while (in.next(line)) {
    const auto id = vocabulary.find(line);
    if (!id) base::fail(in.place(), ": '", line, "' is not in the vocabulary");
    ids.push_back(*id);
  }
  if (ids.empty()) base::fail(in.name(), ": no tokens");
  return ids;
}

}  // namespace awend::decode
