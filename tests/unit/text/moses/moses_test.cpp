// Moses' tokenizer and detokenizer: rule by rule with short lines, then all that the scripts
// print for the conformance data.
#include "text/moses/moses.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/scratch.hpp"

namespace {

using awend::tests::message_of;
using awend::tests::Scratch;
using awend::text::MosesSettings;
using awend::text::MosesTokenizer;

std::string words(std::string_view line, const MosesSettings& settings = {.escape = false}) {
  std::string tokens;
  MosesTokenizer(settings).tokenize(line, tokens);
  return tokens;
}

std::string words_in(const std::string& language, std::string_view line) {
  return words(line, {.language = language, .escape = false});
}

std::string line_of(const std::string& language, std::string_view tokens) {
  std::string line;
  MosesTokenizer({.language = language}).detokenize(tokens, line);
  return line;
}

TEST_CASE("moses: white space and control characters") {
  CHECK(words("  a \t b\u00a0c\u2003d\r") == "a b c d");
  CHECK(words("a\x01z b \x1f c\x7f") == "az b c \x7f");
  CHECK(words(std::string_view("a\0b", 3)) == "ab");
  CHECK(words("") == "");
  CHECK(words(" \t\u3000") == " \t\u3000");  // a blank line stays as it is
  CHECK(words("\x02") == "");
}

TEST_CASE("moses: symbols are separated") {
  CHECK(words("(cats)/[dogs]; what?!") == "( cats ) / [ dogs ] ; what ? !");
  CHECK(words("co-op `x` a-b") == "co-op `x` a-b");
  CHECK(words("क्या 5₂ x²") == "क ् या 5 ₂ x ²");
  CHECK(words_in("en", "USA:n 12:30") == "USA : n 12 : 30");
  CHECK(words_in("fi", "USA:n 12:30 a: b:C") == "USA:n 12 : 30 a : b : C");
  CHECK(words_in("sv", "S:t") == "S:t");
  CHECK(words_in("ca", "il·lusió a·B") == "il·lusió a·B");
  CHECK(words_in("es", "il·lusió") == "il · lusió");
}

TEST_CASE("moses: hyphens and dots in a row") {
  const MosesSettings aggressive{.aggressive_hyphens = true, .escape = false};
  CHECK(words("well-known a-b-c -x y- é-1 --", aggressive) ==
        "well @-@ known a @-@ b @-@ c -x y- é @-@ 1 --");
  CHECK(words("so...what.. no....") == "so ... what .. no ....");
  CHECK(words("DOTMULTI DOTDOTMULTI. x") == ". ... x");  // Moses' own words for them
}

TEST_CASE("moses: commas") {
  CHECK(words("1,000 a,b 1,a b,2 x, ,y") == "1,000 a , b 1 , a b , 2 x , , y");
  CHECK(words("it was 7,") == "it was 7 ,");
  CHECK(words("5,,,6") == "5 , , ,6");  // a match has taken what the next would need
  CHECK(words(",5") == ",5");
}

TEST_CASE("moses: apostrophes") {
  CHECK(words_in("en", "don't 'x' 80's dogs' 5'x") == "don 't ' x ' 80 's dogs ' 5'x");
  for (const char* language : {"fr", "it", "ga", "ca"})
    CHECK(words_in(language, "l'eau 'x' o' b") == "l' eau ' x ' o ' b");
  for (const char* language : {"so", "tdt"})
    CHECK(words_in(language, "ba'a 'b o' c") == "ba'a ' b o ' c");
  CHECK(words_in("tdt", "a'B") == "a ' B");
  CHECK(words_in("de", "geht's 'x'") == "geht ' s ' x '");
}

TEST_CASE("moses: dots at the end of words") {
  const Scratch scratch;
  scratch.write("nonbreaking_prefix.en", "# abbreviations\n\nMr\nNo #NUMERIC_ONLY#\n0\n");
  scratch.write("nonbreaking_prefix.de", "Hr\n");
  const auto with_list = [&](const std::string& language, std::string_view line) {
    return words(line, {.language = language, .prefixes = scratch.folder(), .escape = false});
  };
  CHECK(with_list("en", "Mr. X saw Hr. Y") == "Mr. X saw Hr . Y");
  CHECK(with_list("de", "Mr. X saw Hr. Y") == "Mr . X saw Hr. Y");
  CHECK(with_list("xx", "Mr. X") == "Mr. X");  // without a list: English
  CHECK(with_list("en", "No. 5 No. Five No.  (5)") == "No. 5 No . Five No . ( 5 )");
  CHECK(with_list("en", "0. A") == "0 . A");
  CHECK(with_list("en", "That is Mr.") == "That is Mr .");
  CHECK(words("Mr. X") == "Mr . X");  // no directory, no abbreviations
  CHECK(words("a.b. X 1.2. X end. next End.") == "a.b. X 1.2 . X end. next End .");
  CHECK(words("so.'") == "so . ' ");
  CHECK(words(".x .") == ".x .");
}

TEST_CASE("moses: entities") {
  CHECK(words("a&b|c<d>e'f\"g[h]", {}) ==
        "a &amp; b &#124; c &lt; d &gt; e &apos;f &quot; g &#91; h &#93;");
  CHECK(words("&lt;", {}) == "&amp; lt ;");
}

TEST_CASE("moses: protected text") {
  const Scratch scratch;
  MosesSettings settings{
      .protected_patterns = scratch.write("patterns", "<\\w+/?>\n\n[a-z]+://\\S+\n"),
      .escape = false};
  CHECK(words("go to http://x.y/z?a=1 <br/> now", settings) == "go to http://x.y/z?a=1 <br/> now");
  CHECK(words("a<b>c <b>.", settings) == "a <b> c <b> .");
  // The text found first is protected everywhere, even within one found later.
  CHECK(words("<b> http://<b>x", settings) == "<b> http : / / <b> x");
  settings.escape = true;
  CHECK(words("<b>", settings) == "&lt;b&gt;");
  // Matches of nothing protect nothing; a place holder of Moses is a word.
  settings.protected_patterns = scratch.write("empty", "x*\n");
  CHECK(words("a(xx)b THISISPROTECTED000", settings) == "a ( xx ) b THISISPROTECTED000");

  settings.protected_patterns = scratch.write("slow", "(a+)+b\n");
  CHECK(words("c aab", settings) == "c aab");
  CHECK(message_of([&] { words(std::string(40, 'a') + "c", settings); }) ==
        settings.protected_patterns +
            ":1: the expression failed: the expression takes too long on this text");

  const std::string bad = scratch.write("bad", "ok\n(open\n");
  CHECK_THAT(message_of([&] { MosesTokenizer({.protected_patterns = bad}); }),
             Catch::Matchers::StartsWith(bad + ":2: bad regular expression"));
  CHECK(message_of([&] { MosesTokenizer({.protected_patterns = scratch.path("none")}); }) != "");
}

TEST_CASE("moses: directories that have no list") {
  const Scratch scratch;
  CHECK(message_of([&] { MosesTokenizer({.language = "de", .prefixes = scratch.folder()}); }) ==
        scratch.folder() + ": contains neither nonbreaking_prefix.de nor nonbreaking_prefix.en");
  CHECK(message_of([&] { MosesTokenizer({.prefixes = scratch.path("x")}); }) ==
        scratch.path("x") + ": no such directory");
}

TEST_CASE("moses: words of the Penn treebank") {
  const MosesSettings penn{.escape = false, .penn = true};
  CHECK(words("\"I can't,\" he said.", penn) ==
        "`` I ca n&apos;t , &apos;&apos; he said .");  // escapes always, as Moses does
  CHECK(
      words("Cannot cannot (a/b) [x] {y} gimme 'em ``q'' ` z", penn) ==
      "Can not cannot -LRB- a @/@ b -RRB- -LSB- x -RSB- -LCB- y -RCB- gim me ` em `` q&apos;&apos; "
      "` z");
  CHECK(words("Mr. X... 5,000 -- $5 don't we'll she's.", penn) ==
        "Mr . X ... 5,000 -- $ 5 do n&apos;t we &apos;ll she &apos;s .");
  CHECK(words("'Twas the end.\")", penn) == "` Twas the end . &apos;&apos; -RRB-");
}

TEST_CASE("moses: words of the Penn treebank put together") {
  const auto joined = [](std::string_view tokens, std::string_view language = "en") {
    std::string line;
    MosesTokenizer({.language = std::string(language), .penn = true}).detokenize(tokens, line);
    return line;
  };
  CHECK(joined("`` I did n&apos;t give up &apos;&apos; .") == "\"I didn't give up\".");
  CHECK(joined("`` I did n't give up ''") == "\"I didn't give up\"");
  CHECK(joined("He CAN N'T -LRB- a @/@ b @-@ c -RRB- -LSB- x -RSB- -LCB- y -RCB-") ==
        "He CANN'T (a/b-c) [x] {y}");
  CHECK(joined("Can not D' ye gim me gon na Got ta Lem me 't is 'T was wan na") ==
        "Cannot D'ye gimme gonna Gotta Lemme'tis'Twas wanna");
  // As in Moses, a match consumes the space that the next one needs, and "more'n" stays apart.
  CHECK(joined("ca n't n't n't more 'n") == "can't n'tn't more'n");
  CHECK(joined("` a ' ' b $ 5 !") == "'a'' b $5!");
  CHECK(joined("& lt ; &lt; &amp;apos;") == "& lt; < &apos;");
  CHECK(joined("l' eau ? 日本 語", "fr") == "l' eau? 日本 語");  // no other language's rules
  CHECK(joined("<seg id = 1 >") == "<seg id = 1 >");
  std::string upper;
  MosesTokenizer({.penn = true, .uppercase_first = true}).detokenize("`` it is", upper);
  CHECK(upper == "\"It is");
}

TEST_CASE("moses: words put together") {
  CHECK(line_of("en", "Hello , world ! ( yes ) $ 5 x @-@ y") == "Hello, world! (yes) $5 x-y");
  CHECK(line_of("en", "I don &apos;t &quot; know &quot; the Jones &apos; 's") ==
        "I don't \"know\" the Jones' 's");
  CHECK(line_of("en", "&amp;lt; &bar; &#91; a &#93;") == "&lt; | [a]");
  CHECK(line_of("fr", "l' eau ? oui , non !?") == "l'eau ? oui, non!?");
  CHECK(line_of("it", "l' acqua ?") == "l'acqua?");
  CHECK(line_of("cs", "„ ano “ 3 , 5 e - mail je to") == "„ano“ 3,5 e-mail je to");
  CHECK(line_of("fi", "EU : ssa EU : Nkin x : y") == "EU:ssa EU:nkin x: y");
  CHECK(line_of("ja", "日本 語 abc 中 文") == "日本語 abc 中文");
  CHECK(line_of("ko", "한국 어") == "한국 어");
  CHECK(line_of("en", "<seg id = 1 >") == "<seg id = 1 >");  // one tag
  CHECK(line_of("en", " \t ") == " \t ");
  CHECK(line_of("en", "  a   b  ") == "a b");
  std::string upper;
  MosesTokenizer({.uppercase_first = true}).detokenize("( 'ßa b", upper);
  CHECK(upper == "('SSa b");
}

TEST_CASE("moses: a line may be long") {
  // Were any step quadratic, this would not end.
  constexpr std::size_t kSize = 1'000'000;
  MosesTokenizer tokenizer(MosesSettings{});
  for (const std::string_view part : {"a", ".", ",", "'", "\"", "& ", "x. ", "a,'", "é-"}) {
    std::string line, tokens, back;
    while (line.size() < kSize) line += part;
    tokenizer.tokenize(line, tokens);
    tokenizer.detokenize(tokens, back);
    CHECK(tokens.size() >= kSize / 2);
    CHECK_FALSE(back.empty());
  }
  const Scratch scratch;
  const MosesSettings settings{.protected_patterns = scratch.write("patterns", "u:\\w+\n"),
                               .escape = false};
  std::string line;
  for (int i = 0; line.size() < kSize; ++i) line += "(u:" + std::to_string(i) + ") ";
  CHECK(words(line, settings).ends_with(" )"));
}

// The settings that a case's arguments mean.
MosesSettings settings_of(const nlohmann::json& arguments, const std::string& directory) {
  MosesSettings settings{.prefixes = directory + "/nonbreaking_prefixes"};
  for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
    if (*argument == "-q") continue;
    if (*argument == "-l")
      settings.language = *++argument;
    else if (*argument == "-protected")
      settings.protected_patterns = directory + "/" + (++argument)->get<std::string>();
    else if (*argument == "-a")
      settings.aggressive_hyphens = true;
    else if (*argument == "-no-escape")
      settings.escape = false;
    else if (*argument == "-penn")
      settings.penn = true;
    else if (*argument == "-u")
      settings.uppercase_first = true;
    else
      FAIL("an argument that the test does not know: " << *argument);
  }
  return settings;
}

TEST_CASE("moses: what the scripts print for the conformance data", "[conformance]") {
  const auto list = awend::tests::conformance_file("moses/cases.jsonl");
  if (!list) return;
  const std::string directory = std::filesystem::path(*list).parent_path().string();
  const auto content = [](const std::string& name) {
    return awend::tests::read_conformance(*awend::tests::conformance_file("moses/" + name));
  };
  int cases = 0;
  for (const auto& item : awend::tests::read_json_lines(*list)) {
    const bool back = item["script"] == "tokenizer/detokenizer.perl";
    if (!back && item["script"] != "tokenizer/tokenizer.perl") continue;
    ++cases;
    INFO(item);
    MosesTokenizer tokenizer(settings_of(item["args"], directory));
    const std::string input = content(item["stdin"]);
    std::string output;
    for (std::size_t begin = 0; begin < input.size();) {
      const std::size_t end = std::min(input.find('\n', begin), input.size());
      const std::string_view line = std::string_view(input).substr(begin, end - begin);
      if (back)
        tokenizer.detokenize(line, output);
      else
        tokenizer.tokenize(line, output);
      output += '\n';
      begin = end + 1;
    }
    CHECK((output == content(item["stdout"])));
  }
  CHECK(cases == 56);
}

}  // namespace
