#include "decode/sentence_shortlist.hpp"

#include <algorithm>
#include <numeric>

namespace awend::decode {
namespace {

constexpr std::size_t kMultiple = 8;

}  // namespace

SentenceShortlist::SentenceShortlist(store::LexicalShortlist lists, const SpecialIds& special,
                                     std::uint32_t tokens)
    : lists_(std::move(lists)), special_(special), tokens_(tokens) {}

std::vector<std::uint32_t> SentenceShortlist::allowed(std::span<const std::uint32_t> source) const {
  const std::uint32_t first = std::min(lists_.first, tokens_);
  std::vector<std::uint32_t> ids(first);
  std::iota(ids.begin(), ids.end(), 0u);
  ids.insert(ids.end(), {special_.end_of_sentence, special_.unknown});
  for (const auto id : source) {
    if (id < lists_.source_words()) {
      const auto list = lists_.of(id);
      ids.insert(ids.end(), list.begin(), list.end());
    }
    if (lists_.source_ids == store::SourceIds::kAllowed && id < tokens_) ids.push_back(id);
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  // Marian's products need a multiple.
  const auto listed = static_cast<std::ptrdiff_t>(ids.size());
  for (std::uint32_t id = first; ids.size() % kMultiple != 0 && id < tokens_; ++id) {
    if (!std::binary_search(ids.begin(), ids.begin() + listed, id)) ids.push_back(id);
  }
  std::inplace_merge(ids.begin(), ids.begin() + listed, ids.end());
  return ids;
}

}  // namespace awend::decode
