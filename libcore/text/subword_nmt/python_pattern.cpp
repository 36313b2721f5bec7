#include "text/subword_nmt/python_pattern.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "base/utf8.hpp"

namespace awend::text {
namespace {

// The members of Python's classes, for use between brackets.
constexpr std::string_view kWord = "\\p{L}\\p{N}_";
constexpr std::string_view kDigit = "\\p{Nd}";
constexpr std::string_view kSpace =
    "\\x09-\\x0D\\x1C-\\x20\\x85\\xA0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000";

std::string_view members_of(char escape) {
  switch (escape) {
    case 'w':
    case 'W':
      return kWord;
    case 'd':
    case 'D':
      return kDigit;
    case 's':
    case 'S':
      return kSpace;
    default:
      return {};
  }
}

// The boundary between a word character and another, or the position without one.
std::string boundary(bool there) {
  const std::string in = base::concat("[", kWord, "])");
  const std::string one = base::concat("(?<=", in, there ? "(?!" : "(?=", in);
  const std::string other = base::concat("(?<!", in, there ? "(?=" : "(?!", in);
  return base::concat("(?:", one, "|", other, ")");
}

// The size of a repetition count at this position, {2} {2,} {,3} {2,3} {,}; 0 for other text in
// braces.
std::size_t repetition_size(std::string_view pattern) {
  const std::size_t end = pattern.find_first_not_of("0123456789,", 1);
  if (end == std::string_view::npos || pattern[end] != '}' || end == 1) return 0;
  const std::size_t comma = pattern.find(',');
  return comma < end && pattern.find(',', comma + 1) < end ? 0 : end + 1;
}

class Translator {
 public:
  explicit Translator(std::string_view pattern) : rest_(pattern) {}

  std::string translate() {
    while (!rest_.empty()) {
      if (rest_[0] == '\\') {
        escape();
      } else if (set_) {
        in_set();
      } else {
        outside();
      }
    }
    return std::move(out_);
  }

 private:
  // Copies `size` bytes.
  void copy(std::size_t size) {
    out_ += rest_.substr(0, size);
    rest_.remove_prefix(std::min(size, rest_.size()));
  }
  void put(std::string_view text, std::size_t in_place_of) {
    out_ += text;
    rest_.remove_prefix(std::min(in_place_of, rest_.size()));
  }

  void escape() {
    if (set_) end_member();
    const char kind = rest_.size() > 1 ? rest_[1] : '\0';
    const std::string_view members = members_of(kind);
    if (!members.empty()) {
      const bool negated = kind < 'a';
      // In a set, the members are added to the others.
      if (set_ && !negated) return put(members, 2);
      return put(base::concat(negated ? "[^" : "[", members, "]"), 2);
    }
    if (kind == 'b') return put(set_ ? "\\x08" : boundary(true), 2);
    if (kind == 'B' && !set_) return put(boundary(false), 2);
    if (kind == 'Z') return put("\\z", 2);
    copy(2);
  }

  void in_set() {
    const char byte = rest_[0];
    if (byte == ']') {
      set_ = false;
    } else if (byte == '-' && place_ == Place::kAfterMember && !rest_.starts_with("-]")) {
      place_ = Place::kAfterHyphen;
    } else {
      // ICU has operators of sets, among them a hyphen after a hyphen.
      if (byte == '[' || byte == '&' || byte == '-') out_ += '\\';
      if (!base::is_utf8_tail(byte)) end_member();
    }
    copy(1);
  }

  void end_member() {
    place_ = place_ == Place::kAfterHyphen ? Place::kAfterRange : Place::kAfterMember;
  }

  void outside() {
    if (rest_[0] == '[') {
      set_ = true;
      place_ = Place::kAfterRange;
      copy(rest_.starts_with("[^") ? 2 : 1);
      if (!rest_.starts_with(']')) return;
      put("\\]", 1);  // at the beginning of a set it is a member
      end_member();
    } else if (rest_.starts_with("(?P<")) {
      put("(?<", 4);
    } else if (rest_.starts_with("(?P=")) {
      put("\\k<", 4);
      const std::size_t end = std::min(rest_.find(')'), rest_.size());
      copy(end);
      put(">", 1);
    } else if (const std::size_t size = rest_[0] == '{' ? repetition_size(rest_) : 0; size > 0) {
      if (rest_[1] == ',') put("{0", 1);
      copy(rest_.find('}') + 1);
    } else if (rest_[0] == '{' || rest_[0] == '}' || rest_[0] == ']') {
      out_ += '\\';
      copy(1);
    } else {
      copy(1);
    }
  }

  std::string_view rest_;
  std::string out_;
  bool set_ = false;  // between [ and ]
  // In a set.  Before the first member, as after a range, a hyphen is a member.
  enum class Place { kAfterRange, kAfterMember, kAfterHyphen };
  Place place_ = Place::kAfterRange;
};

}  // namespace

std::string icu_pattern(std::string_view python) {
  return Translator(python).translate();
}

}  // namespace awend::text
