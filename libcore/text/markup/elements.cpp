#include "text/markup/elements.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace awend::text {
namespace {

// Sorted.
constexpr std::string_view kVoid[] = {
    "area", "base",  "basefont", "bgsound", "br",   "col",   "embed",  "frame", "hr", "image",
    "img",  "input", "keygen",   "link",    "meta", "param", "source", "track", "wbr"};
constexpr std::string_view kEndsSentence[] = {
    "address",   "article",  "aside",    "blockquote", "body",    "br",       "button", "caption",
    "center",    "col",      "colgroup", "dd",         "details", "dialog",   "dir",    "div",
    "dl",        "dt",       "fieldset", "figcaption", "figure",  "footer",   "form",   "frame",
    "frameset",  "h1",       "h2",       "h3",         "h4",      "h5",       "h6",     "head",
    "header",    "hgroup",   "hr",       "html",       "iframe",  "legend",   "li",     "listing",
    "main",      "menu",     "nav",      "noframes",   "ol",      "optgroup", "option", "p",
    "plaintext", "pre",      "search",   "section",    "select",  "summary",  "table",  "tbody",
    "td",        "textarea", "tfoot",    "th",         "thead",   "title",    "tr",     "ul",
    "xmp"};
constexpr std::string_view kKept[] = {"acronym", "code", "dir", "kbd", "math",
                                      "samp",    "svg",  "tt",  "var"};
constexpr std::string_view kRaw[] = {"iframe", "noembed", "noframes", "noscript", "plaintext",
                                     "script", "style",   "template", "textarea", "xmp"};

/// An element whose end tag is optional.
struct MayBeOpen {
  std::string_view name;
  std::array<std::string_view, 6> ended_by = {};  // start tags; see ends_open_element()
};

// Sorted.
constexpr MayBeOpen kMayBeOpen[] = {{"body"},
                                    {"caption", {"colgroup", "tbody", "tfoot", "thead", "tr"}},
                                    {"colgroup", {"colgroup", "tbody", "tfoot", "thead", "tr"}},
                                    {"dd", {"dd", "dt"}},
                                    {"dt", {"dd", "dt"}},
                                    {"head", {"body"}},
                                    {"html"},
                                    {"li", {"li"}},
                                    {"optgroup", {"optgroup"}},
                                    {"option", {"optgroup", "option"}},
                                    {"p"},
                                    {"rp", {"rp", "rt"}},
                                    {"rt", {"rp", "rt"}},
                                    {"tbody", {"tbody", "tfoot", "thead"}},
                                    {"td", {"tbody", "td", "tfoot", "th", "thead", "tr"}},
                                    {"tfoot", {"tbody", "tfoot", "thead"}},
                                    {"th", {"tbody", "td", "tfoot", "th", "thead", "tr"}},
                                    {"thead", {"tbody", "tfoot", "thead"}},
                                    {"tr", {"tbody", "tfoot", "thead", "tr"}}};

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::binary_search(std::begin(names), std::end(names), name);
}

/// Null if the element must have an end tag.
const MayBeOpen* find_may_be_open(std::string_view name) {
  const auto* const found = std::ranges::lower_bound(kMayBeOpen, name, {}, &MayBeOpen::name);
  return found != std::end(kMayBeOpen) && found->name == name ? found : nullptr;
}

}  // namespace

ElementFacts html_element(std::string_view name) {
  return {.is_void = has(kVoid, name),
          .ends_sentence = has(kEndsSentence, name),
          .is_kept = has(kKept, name),
          .is_raw = has(kRaw, name),
          .may_be_open = find_may_be_open(name) != nullptr,
          .is_in_words = name == "wbr"};
}

bool ends_open_element(std::string_view open, std::string_view next) {
  // Blocks end a paragraph.
  if (open == "p") return has(kEndsSentence, next) && next != "button" && next != "select";
  const auto* const element = find_may_be_open(open);
  return element != nullptr &&
         std::ranges::find(element->ended_by, next) != element->ended_by.end();
}

}  // namespace awend::text
