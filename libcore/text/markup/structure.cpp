#include "text/markup/structure.hpp"

#include <unordered_map>

#include "base/concat.hpp"
#include "text/markup/elements.hpp"
#include "text/markup/lexer.hpp"
#include "text/markup/white_space.hpp"

namespace awend::text {
namespace {

using Token = MarkupToken;
using Item = MarkupItem;

class Structure {
 public:
  Structure(std::string_view line, MarkupLanguage language)
      : line_(line), is_html_(language == MarkupLanguage::kHtml) {
    auto [tokens, problem] = read_markup_tokens(line, language);
    tokens_ = std::move(tokens);
    result_.problem = std::move(problem);
    partners_.assign(tokens_.size(), Item::kNoPartner);
    is_overlapping_.assign(tokens_.size(), false);
    has_text_.assign(tokens_.size() + 1, false);
  }

  MarkupStructure read() {
    find_partners();
    find_overlaps();
    if (!is_html_) find_parents_with_text();
    append_items();
    return std::move(result_);
  }

 private:
  ElementFacts facts_of(const Token& token) const {
    return is_html_ ? html_element(token.name) : ElementFacts{};
  }
  bool has_partner(std::size_t i) const { return partners_[i] != Item::kNoPartner; }
  bool is_tag(std::size_t i) const {
    return tokens_[i].kind == Token::Kind::kBegin || tokens_[i].kind == Token::Kind::kEnd;
  }
  bool is_blank(const Token& token) const {
    return token.range.of(line_).find_first_not_of(" \t\r\f") == std::string_view::npos;
  }

  /// An end tag ends the last open element of its name; those in it stay without a partner.
  void find_partners() {
    std::vector<std::uint32_t> open;
    std::unordered_map<std::string_view, std::size_t> open_names;
    for (std::uint32_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.kind == Token::Kind::kBegin) {
        open.push_back(i);
        ++open_names[token.name];
      } else if (token.kind == Token::Kind::kEnd) {
        auto& number = open_names[token.name];
        if (number == 0) continue;
        while (tokens_[open.back()].name != token.name) {
          --open_names[tokens_[open.back()].name];
          open.pop_back();
        }
        partners_[open.back()] = i;
        partners_[i] = open.back();
        --number;
        open.pop_back();
      }
    }
  }

