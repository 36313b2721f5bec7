#include "text/sentences/language_rules.hpp"

#include <algorithm>
#include <array>

namespace awend::text::sentences {
namespace {

using Text = std::u32string_view;

// Particles after 」.
constexpr Text kJapaneseContinuations[] = {U"と", U"って", U"は",   U"が",     U"を", U"に",
                                           U"の", U"も",   U"で",   U"へ",     U"や", U"など",
                                           U"か", U"だ",   U"なる", U"なんて", U"し", U"な"};
constexpr Text kJapaneseBeginnings[] = {
    U"ところ",   U"とはいえ", U"とにかく", U"とりわけ", U"とても", U"では",       U"でも",
    U"できる",   U"はい",     U"はたして", U"はじめ",   U"もし",   U"もう",       U"もっと",
    U"もちろん", U"もはや",   U"やがて",   U"やはり",   U"やっと", U"かつて",     U"かなり",
    U"かつ",     U"だから",   U"だが",     U"しかし",   U"しかも", U"したがって", U"しばらく",
    U"なお",     U"なぜ",     U"なかでも", U"なかには", U"なに",   U"のち",       U"にも"};
constexpr Text kJapaneseReporting[] = {
    U"語る",       U"語った",   U"言う",       U"言った",     U"述べた",     U"述べる",
    U"話す",       U"話した",   U"答えた",     U"叫んだ",     U"語っている", U"述べている",
    U"話している", U"言います", U"言いました", U"述べました", U"語りました", U"話しました"};

constexpr Text kChineseReporting[] = {U"说",   U"说道",   U"表示", U"称",    U"道", U"写道",
                                      U"问道", U"回答",   U"說",   U"說道",  U"稱", U"寫道",
                                      U"問道", U"补充说", U"指出", U"解释说"};

constexpr Text kKoreanContinuations[] = {
    U"라고", U"이라고", U"라는", U"이라는", U"라며", U"이라며", U"라면서", U"이라면서", U"라",
    U"고 ",  U"하고 ",  U"하며", U"며 ",    U"면서", U"는 ",    U"은 ",    U"란 ",      U"이란 "};
constexpr Text kKoreanReporting[] = {
    U"말했다", U"말한다",   U"말했습니다", U"말합니다", U"덧붙였다", U"덧붙였습니다", U"전했다",
    U"밝혔다", U"설명했다", U"강조했다",   U"주장했다", U"답했다",   U"외쳤다",       U"물었다"};

constexpr std::string_view kItalianTitles[] = {"Avv", "avv",  "Dott", "dott", "Sig",
                                               "sig", "Ing",  "ing",  "Geom", "Rag",
                                               "On",  "Arch", "Prof", "prof"};
constexpr std::string_view kItalianBeforeDigits[] = {
    "Gen", "Feb", "Mar", "Apr", "Mag", "Giu", "Lug", "Ago",  "Set", "Sett", "Ott",  "Nov",
    "Dic", "gen", "feb", "mar", "apr", "mag", "giu", "lug",  "ago", "set",  "sett", "ott",
    "nov", "dic", "pag", "Pag", "cap", "Cap", "n",   "artt", "tav", "Tav"};

constexpr std::string_view kCommonBeforeDigits[] = {"p",   "pp",  "vol", "Vol",
                                                    "fig", "Fig", "nr",  "Nr"};

constexpr LanguageRules kOthers = {.language = ""};
constexpr std::array<LanguageRules, 6> kRules = {{
    {.language = "ja",
     .longest_quotation = 50,
     .continuations = kJapaneseContinuations,
     .beginnings = kJapaneseBeginnings,
     .reporting = kJapaneseReporting},
    {.language = "zh", .longest_quotation = 50, .reporting = kChineseReporting},
    {.language = "yue", .longest_quotation = 50, .reporting = kChineseReporting},
    {.language = "ko",
     .longest_quotation = 50,
     .continuations = kKoreanContinuations,
     .reporting = kKoreanReporting},
    {.language = "hy", .terminators = U":", .pauses = U".\u2024"},
    {.language = "it", .abbreviations = kItalianTitles, .before_digits = kItalianBeforeDigits},
}};

}  // namespace

std::string_view primary_language(std::string_view language) {
  return language.substr(0, language.find_first_of("-_"));
}

const LanguageRules& rules_of(std::string_view language) {
  const auto* const found =
      std::ranges::find(kRules, primary_language(language), &LanguageRules::language);
  return found == kRules.end() ? kOthers : *found;
}

std::span<const std::string_view> common_before_digits() {
  return kCommonBeforeDigits;
}

}  // namespace awend::text::sentences
