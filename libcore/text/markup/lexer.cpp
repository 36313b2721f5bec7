#include "text/markup/lexer.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "text/markup/elements.hpp"

namespace awend::text {
namespace {

constexpr auto kNowhere = std::string_view::npos;
constexpr std::string_view kCdataBegin = "<![CDATA[", kCdataEnd = "]]>";

// How many times the bytes of the line may be read for tags that turn out to have no end, so that
// many of them take linear time.  After that, `<` is text.
constexpr std::size_t kReadings = 8;

bool is_space(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\f' || byte == '\n';
}

bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& byte : result) {
    if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte + ('a' - 'A'));
  }
  return result;
}

bool has_class(std::string_view value, std::string_view name) {
  while (!value.empty()) {
    const auto size =
        static_cast<std::size_t>(std::ranges::find_if(value, is_space) - value.begin());
    if (value.substr(0, size) == name) return true;
    value.remove_prefix(std::min(size + 1, value.size()));
  }
  return false;
}

class Lexer {
 public:
  Lexer(std::string_view line, MarkupLanguage language)
      : line_(line), language_(language), budget_bytes_(kReadings * line.size()) {}

  MarkupTokens read() {
    if (language_ == MarkupLanguage::kNone) {
      add_text(line_.size());
      return std::move(result_);
    }
    for (std::size_t at; (at = line_.find('<', search_)) != kNowhere;) {
      if (budget_bytes_ == 0 || !read_tag(at)) search_ = at + 1;
    }
    add_text(line_.size());
    return std::move(result_);
  }

 private:
  using Kind = MarkupToken::Kind;
  bool is_html() const { return language_ == MarkupLanguage::kHtml; }

  void add_text(std::size_t end, bool is_raw = false) {
    if (end > done_) result_.tokens.push_back({.range = {done_, end}, .is_raw = is_raw});
    done_ = end;
  }

  MarkupToken& add(Kind kind, TextRange range) {
    add_text(range.begin);
    done_ = search_ = range.end;
    return result_.tokens.emplace_back(MarkupToken{.kind = kind, .range = range});
  }

  bool fail(std::string_view problem, std::size_t at, std::size_t read_until) {
    const std::size_t read_bytes = std::min(read_until, line_.size()) - at;
    budget_bytes_ -= std::min(budget_bytes_, read_bytes);
    if (result_.problem.empty()) result_.problem = base::concat(problem, ": it is text");
    return false;
  }

  /// Reads what begins with the `<` at this place; false if that is text.
  bool read_tag(std::size_t at) {
    const auto rest = line_.substr(at);
    if (rest.starts_with("<!--")) return read_until("-->", {at, at + 4}, "a comment has no '-->'");
    if (rest.starts_with(kCdataBegin) && !is_html()) return read_cdata(at);
    if (rest.starts_with("<?")) return read_until("?>", {at, at + 2}, "'<?' has no '?>'");
    if (rest.starts_with("<!")) return read_declaration(at);
    const bool is_end = rest.starts_with("</");
    const std::size_t name = at + (is_end ? 2 : 1);
    if (name >= line_.size() || !begins_name(line_[name]))
      return fail("'<' begins no tag", at, at + 1);
    return is_end ? read_end_tag(at) : read_start_tag(at);
  }

  bool begins_name(char byte) const {
    return is_letter(byte) ||
           (!is_html() && (byte == '_' || byte == ':' || static_cast<unsigned char>(byte) >= 0x80));
  }

  /// `from` is the range of the beginning.
  bool read_until(std::string_view end, TextRange from, std::string_view problem) {
    const std::size_t found = line_.find(end, from.end);
    if (found == kNowhere) return fail(problem, from.begin, line_.size());
    add(Kind::kPoint, {from.begin, found + end.size()});
    return true;
  }

  bool read_cdata(std::size_t at) {
    const std::size_t begin = at + kCdataBegin.size(), end = line_.find(kCdataEnd, begin);
    if (end == kNowhere) return fail("a CDATA section has no ']]>'", at, line_.size());
    auto& token = add(Kind::kBegin, {at, begin});
    token.name = kCdataBegin;
    token.is_raw = true;
    add_text(end, true);
    add(Kind::kEnd, {end, end + kCdataEnd.size()}).name = kCdataBegin;
    return true;
  }

