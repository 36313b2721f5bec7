#include "text/sentences.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::text;
using awend::tests::message_of;
using awend::tests::Scratch;
using Sentences = std::vector<std::string>;

Sentences split(std::string_view line, const SentenceSettings& settings = {}) {
  SentenceBreaker breaker(settings);
  const auto& found = breaker.split(line);
  return {found.begin(), found.end()};
}

TEST_CASE("a line is split into its sentences") {
  CHECK(split("It rains. \u201CStay here!\u201D he said. Why? Because.") ==
        Sentences{"It rains.", "\u201CStay here!\u201D he said.", "Why?", "Because."});
  CHECK(split("  one  ") == Sentences{"one"});
  CHECK(split("").empty());
  CHECK(split(" \t\u3000\u00A0").empty());
  CHECK(split("It costs 3.50 at awend.org. Buy it.") ==
        Sentences{"It costs 3.50 at awend.org.", "Buy it."});
  CHECK(split("\u4F60\u597D\u3002\u518D\u89C1\u3002", {.language = "zh"}) ==
        Sentences{"\u4F60\u597D\u3002", "\u518D\u89C1\u3002"});
}

TEST_CASE("an abbreviation does not end a sentence") {
  CHECK(split("Mr. Smith met J. R. Tolkien. They talked.") ==
        Sentences{"Mr. Smith met J. R. Tolkien.", "They talked."});
  CHECK(split("Das ist z.B. Wasser. Es ist kalt.", {.language = "de"}) ==
        Sentences{"Das ist z.B. Wasser.", "Es ist kalt."});
  CHECK(split("Il lit E\u0301. Zola. Fin.") == Sentences{"Il lit E\u0301. Zola.", "Fin."});
  CHECK(split("(A. Smith) left. B") == Sentences{"(A. Smith) left.", "B"});
}

TEST_CASE("Moses' lists add abbreviations") {
  const Scratch scratch;
  scratch.write("nonbreaking_prefix.en", "Xyz\nArt #NUMERIC_ONLY#\n");
  const SentenceSettings settings{.prefixes = scratch.folder()};
  const std::string line = "See Xyz. Smith. Take Art. 5 Now. He likes Art. Then he left.";
  CHECK(split(line) ==
        Sentences{"See Xyz.", "Smith.", "Take Art.", "5 Now.", "He likes Art.", "Then he left."});
  CHECK(split(line, settings) ==
        Sentences{"See Xyz. Smith.", "Take Art. 5 Now.", "He likes Art.", "Then he left."});
  CHECK(message_of([] { split("a", {.prefixes = "/nowhere"}); }).find("/nowhere") !=
        std::string::npos);
}

TEST_CASE("sentences contain all of a line but white space") {
  SentenceBreaker breaker({});
  const std::string line = "A b.C d. E... f? \u00BFQu\u00E9? G! \u2028 H. (I j.) \U0001F600. K";
  std::string text, joined;
  for (const char c : line) {
    if (c != ' ') text += c;
  }
  for (const std::string_view sentence : breaker.split(line)) {
    CHECK_FALSE(sentence.starts_with(' '));
    CHECK_FALSE(sentence.ends_with(' '));
    for (const char c : sentence) {
      if (c != ' ') joined += c;
    }
  }
  const std::string separator = "\u2028";
  text.erase(text.find(separator), separator.size());
  CHECK(joined == text);
}

TEST_CASE("sentences are separated by a space where the language has spaces") {
  CHECK(sentence_separator("de") == " ");
  CHECK(sentence_separator("ja").empty());
  for (const char* const code : {"zh-TW", "zho_Hans", "cmn", "jpn_Jpan", "ZH", "yue_Hant"})
    CHECK(sentence_separator(code).empty());
  for (const char* const code : {"th", "tha_Thai", "lo", "km", "my", "klingon", ""})
    CHECK(sentence_separator(code) == " ");
}

// A line of these sentences, joined as the language is written, is split into them again.
struct Case {
  std::string language;
  Sentences sentences;
};

void check_cases(const std::vector<Case>& cases) {
  for (const auto& [language, sentences] : cases) {
    std::string line;
    for (const std::string& sentence : sentences) {
      if (!line.empty()) line += sentence_separator(language);
      line += sentence;
    }
    INFO(language << ": " << line);
    CHECK(split(line, {.language = language}) == sentences);
  }
}

