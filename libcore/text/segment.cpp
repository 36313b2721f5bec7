#include "text/segment.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "text/symbols.hpp"

namespace awend::text {

PairMerger::PairMerger(const Vocabulary& vocabulary)
    : characters_(vocabulary), merges_(vocabulary.merges()), merger_(merges_) {}

void PairMerger::append(std::string_view word, Ids& ids) {
  symbols_.clear();
  characters_.append(word, symbols_);
  merger_.merge(symbols_);
  ids.insert(ids.end(), symbols_.begin(), symbols_.end());
}

void PairMerger::append(std::string_view word, MergeDropout& dropout, Ids& ids) {
  symbols_.clear();
  characters_.append(word, symbols_);
  merger_.merge_kept(symbols_, [&] { return dropout.random.uniform() >= dropout.probability; });
  ids.insert(ids.end(), symbols_.begin(), symbols_.end());
}

LongestMatcher::LongestMatcher(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
  for (std::uint32_t id = vocabulary.first_learned(); id < vocabulary.size(); ++id) {
    longest_bytes_ = std::max(longest_bytes_, vocabulary.piece(id).size());
  }
}

void LongestMatcher::append(std::string_view word, Ids& ids) {
  // Characters without a piece end what a piece may match; otherwise a literal U+2581 would look
  // like a space.
  std::string text;
  const auto append_run = [&] {
    for (std::string_view rest = text; !rest.empty();) {
      std::size_t size_bytes = std::min(rest.size(), longest_bytes_);
      // Text that looks like a special piece or a symbol is ordinary text.
      std::uint32_t id = 0;
      for (; size_bytes > 0 && id == 0; --size_bytes) {
        const std::uint32_t found = vocabulary_.id(rest.substr(0, size_bytes));
        if (found >= vocabulary_.first_learned()) id = found;
      }
      if (id != 0) {
        ids.push_back(id);
        size_bytes = vocabulary_.piece(id).size();
      } else {
        size_bytes = base::utf8_step(rest, 0).size_bytes;
        append_bytes(rest.starts_with(kSpaceMarker) ? " " : rest.substr(0, size_bytes), ids);
      }
      rest.remove_prefix(size_bytes);
    }
    text.clear();
  };
  for (std::size_t position = 0; position < word.size();) {
    const base::Utf8Step step = base::utf8_step(word, position);
    const std::string_view character = word.substr(position, step.size_bytes);
    position += step.size_bytes;
    if (is_always_bytes(step.code_point)) {
      append_run();
      append_bytes(character, ids);
    } else {
      text += step.code_point == U' ' ? kSpaceMarker : character;
    }
  }
  append_run();
}

}  // namespace awend::text
