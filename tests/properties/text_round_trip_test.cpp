// decode(encode(x)) = normalize(x), byte for byte: for every code point, for lines made to be hard,
// and for random ones. The vocabularies are learnt from a little text, so that most characters go
// through bytes and some do not.
#include <nlohmann/json.hpp>
#include <random>

#include "base/utf8.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "text/learn/learn.hpp"
#include "text/tokenizer.hpp"

namespace {

using namespace awend::text;

const std::vector<std::string>& training_text() {
  static const std::vector<std::string> lines = {
      "The quick brown fox jumps over the lazy dog. The dog, 12 years old, sleeps.",
      "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. Das ist der Deich.",
      "我们喜欢音乐。我们喜欢音乐。 ภาษาไทย ภาษาไทย हिन्दी हिन्दी "
      "👩‍👩‍👧 "
      "👩‍👩‍👧",
      "<unk> </s> <0x20> <0x20> <unk> e\u0301e\u0301 \u0301\u0301"};
  return lines;
}

Vocabulary learnt(VocabularyType type, const TextForm& form) {
  // Of any text that is not changed by normalization: letters, digits, marks; ends of words.
  const SymbolLists symbols = {.control = {"<2de>"}, .user = {"<s>", "og", "2", "ล", "\"", "é"}};
  WordCounter counter({.form = form, .symbols = symbols.user});
  for (const std::string& line : training_text()) counter.add(0, line);
  const WordList list = counter.finish();
  return learn(list.words(), {.type = type, .form = form, .size = 400, .symbols = symbols},
               [](std::uint32_t) {});
}

const std::vector<TextForm>& forms() {
  static const std::vector<TextForm> all = {
      {.normalization = Normalization::kNone},
      {.normalization = Normalization::kNfc},
      {.normalization = Normalization::kNfkc},
      {.normalization = Normalization::kNfc, .control = ControlCharacters::kRemove},
      {.normalization = Normalization::kNfkc, .letter_case = LetterCase::kLower},
  };
  return all;
}

// Fails unless each line comes back, as ids and as token lines.
void check_round_trips(const std::vector<std::string>& lines) {
  for (const auto type : {VocabularyType::kBpe, VocabularyType::kWordPiece}) {
    for (const TextForm& form : forms()) {
      const Vocabulary vocabulary = learnt(type, form);
      Tokenizer tokenizer(vocabulary), for_pieces(vocabulary), for_ids(vocabulary);
      for (const std::string& line : lines) {
        const Ids ids = tokenizer.encode(line);
        const std::string tokens = join_pieces(vocabulary, ids);
        if (split_pieces(vocabulary, tokens) != ids)
          FAIL("token line of '" << line << "': " << tokens);
        std::string again;
        for_pieces.append_pieces(line, again);
        if (again != tokens) FAIL("token line of '" << line << "': " << again);
        Ids same_ids;
        for_ids.append_ids(line, same_ids);
        if (same_ids != ids) FAIL("ids of '" << line << "'");
        if (decode(vocabulary, ids) != normalize(line, form))
          FAIL("'" << line << "' was " << tokens);
      }
    }
  }
}

std::string code_point(char32_t value) {
  std::string text;
  awend::base::append_code_point(text, value);
  return text;
}

bool may_stand_in_a_line(char32_t value) {
  return value != U'\n' && (value < 0xD800 || value > 0xDFFF);
}

TEST_CASE("every code point of every plane comes back among its neighbours", "[processor]") {
  std::vector<std::string> lines;
  for (char32_t value = 0; value <= 0x10FFFF; ++value) {
    if (value % 64 == 0) lines.emplace_back();
    if (may_stand_in_a_line(value)) lines.back() += code_point(value);
  }
  check_round_trips(lines);
}

TEST_CASE("every code point in use comes back, alone and among letters", "[processor]") {
  std::vector<std::string> lines;
  for (char32_t value = 0; value <= 0x10FFFF; ++value) {
    // Everything where characters live; a sample of what is private or unassigned.
    const bool dense = value < 0x3400 || (value >= 0xA000 && value < 0xAC00) ||
                       (value >= 0xF900 && value < 0x10400) ||
                       (value >= 0x1F000 && value < 0x20000) || value >= 0x10FFF0;
    if (!may_stand_in_a_line(value) || (!dense && value % 61 != 0)) continue;
    const std::string character = code_point(value);
    lines.push_back(character);
    lines.push_back("a" + character + "b " + character + " " + character + character);
  }
  check_round_trips(lines);
}

// The same thought in many languages and scripts.
const std::vector<std::string>& languages() {
  static const std::vector<std::string> lines = {
      "The neighbour's cat sleeps on the warm roof; in 2024 it was three years old.",
      "Die Katze des Nachbarn schläft auf dem warmen Dach; 2024 war sie drei Jahre alt.",
      "Le chat du voisin dort sur le toit chaud ; en 2024 il avait trois ans, n'est-ce pas ?",
      "El gato del vecino duerme en el tejado caliente; en 2024 tenía tres años. ¿Verdad?",
      "O gato do vizinho dorme no telhado quente; em 2024 tinha três anos. Não é?",
      "Il gatto del vicino dorme sul tetto caldo; nel 2024 aveva tre anni. Perché no?",
      "De kat van de buurman slaapt op het warme dak; in 2024 was zij drie jaar oud.",
      "Naboens katt sover på det varme taket; i 2024 var den tre år gammel.",
      "Naapurin kissa nukkuu lämpimällä katolla; vuonna 2024 se oli kolmevuotias.",
      "Sousedova kočka spí na teplé střeše; v roce 2024 jí byly tři roky.",
      "Kot sąsiada śpi na ciepłym dachu; w 2024 roku miał trzy lata.",
      "A szomszéd macskája a meleg tetőn alszik; 2024-ben három éves volt.",
      "Komşunun kedisi sıcak çatıda uyuyor; 2024'te üç yaşındaydı. İyi!",
      "Con mèo của hàng xóm ngủ trên mái nhà ấm; năm 2024 nó được ba tuổi.",
      "Η γάτα του γείτονα κοιμάται στη ζεστή στέγη· το 2024 ήταν τριών ετών.",
      "Кошка соседа спит на тёплой крыше; в 2024 году ей было три года.",
      "Кіт сусіда спить на теплому даху; у 2024 році йому було три роки, чи не так?",
      "החתול של השכן ישן על הגג החם; בשנת 2024 הוא היה בן שלוש.",
      "قطة الجار تنام على السطح الدافئ؛ في عام ٢٠٢٤ كان عمرها ثلاث سنوات.",
      "گربه‌ی همسایه روی بام گرم می‌خوابد؛ در سال ۲۰۲۴.",
      "पड़ोसी की बिल्ली गर्म छत पर सोती है; २०२४ में वह तीन साल की थी।",
      "প্রতিবেশীর বিড়াল গরম ছাদে ঘুমায়; ২০২৪ সালে তার বয়স ছিল তিন বছর।",
      "பக்கத்து வீட்டுப் பூனை சூடான கூரையில் தூங்குகிறது.",
      "แมวของเพื่อนบ้านนอนบนหลังคาอุ่นในปี 2024 มันอายุสามขวบ",
      "ឆ្មារបស់អ្នកជិតខាងដេកលើដំបូលក្តៅ",
      "邻居的猫睡在温暖的屋顶上；2024年它三岁了。",
      "隣の猫は暖かい屋根の上で眠っている。2024年には三歳だった。",
      "이웃집 고양이가 따뜻한 지붕 위에서 잔다. 2024년에는 세 살이었다.",
      "მეზობლის კატა თბილ სახურავზე სძინავს; 2024 წელს სამი წლის იყო.",
      "Հարևանի կատուն քնում է տաք տանիքին։",
      "የጎረቤት ድመት በሞቃት ጣሪያ ላይ ትተኛለች።",
  };
  return lines;
}

TEST_CASE("text in many languages comes back", "[processor]") {
  REQUIRE(languages().size() > 20);
  check_round_trips(languages());
}

TEST_CASE("text in many languages comes back through a vocabulary of its own", "[processor]") {
  WordCounter counter({});
  for (const std::string& line : languages()) {
    counter.add(0, line);
    counter.add(0, line);
  }
  const WordList list = counter.finish();
  const Vocabulary vocabulary = learn(list.words(), {.size = 2000}, [](std::uint32_t) {});
  Tokenizer tokenizer(vocabulary);
  for (const std::string& line : languages()) {
    const Ids ids = tokenizer.encode(line);
    // Nothing is written as bytes, because every character was seen.
    for (const std::uint32_t id : ids) CHECK_FALSE(Vocabulary::is_byte(id));
    CHECK(decode(vocabulary, ids) == normalize(line, Normalization::kNfc));
  }
}

TEST_CASE("the conformance data's texts in many languages come back", "[conformance]") {
  std::vector<std::string> lines;
  for (const char* language : {"cs", "de", "en", "fi", "fr", "it", "ru", "zh"}) {
    const auto path = awend::tests::conformance_file(std::string("moses/") + language + ".raw");
    if (!path) return;
    const auto more = awend::tests::read_lines(*path);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  REQUIRE(lines.size() > 1000);
  check_round_trips(lines);
}

TEST_CASE("hard lines come back", "[processor]") {
  check_round_trips({"",
                     " ",
                     "  ",
                     "   a  b   ",
                     "\t",
                     " \t ",
                     "a\r",
                     std::string(1, '\0'),
                     std::string(" \0 \0", 4),
                     "▁",
                     "▁▁ ▁a a▁ ▁ ▁",
                     " ▁The",
                     "<unk> </s> <0x0A> <0x00>",
                     "<unk></s><0x20>",
                     "\u00A0a\u00A0 \u202F\u2009 \u3000",
                     "\uFEFFa\u200Bb\u00ADc",
                     "\u2028 \u2029 \u0085",
                     " \u0301 \u0301a",
                     "\u1100\u1161\u11A8 \uAC01",
                     "\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7\U0001F1E9",
                     "1234567890 ٣٤٥ ½ Ⅳ",
                     "\u202Eabc\u202C",
                     std::string(100'000, 'a'),
                     std::string(100'000, ' '),
                     std::string(10'000, '9'),
                     "\uFFFD\uFFFE\uFFFF\U0010FFFF"});
}

TEST_CASE("random lines come back", "[processor]") {
  std::mt19937 random(3);
  const auto character = [&]() -> char32_t {
    static constexpr char32_t kNasty[] = {U' ',      U' ', U' ', U'▁',  U'\t',     U'\0',
                                          U'a',      U'1', U'.', U'<',  U'\u0301', U'\u200D',
                                          U'\u00A0', U'म', U'ไ', U'我', U'가',     U'\U0001F1E9'};
    switch (random() % 4) {
      case 0:
        return kNasty[random() % std::size(kNasty)];
      case 1:
        return U' ' + random() % 0x60;
      case 2:
        return random() % 0x3000;
      default:
        return random() % 0x110000;
    }
  };
  std::vector<std::string> lines(4000);
  for (std::string& line : lines) {
    for (std::size_t length = random() % 30; length > 0;) {
      const char32_t value = character();
      if (!may_stand_in_a_line(value)) continue;
      line += code_point(value);
      --length;
    }
  }
  check_round_trips(lines);
}

TEST_CASE("lines come back through dropout", "[processor]") {
  const Vocabulary vocabulary = learnt(VocabularyType::kBpe, {});
  Tokenizer tokenizer(vocabulary);
  for (const std::string& line : training_text()) {
    const Ids whole = tokenizer.encode(line);
    const Ids dropped = tokenizer.encode(line, {0.5, awend::base::Random(1)});
    CHECK(dropped.size() > whole.size());
    CHECK(decode(vocabulary, dropped) == normalize(line, Normalization::kNfc));
  }
}

TEST_CASE("the conformance strings come back", "[conformance]") {
  const auto path = awend::tests::conformance_file("unicode/normalization.jsonl");
  if (!path) return;
  std::vector<std::string> lines;
  for (const auto& line : awend::tests::read_json_lines(*path)) {
    for (const char* form : {"in", "NFD", "NFKC", "upper"}) {
      const std::string text = line[form];
      if (text.find('\n') == std::string::npos) lines.push_back(text);
    }
  }
  check_round_trips(lines);
}

}  // namespace
