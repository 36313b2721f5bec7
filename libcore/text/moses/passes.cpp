#include "text/moses/passes.hpp"

#include <algorithm>

#include "text/moses/characters.hpp"

namespace awend::text::moses {
namespace {

bool is_letter(char32_t c) {
  return is(c, kLetter);
}
bool is_no_letter(char32_t c) {
  return !is(c, kLetter);
}
bool is_neither(char32_t c) {
  return !is(c, kLetter | kNumber);
}
bool is_s(char32_t c) {
  return c == 's';
}

constexpr MarkRule kEnglish[] = {{is_no_letter, "'", is_no_letter, " ' "},
                                 {is_neither, "'", is_letter, " ' "},
                                 {is_letter, "'", is_no_letter, " ' "},
                                 {is_letter, "'", is_letter, " '"},
                                 {is_number, "'", is_s, " '"}};
// An article attaches to the next word.
constexpr MarkRule kRomance[] = {{is_no_letter, "'", is_no_letter, " ' "},
                                 {is_no_letter, "'", is_letter, " ' "},
                                 {is_letter, "'", is_no_letter, " ' "},
                                 {is_letter, "'", is_letter, "' "}};
// The apostrophe is a letter: a glottal stop.
constexpr std::span<const MarkRule> kGlottal = std::span(kRomance).first(3);
constexpr MarkRule kOther[] = {{nullptr, "'", nullptr, " ' "}};
constexpr MarkRule kCommas[] = {{is_not_number, ",", nullptr, " , "},
                                {nullptr, ",", is_not_number, " , "}};

// One rule over the text; the text does not change if nothing matches.
void apply_one(const MarkRule& rule, Work& work) {
  const std::string_view text = work.text;
  std::size_t begin = 0;  // of the text that no match has consumed
  for (std::size_t at = text.find(rule.mark); at != text.npos; at = text.find(rule.mark, at)) {
    const std::size_t rest = at + rule.mark.size();
    std::size_t end = rest;
    bool matches = true;
    if (rule.before) {
      matches = at > begin && rule.before(step_at(text, begin_before(text, at)).code_point);
    }
    if (matches && rule.after) {
      matches = rest < text.size();
      if (matches) {
        const base::Utf8Step step = step_at(text, rest);
        matches = rule.after(step.code_point);
        end += step.size_bytes;
      }
    }
    if (!matches) {
      ++at;
      continue;
    }
    work.next.append(text, begin, at - begin);
    work.next += rule.replacement;
    work.next.append(text, rest, end - rest);
    begin = at = end;
  }
  if (begin == 0) return;
  work.next.append(text, begin);
  work.take();
}

// True for a character that gets spaces around it; `rest` is the text after it.
bool stands_apart(char32_t c, std::string_view rest, const LanguageRules& rules) {
  const auto small_letter_follows = [&] {
    return !rest.empty() && is(step_at(rest, 0).code_point, kLowerLl);
  };
  switch (c) {
    case ' ':
    case '.':
    case '`':
    case ',':
    case '-':
    case static_cast<char32_t>(kProtectedMark):
      return false;
    case '\'':
      return rules.keeps_apostrophe && !small_letter_follows();
    case ':':
      return !rules.keeps_colon || !small_letter_follows();
    case 0xB7:
      return !rules.keeps_middle_dot;
    default:
      return true;
  }
}

}  // namespace

LanguageRules language_rules(std::string_view language) {
  LanguageRules rules{.apostrophes = kOther};
  rules.keeps_colon = language == "fi" || language == "sv";
  rules.keeps_middle_dot = language == "ca";
  rules.keeps_apostrophe = language == "tdt";
  if (language == "en") rules.apostrophes = kEnglish;
  if (language == "so" || language == "tdt") rules.apostrophes = kGlottal;
  constexpr std::string_view kLeaning[] = {"fr", "it", "ga", "ca"};
  if (std::ranges::find(kLeaning, language) != std::end(kLeaning)) rules.apostrophes = kRomance;
  return rules;
}

void clean(std::string_view line, Work& work) {
  std::string& out = work.text;
  out.clear();
  bool after_space = false;
  std::size_t begin = 0;  // of the text to be copied
  for (std::size_t at = 0; at < line.size();) {
    const base::Utf8Step step = step_at(line, at);
    const bool space = is(step.code_point, kSpace);
    const bool stays = step.code_point == ' ' ? !after_space : step.code_point > ' ' && !space;
    if (!stays) {
      out.append(line, begin, at - begin);
      if (space && !after_space) out += ' ';
      begin = at + step.size_bytes;
    }
    after_space = space;
    at += step.size_bytes;
  }
  out.append(line, begin);
}

void squeeze(Work& work) {
  const std::string_view text = work.text;
  for (std::size_t at = text.find_first_not_of(' '); at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (!work.next.empty()) work.next += ' ';
    work.next.append(text, at, end - at);
    at = std::min(text.find_first_not_of(' ', end), text.size());
  }
  work.take();
}

void set_symbols_apart(const LanguageRules& rules, Hyphens hyphens, Work& work) {
  const std::string_view text = work.text;
  std::string& out = work.next;
  bool after_word = false;
  std::size_t begin = 0;  // of the text to be copied
  for (std::size_t at = 0; at < text.size();) {
    const base::Utf8Step step = step_at(text, at);
    const std::size_t end = at + step.size_bytes;
    const bool word = is(step.code_point, kAlphanumeric);
    if (!word) {
      const bool splits = hyphens == Hyphens::kSplit && step.code_point == '-' && after_word &&
                          end < text.size() && is(step_at(text, end).code_point, kAlphanumeric);
      if (splits || stands_apart(step.code_point, text.substr(end), rules)) {
        out.append(text, begin, at - begin);
        out += ' ';
        out += splits ? "@-@" : text.substr(at, end - at);
        out += ' ';
        begin = end;
      }
    }
    after_word = word;
    at = end;
  }
  out.append(text, begin);
  work.take();
}

void apply(std::span<const MarkRule> rules, Work& work) {
  for (const MarkRule& rule : rules) apply_one(rule, work);
}

void split_commas(Work& work) {
  apply(kCommas, work);
  std::string& text = work.text;
  if (text.size() < 2 || text.back() != ',') return;
  const std::size_t comma = text.size() - 1;
  if (is_number(step_at(text, begin_before(text, comma)).code_point)) text.insert(comma, 1, ' ');
}

}  // namespace awend::text::moses
