#include "decode/line_languages.hpp"

#include "base/error.hpp"
#include "text/languages.hpp"

namespace awend::decode {

LineLanguage LineLanguage::of_source(const text::Vocabulary& vocabulary,
                                     const LanguageNames& names) {
  if (!text::has_language_tags(vocabulary))
    return {vocabulary, names.source, kSourceLanguage, Use::kRequired};
  if (!names.source.empty())
    throw base::UsageError(
        base::Message(kSourceLanguage, ": the model reads the target language only"));
  return {vocabulary, names.target, kTargetLanguage, Use::kOptional};
}

LineLanguage LineLanguage::of_target(const text::Vocabulary& vocabulary,
                                     const LanguageNames& names) {
  if (text::has_language_tags(vocabulary)) return {vocabulary, "", kTargetLanguage, Use::kNone};
  return {vocabulary, names.target, kTargetLanguage, Use::kRequired};
}

LineLanguage::LineLanguage(const text::Vocabulary& vocabulary, const std::string& name,
                           const base::Setting& setting, Use use)
    : vocabulary_(vocabulary),
      setting_(setting),
      use_(vocabulary.content().languages.empty() ? Use::kNone : use) {
  if (name.empty()) return;
  if (use_ == Use::kNone)
    throw base::UsageError(base::Message(setting, " needs a model with a list of languages"));
  try {
    id_ = text::language_id(vocabulary, name);
  } catch (const base::Error& error) {
    throw base::UsageError(base::Message(setting, ": ", error.what()));
  }
}

std::optional<std::uint32_t> LineLanguage::take(std::vector<std::uint32_t>& ids,
                                                std::vector<std::string>& texts) const {
  if (use_ == Use::kNone) return std::nullopt;
  if (!ids.empty() && vocabulary_.is_language(ids.front())) {
    const auto first = ids.front();
    ids.erase(ids.begin());
    if (!texts.empty()) texts.erase(texts.begin());
    return first;
  }
  if (!id_ && is_needed())
    base::fail("the line does not begin with the token of a language, and ", setting_.description,
               " is not given");
  return id_;
}

std::vector<std::uint32_t> with_language(std::optional<std::uint32_t> language,
                                         const std::vector<std::uint32_t>& ids) {
  std::vector<std::uint32_t> all;
  if (language) all.push_back(*language);
  all.insert(all.end(), ids.begin(), ids.end());
  return all;
}

}  // namespace awend::decode