  /// A document type, whose brackets may contain other declarations.
  bool read_declaration(std::size_t at) {
    std::size_t depth = 0;
    for (std::size_t i = at; i < line_.size(); ++i) {
      if (line_[i] == '[') ++depth;
      if (line_[i] == ']' && depth > 0) --depth;
      if (line_[i] != '>' || (depth > 0 && !is_html())) continue;
      add(Kind::kPoint, {at, i + 1});
      return true;
    }
    return fail("'<!' has no '>'", at, line_.size());
  }

  std::size_t skip(std::size_t at, std::string_view also = {}) const {
    while (at < line_.size() && (is_space(line_[at]) || also.find(line_[at]) != kNowhere)) ++at;
    return at;
  }

  std::size_t word_end(std::size_t at, std::string_view ends) const {
    while (at < line_.size() && !is_space(line_[at]) && ends.find(line_[at]) == kNowhere) ++at;
    return at;
  }

  std::string name_at(std::size_t begin, std::size_t end) const {
    const auto name = line_.substr(begin, end - begin);
    return is_html() ? lower(name) : std::string(name);
  }

  bool read_end_tag(std::size_t at) {
    const std::size_t name_end = word_end(at + 2, "/><");
    const std::size_t end = std::min(line_.find_first_of("<>", name_end), line_.size());
    if (end == line_.size() || line_[end] == '<') return fail("a tag has no '>'", at, end);
    const auto name = name_at(at + 2, name_end);
    add(Kind::kEnd, {at, end + 1}).name = name;
    return true;
  }

  bool read_start_tag(std::size_t at) {
    const std::size_t name_end = word_end(at + 1, "/><");
    bool is_kept = false, is_empty = false;
    std::size_t i = name_end;
    for (;;) {
      const std::size_t begin = skip(i, "/");
      is_empty = begin > i && line_[begin - 1] == '/';
      i = begin;
      if (i >= line_.size() || line_[i] == '<') return fail("a tag has no '>'", at, i);
      if (line_[i] == '>') break;
      i = read_attribute(i, is_kept);
    }
    const auto name = name_at(at + 1, name_end);
    const auto facts = is_html() ? html_element(name) : ElementFacts{};
    if (facts.is_raw && !is_empty) return read_raw_element(at, i + 1, name);
    auto& token = add(is_empty || facts.is_void ? Kind::kPoint : Kind::kBegin, {at, i + 1});
    token.name = name;
    token.is_kept = is_kept;
    return true;
  }

  /// Returns the position after it.
  std::size_t read_attribute(std::size_t at, bool& is_kept) const {
    std::size_t end = word_end(at + 1, "=/><");
    const auto name = lower(line_.substr(at, end - at));
    const std::size_t sign = skip(end);
    if (sign >= line_.size() || line_[sign] != '=') return end;
    std::size_t begin = skip(sign + 1);
    if (begin >= line_.size()) return begin;
    const char quote = line_[begin];
    std::size_t after;
    if (quote == '"' || quote == '\'') {
      end = std::min(line_.find(quote, ++begin), line_.size());
      after = std::min(end + 1, line_.size());
    } else {
      after = end = word_end(begin, "><");
    }
    const auto value = line_.substr(begin, end - begin);
    is_kept = is_kept || (name == "class" && has_class(value, "notranslate")) ||
              ((name == "translate" || name == "its:translate") && lower(value) == "no");
    return after;
  }

  /// A script or the like, up to its end tag, or the end of the line.
  bool read_raw_element(std::size_t at, std::size_t content, const std::string& name) {
    std::size_t end = line_.size();
    for (std::size_t i = content; (i = line_.find("</", i)) != kNowhere; i += 2) {
      if (lower(line_.substr(i + 2, name.size())) != name) continue;
      const std::size_t close = line_.find('>', i);
      end = close == kNowhere ? line_.size() : close + 1;
      break;
    }
    add(Kind::kPoint, {at, end}).name = name;
    return true;
  }

  std::string_view line_;
  MarkupLanguage language_;
  std::size_t budget_bytes_;
  std::size_t done_ = 0, search_ = 0;  // what is in tokens; where the next tag may begin
  MarkupTokens result_;
};

}  // namespace

MarkupTokens read_markup_tokens(std::string_view line, MarkupLanguage language) {
  return Lexer(line, language).read();
}

}  // namespace awend::text
