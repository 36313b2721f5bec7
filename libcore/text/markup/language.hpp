// The languages of markup.
#pragma once

#include "base/words.hpp"

namespace awend::text {

enum class MarkupLanguage {
  kNone,  ///< All is text.
  kHtml,  ///< Fragments of HTML, by the names of its elements.
  kXml,   ///< Fragments of XML.
};
inline constexpr base::Word<MarkupLanguage> kMarkupLanguageWords[] = {
    {MarkupLanguage::kNone, "none"},
    {MarkupLanguage::kHtml, "html"},
    {MarkupLanguage::kXml, "xml"}};

}  // namespace awend::text