TEST_CASE("quotation marks belong to their sentence") {
  check_cases({
      {"ja", {"彼は語った。", "「今日は雨だ。」", "そして帰った。"}},
      {"ja", {"市長は会見した。", "「予算が足りない。」と述べた。", "議会は反対した。"}},
      {"ja", {"「もう遅い！」彼は叫んだ。", "『坊っちゃん』は小説だ。"}},
      {"ja", {"駅（昨年できた。新しい。）は広い。", "人が多い。"}},
      {"zh", {"他走了。", "“明天见。”", "她笑了。"}},
      {"zh", {"我看了《摔跤吧！爸爸》。", "很好看。", "《红楼梦》很长。"}},
      {"zh", {"“桥修好了。”市长说。", "“大家都很高兴。”"}},
      {"zho_Hans", {"“好。”他说道。", "“走吧。”", "他走上街道。", "“是的。”", "我知道。"}},
      {"zh", {"“快看！”", "他改变了名称。", "“好书！”", "这是一本小说。", "你呢？"}},
      {"jpn", {"「はい。」と彼は言った。", "彼は帰った。"}},
      {"zh-TW", {"他說：「好。」", "《西遊記》很有名。"}},
      {"zh", {"公司很忙。", "eBay也很忙。"}},
      {"ko", {"“비가 옵니다.” 라고 그는 말했다.", "그는 집에 갔다."}},
      {"ko", {"\"문을 닫았습니다.\"라고 시장이 말했다.", "\"내일 엽니다.\""}},
      {"ko", {"“끝났습니다.” 그가 말했다.", "회의는 짧았다."}},
      {"fr", {"Je n'ai jamais vu ça. »", "Il est parti.", "« Oui ! » dit-elle.", "Rien."}},
      {"fr",
       {"Jamais vu ça.\u00A0»", "Il est parti.", "«\u00A0Oui\u00A0!\u00A0» dit-elle.", "Rien."}},
      {"fr", {"Jamais vu ça.\u202F»", "Il part.", "«\u202FOui\u202F!\u202F» dit-elle.", "Rien."}},
      {"fr", {"\" C'est fini \", dit-il.", "Il est seul.", "\" Pas moi. \"", "Elle reste."}},
      {"de", {"Er ging.", "„Wohin?“ fragte sie.", "„Nach Hause.“", "Es regnete."}},
      {"de", {"»Komm mit!« rief er.", "»Gern.«", "Sie gingen."}},
      {"da", {"Han sagde: »Ja.«", "Hun gik."}},
      {"sv", {"”Det går bra.”", "Hon log.", "”Vad nu?” sade han.", "Ingen svarade."}},
      {"pl", {"„Nie wiem.”", "Wyszedł.", "„Kto tam?” zapytała.", "Cisza."}},
      {"cs", {"„Nevím.“", "Odešel.", "„Kdo je tam?“ zeptala se.", "Ticho."}},
      {"hu", {"„Nem tudom.”", "Elment.", "„Ki az?” kérdezte.", "Csend."}},
      {"ro", {"„Nu știu.”", "A plecat.", "„Cine e?” a întrebat ea.", "Liniște."}},
      {"es", {"«No lo sé.»", "Se fue.", "¿Quién es?", "«¡Nadie!», gritó.", "Silencio."}},
      {"it", {"«Non lo so.»", "È uscito.", "“Chi è?” chiese lei.", "Silenzio."}},
      {"ru", {"«Не знаю.»", "Он ушёл.", "«Кто там?» — спросила она.", "Тишина."}},
      {"uk", {"«Не знаю.»", "Він пішов.", "«Хто там?» — спитала вона.", "Тиша."}},
      {"el", {"«Δεν ξέρω.»", "Έφυγε.", "Ποιος είναι;", "«Κανείς.»"}},
      {"nl", {"“Geen idee.”", "Hij ging weg.", "‘Wie is daar?’ vroeg ze.", "Stilte."}},
      {"pt", {"“Não sei.”", "Ele saiu.", "“Quem é?” perguntou ela.", "Silêncio."}},
      {"fi", {"”En tiedä.”", "Hän lähti.", "”Kuka siellä?” kysyi hän.", "Hiljaista."}},
      {"tr", {"“Bilmiyorum.”", "Gitti.", "“Kim o?” diye sordu.", "Sessizlik."}},
      {"hi", {"“मुझे नहीं पता।”", "वह चला गया।", "बारिश हुई।"}},
      {"ar", {"قال: «لا أعرف.»", "ثم ذهب.", "من هناك؟", "لا أحد."}},
      {"en", {"\"I know.\"", "He left.", "\"Who's there?\" she asked.", "(It was late.)", "“Me.”"}},
  });
}