  /// Tags without a partner belong to elements of several lines only outside of those of this line,
  /// and the ends are before the beginnings.
  void find_overlaps() {
    std::size_t depth = 0;
    bool has_begun = false;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!is_tag(i)) continue;
      const bool begins = tokens_[i].kind == Token::Kind::kBegin;
      if (has_partner(i)) {
        begins ? ++depth : --depth;
        continue;
      }
      is_overlapping_[i] = depth > 0 || (!begins && has_begun);
      has_begun = has_begun || (begins && depth == 0);
      const auto facts = facts_of(tokens_[i]);
      if (!is_overlapping_[i] || facts.may_be_open || facts.is_void) continue;
      if (!result_.problem.empty()) continue;
      result_.problem = base::concat("'", tokens_[i].range.of(line_).substr(0, 40),
                                     begins ? "' has no end in its element" : "' ends no element",
                                     is_html_ ? ": it is kept" : ": it is text");
    }
  }

  /// XML: elements with text next to their elements; the last place is that of the line.
  void find_parents_with_text() {
    std::vector<std::size_t> parents = {tokens_.size()};
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const bool is_text =
          tokens_[i].kind == Token::Kind::kText || (is_tag(i) && is_overlapping_[i]);
      if (is_text && !is_blank(tokens_[i])) has_text_[parents.back()] = true;
      if (!is_tag(i) || !has_partner(i)) continue;
      if (tokens_[i].kind == Token::Kind::kEnd) {
        parents.pop_back();
      } else {
        // A CDATA section is text.
        if (tokens_[i].is_raw) has_text_[parents.back()] = true;
        parents.push_back(i);
      }
    }
  }

  void append_items() {
    item_of_.assign(tokens_.size(), Item::kNoPartner);
    for (std::uint32_t i = 0; i < tokens_.size();) {
      const Token& token = tokens_[i];
      if (token.kind == Token::Kind::kEnd && has_partner(i)) leave(i);
      const std::size_t parent = parents_.empty() ? tokens_.size() : parents_.back();
      const auto facts = facts_of(token);
      const Item item{.range = token.range,
                      .is_raw = token.is_raw,
                      .ends_sentence = is_html_ ? facts.ends_sentence : !has_text_[parent]};
      if (token.kind == Token::Kind::kText || (is_overlapping_[i] && !is_html_)) {
        append_text(item);
      } else if (!is_tag(i)) {
        append_point(item, token.name, facts);
      } else if (is_copied(i, item, facts)) {
        i = append_object(item, i);
      } else {
        append_tag(item, i);
      }
      ++i;
    }
  }

  void leave(std::uint32_t end) {
    parents_.pop_back();
    if (!result_.items[item_of_[partners_[end]]].ends_sentence) --depth_;
  }

  void append_point(Item item, std::string_view name, const ElementFacts& facts) {
    item.kind = Item::Kind::kPoint;
    // Comments and the like have no name.
    item.separates = !name.empty() && !facts.is_in_words && !facts.is_raw;
    item.ends_sentence = item.ends_sentence && !name.empty();
    result_.items.push_back(item);
  }

  /// Whether an element begins that is not translated.
  bool is_copied(std::uint32_t i, const Item& item, const ElementFacts& facts) {
    if (tokens_[i].kind != Token::Kind::kBegin) return false;
    const bool is_deep = has_partner(i) && !item.ends_sentence && depth_ >= kMaxMarkupDepth;
    if (is_deep && result_.problem.empty())
      result_.problem = base::concat("elements are nested deeper than ", kMaxMarkupDepth, ": kept");
    return tokens_[i].is_kept || facts.is_kept || is_deep;
  }

  /// Returns the last token of the element.
  std::uint32_t append_object(Item item, std::uint32_t begin) {
    item.kind = Item::Kind::kObject;
    item.is_open = !has_partner(begin);
    const std::uint32_t last = item.is_open ? last_of_open(begin) : partners_[begin];
    item.range.end = tokens_[last].range.end;
    if (item.is_open) item.range.begin = remove_white_space(item.range.begin);
    result_.items.push_back(item);
    return last;
  }

  /// Removes the white space at the end of the items, if it is text.  Returns its beginning, or
  /// `end`.
  std::size_t remove_white_space(std::size_t end) {
    auto& items = result_.items;
    if (items.empty() || items.back().kind != Item::Kind::kText) return end;
    auto& text = items.back().range;
    text.end = text.begin + (text.of(line_).find_last_not_of(kMarkupWhite) + 1);
    const std::size_t begin = text.end;
    if (text.empty()) items.pop_back();
    return begin;
  }

  /// The last token of an element without an end tag.
  std::uint32_t last_of_open(std::uint32_t begin) const {
    std::uint32_t last = begin;
    while (last + 1 < tokens_.size() && !ends_open(tokens_[begin], last + 1)) {
      ++last;
      if (has_partner(last)) last = partners_[last];
    }
    return last;
  }

  /// Whether a token after an element without an end tag, and after all elements in it, ends it: a
  /// tag of HTML that implies its end, or an end tag of an element around it.
  bool ends_open(const Token& open, std::uint32_t i) const {
    const Token& token = tokens_[i];
    if (token.kind == Token::Kind::kBegin)
      return is_html_ && ends_open_element(open.name, token.name);
    return token.kind == Token::Kind::kEnd && (has_partner(i) || facts_of(token).ends_sentence);
  }

  void append_tag(Item item, std::uint32_t i) {
    const bool begins = tokens_[i].kind == Token::Kind::kBegin;
    item.kind = begins ? Item::Kind::kBegin : Item::Kind::kEnd;
    item_of_[i] = static_cast<std::uint32_t>(result_.items.size());
    if (!has_partner(i)) {
      const bool is_deep = !item.ends_sentence && ++alone_ >= kMaxMarkupDepth;
      if (is_overlapping_[i] || is_deep) item.kind = Item::Kind::kPoint;
    } else if (begins) {
      parents_.push_back(i);
      if (!item.ends_sentence) ++depth_;
    } else {
      item.partner = item_of_[partners_[i]];
      result_.items[item.partner].partner = item_of_[i];
    }
    result_.items.push_back(item);
  }

  /// Adjacent texts are one.
  void append_text(const Item& item) {
    auto& items = result_.items;
    if (!items.empty() && items.back().kind == Item::Kind::kText &&
        items.back().is_raw == item.is_raw) {
      items.back().range.end = item.range.end;
      return;
    }
    items.push_back(item);
    items.back().kind = Item::Kind::kText;
    items.back().ends_sentence = false;
  }

  std::string_view line_;
  bool is_html_;
  std::vector<Token> tokens_;
  std::vector<std::uint32_t> partners_;
  std::vector<bool> is_overlapping_, has_text_;
  std::vector<std::uint32_t> parents_;  // open elements
  std::size_t depth_ = 0;               // those in the sentence
  std::size_t alone_ = 0;               // tags in sentences without a partner
  std::vector<std::uint32_t> item_of_;  // of each tag
  MarkupStructure result_;
};

}  // namespace

MarkupStructure read_markup_structure(std::string_view line, MarkupLanguage language) {
  return Structure(line, language).read();
}

}  // namespace awend::text
