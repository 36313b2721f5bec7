#include "decode/unknown_tokens.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "text/spaced_words.hpp"

namespace awend::decode {
namespace {

constexpr std::size_t kMaxListed = 3;
constexpr double kManyUnknown = 0.01;  // they suggest that the input has another vocabulary

}  // namespace

std::vector<std::uint32_t> UnknownTokens::ids_of(std::string_view line) {
  std::vector<std::uint32_t> ids;
  text::for_each_word(line, [&](std::string_view token) {
    ++tokens_;
    const auto id = vocabulary_.find(token);
    if (id && !vocabulary_.is_special(*id)) {
      ids.push_back(*id);
      return;
    }
    ids.push_back(vocabulary_.unknown());
    ++unknown_;
    if (first_.size() < kMaxListed && std::ranges::find(first_, token) == first_.end())
      first_.emplace_back(token);
  });
  return ids;
}

void UnknownTokens::warn(const base::Report& report, std::string_view what,
                         std::string_view advice) const {
  if (unknown_ == 0) return;
  std::string text = base::concat(what, ": ", unknown_, " of ", tokens_,
                                  " tokens are unknown to the vocabulary: ");
  for (std::size_t i = 0; i < first_.size(); ++i) text += (i > 0 ? ", " : "") + first_[i];
  const bool are_many = static_cast<double>(unknown_) > kManyUnknown * static_cast<double>(tokens_);
  are_many ? report.warning(text.append(advice)) : report.note(text);
}

}  // namespace awend::decode
