#include "text/sentences/language_rules.hpp"

#include <unicode/locid.h>

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

constexpr Text kNotChineseReporting[] = {
    U"知道", U"街道", U"味道", U"频道", U"頻道", U"渠道",  U"通道", U"管道", U"隧道", U"轨道",
    U"軌道", U"跑道", U"人道", U"霸道", U"地道", U"铁道",  U"鐵道", U"河道", U"航道", U"车道",
    U"車道", U"大道", U"公道", U"厚道", U"茶道", U"难道",  U"難道", U"名称", U"名稱", U"简称",
    U"簡稱", U"职称", U"職稱", U"昵称", U"暱稱", U"俗称",  U"俗稱", U"统称", U"統稱", U"人称",
    U"人稱", U"对称", U"對稱", U"别称", U"別稱", U"尊称",  U"尊稱", U"全称", U"全稱", U"著称",
    U"著稱", U"相称", U"相稱", U"小说", U"小說", U"传说",  U"傳說", U"学说", U"學說", U"听说",
    U"聽說", U"据说", U"據說", U"再说", U"再說", U"的回答"};

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
constexpr std::array<LanguageRules, 7> kRules = {{
    {.language = "ja",
     .longest_quotation = 50,
     .continuations = kJapaneseContinuations,
     .beginnings = kJapaneseBeginnings,
     .reporting = kJapaneseReporting},
    {.language = "zh",
     .longest_quotation = 50,
     .reporting = kChineseReporting,
     .not_reporting = kNotChineseReporting},
    {.language = "yue",
     .longest_quotation = 50,
     .reporting = kChineseReporting,
     .not_reporting = kNotChineseReporting},
    {.language = "ko",
     .longest_quotation = 50,
     .continuations = kKoreanContinuations,
     .reporting = kKoreanReporting},
    {.language = "km", .terminators = U"\u17D4\u17D5"},  // in Unicode, but not in ICU 72
    {.language = "hy", .terminators = U":", .pauses = U".\u2024"},
    {.language = "it", .abbreviations = kItalianTitles, .before_digits = kItalianBeforeDigits},
}};

}  // namespace

std::string canonical_language(std::string_view language) {
  return icu::Locale::createCanonical(std::string(language).c_str()).getName();
}

std::string primary_language(std::string_view language) {
  return icu::Locale::createCanonical(std::string(language).c_str()).getLanguage();
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
