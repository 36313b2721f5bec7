#include "text/moses/word_rules.hpp"

namespace awend::text::moses {
namespace {

void apply_one(const WordRule& rule, Work& work) {
  const std::string_view text = work.text;
  std::size_t begin = 0;
  for (std::size_t at = text.find(rule.tail); at != text.npos; at = text.find(rule.tail, at + 1)) {
    const std::size_t before = rule.head.size() + 1;
    if (at < begin + before || rule.letters.find(text[at - 1]) == rule.letters.npos ||
        text.substr(at - before, rule.head.size()) != rule.head)
      continue;
    work.next.append(text, begin, at - before - begin);
    work.next += rule.new_head;
    work.next += text[at - 1];
    work.next += rule.new_tail;
    begin = at + rule.tail.size();
    at = begin - 1;
  }
  if (begin == 0) return;
  work.next.append(text, begin);
  work.take();
}

}  // namespace

void apply(std::span<const WordRule> rules, Work& work) {
  for (const WordRule& rule : rules) apply_one(rule, work);
}

}  // namespace awend::text::moses
