#include "align/bitext.hpp"

#include "base/error.hpp"
#include "text/spaced_words.hpp"
#include "text/text_hash.hpp"

namespace awend::align {

std::size_t WordIds::Hash::operator()(std::string_view word) const {
  return text::text_hash(word);
}

WordId WordIds::add(std::string_view word) {
  const auto found = ids_.find(word);
  if (found != ids_.end()) return found->second;
  const auto id = static_cast<WordId>(size());
  if (id == UINT32_MAX) base::fail("more than ", UINT32_MAX - 1, " distinct words");
  words_.push_back(&ids_.emplace(word, id).first->first);
  return id;
}

WordId WordIds::find(std::string_view word) const {
  const auto found = ids_.find(word);
  return found == ids_.end() ? kNoWord : found->second;
}

Bitext::Bitext(std::size_t memory_bytes, std::string directory)
    : memory_(std::make_unique<base::SpillResource>(memory_bytes, std::move(directory))),
      words_(memory_.get()),
      ends_(memory_.get()) {}

bool Bitext::add(std::string_view source, std::string_view target, std::size_t max_words) {
  const auto begin = words_.size();
  text::for_each_word(source,
                      [&](std::string_view word) { words_.push_back(source_words.add(word)); });
  const auto middle = words_.size();
  text::for_each_word(target,
                      [&](std::string_view word) { words_.push_back(target_words.add(word)); });
  const auto source_length = middle - begin, target_length = words_.size() - middle;
  const bool fits = source_length <= max_words && target_length <= max_words;
  if (!fits) words_.resize(begin);
  ends_.push_back(fits ? middle : begin);
  ends_.push_back(words_.size());
  if (fits) cells_ += std::uint64_t{source_length} * target_length;
  return fits;
}

SentencePair Bitext::operator[](std::size_t i) const {
  const auto begin = i == 0 ? 0 : ends_[2 * i - 1];
  const std::span words(words_);
  return {words.subspan(begin, ends_[2 * i] - begin),
          words.subspan(ends_[2 * i], ends_[2 * i + 1] - ends_[2 * i])};
}

}  // namespace awend::align
