#include "text/markup/elements.hpp"

#include <algorithm>
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
constexpr std::string_view kMayBeOpen[] = {
    "body", "caption", "colgroup", "dd",    "dt", "head",  "html", "li",    "optgroup", "option",
    "p",    "rp",      "rt",       "tbody", "td", "tfoot", "th",   "thead", "tr"};

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::binary_search(std::begin(names), std::end(names), name);
}

}  // namespace

ElementFacts html_element(std::string_view name) {
  return {.is_void = has(kVoid, name),
          .ends_sentence = has(kEndsSentence, name),
          .is_kept = has(kKept, name),
          .is_raw = has(kRaw, name),
          .may_be_open = has(kMayBeOpen, name),
          .is_in_words = name == "wbr"};
}

}  // namespace awend::text