TEST_CASE("a quotation with a mark that is missing or wrong does not hold a line together") {
  check_cases({
      {"ja", {"彼は「雨だ。", "雪だ。", "風だ。"}},
      {"zh", {"他说“好。", "天晴了。", "大家走了。"}},
      {"zh", {"“我们输了。“", "球队很失望。", "“明年再来。“"}},
      {"fr", {"Il parle de l\"économie.", "\" Bon \", dit-elle.", "Rien."}},
      {"en", {"It (the bridge is old.", "It is closed.", "\"Why?", "Because."}},
  });
  std::string flood;
  for (int i = 0; i < 100'000; ++i) flood += "\u300C雨。";
  CHECK(split(flood, {.language = "ja"}).size() == 100'000);
  for (char& c : flood) c = '"';
  CHECK(split(flood, {.language = "ja"}).size() == 1);
}

TEST_CASE("text after a quotation that begins a sentence is not a continuation") {
  check_cases({
      {"ja", {"「雨だ。」", "ところが晴れた。"}},
      {"ja", {"「雨だ。」", "彼は晴れると言った。"}},
      {"ko", {"“비가 옵니다.”", "그는 눈이 온다고 말했다."}},
      {"zh", {"“下雨了。”", "他没有伞。"}},
  });
}

TEST_CASE("Armenian ends sentences with a colon, and pauses with a period") {
  check_cases({
      {"hy", {"Նա գնաց տուն։", "Անձրև էր։"}},
      {"hy", {"Նա գնաց տուն:", "Անձրև էր:", "Ժամը 10:30 էր:"}},
      {"hy", {"2017թ. Հունիսին նա եկավ:", "Նա ասաց. «Բարև»:"}},
  });
}

TEST_CASE("scripts without capitals, and their full stops") {
  check_cases({
      {"ka", {"დიახ!", "კარგი?", "კი."}},
      {"km", {"នេះជាប្រយោគទីមួយ។", "នេះជាប្រយោគទីពីរ៕", "តើអ្នកសុខសប្បាយទេ?", "បាទ ។ល។"}},
      {"khm_Khmr", {"នេះ។", "បាទ។"}},
      {"th", {"คุณมาไหม?", "มา!", "ไป."}},
      {"my", {"သွားမလား။", "သွားမယ်။"}},
      {"hye", {"Նա գնաց տուն:", "Անձրև էր:"}},
  });
}

TEST_CASE("Italian titles, pages and dates") {
  check_cases({
      {"it", {"Parla l'Avv. Rossi.", "Poi parla l’Ing. Bianchi."}},
      {"it", {"È nato il 5 Ago. 1970 a Roma.", "Vedi p. 55.", "Oppure pp. 60 e 61."}},
      {"it", {"Partiamo ad ago.", "Torniamo a set. 12."}},
  });
  const Scratch scratch;
  scratch.write("nonbreaking_prefix.it", "Avv\nArt #NUMERIC_ONLY#\n");
  const SentenceSettings settings{.language = "it", .prefixes = scratch.folder()};
  CHECK(split("Ecco l'Avv. Rossi. Vede l'Art. 5 e l'Art. Poi esce.", settings) ==
        Sentences{"Ecco l'Avv. Rossi.", "Vede l'Art. 5 e l'Art.", "Poi esce."});
}

TEST_CASE("time is linear in the number of places where a sentence may end") {
  for (const std::string part : {"\r", "\u2028", "( \r", "\r)", "( \r) "}) {
    std::string between;
    for (int i = 0; i < 100'000; ++i) between += part;
    const auto sentences = split("Rain." + between + "It is late. So what?", {.language = "en"});
    CHECK(sentences.front().starts_with("Rain."));
    CHECK(sentences.back() == "So what?");
    CHECK(sentences.size() == 3);
  }
}

TEST_CASE("no sentence begins with a comma") {
  check_cases({
      {"fr", {"« Un requin ! » , dit Chad.", "Il nage."}},
      {"zh", {"《你好！》，他说。", "再见。"}},
      {"en", {"“It is late”, he said.", "“So what?”, she said.", "Rain."}},
  });
}

}  // namespace
