#include "text/markup/placer.hpp"

#include "tests/catch.hpp"
#include "tests/unit/text/markup/markup_lines.hpp"

namespace {

using namespace awend::text;
using namespace awend::tests;

// The facts of the tests of bergamot-translator.  Its elements may be written
// twice, and words may be divided; here each tag is written once, between words.

TEST_CASE("tags are written around the aligned words") {
  CHECK(translated("<p>hello <b>world</b></p>", {{"hallo Welt"}}) == "<p>hallo <b>Welt</b></p>");
  CHECK(translated("<p>hello <b>world &amp; friends!</b></p>", {{"hallo Welt & Freunde!"}}) ==
        "<p>hallo <b>Welt &amp; Freunde!</b></p>");
  CHECK(translated("<p>Space<br>please?</p>", {{"Platz", "bitte?"}}) == "<p>Platz<br>bitte?</p>");
  CHECK(rewritten("<p></p>") == "<p></p>");
  CHECK(rewritten("") == "");
  CHECK(translated("<b>red</b> wine", {{"Wein roter"}, {{0, 1}, {1, 0}}}) == "Wein <b>roter</b>");
  CHECK(translated("<i>a</i> <b>b c</b> d", {{"D C B A"}, {{3, 0}, {2, 1}, {1, 2}, {0, 3}}}) ==
        "D <b>C B</b> <i>A</i>");
}

TEST_CASE("several sentences of a text") {
  const std::string line =
      "<p>hello <b>world!</b> How does this <img> <b>deal <u>with multiple sentences?</u></b> Will "
      "it work?</p>";
  CHECK(html_texts(line) ==
        "hello world! How does this deal with multiple sentences? Will it work?");
  CHECK(rewritten(line) == line);
}

TEST_CASE("an alignment by attention") {
  const std::string line = "<p>I <b>like</b> to <u>drive</u> this car.</p>";
  CHECK(html_texts(line) == "I like to drive this car.");
  const Weights german = {{0.98, 0.01, 0.01, 0, 0, 0, 0, 0},
                          {0.007, 0.24, 0.05, 0.47, 0.13, 0.06, 0, 0.03},
                          {0.01, 0.49, 0.04, 0.01, 0.42, 0.01, 0, 0.01},
                          {0, 0.01, 0.03, 0.04, 0.75, 0.1, 0.06, 0.01},
                          {0, 0, 0, 0, 0, 0.99, 0, 0},
                          {0, 0, 0.02, 0, 0, 0.01, 0.95, 0.02}};
  CHECK(translated(line, {.texts = {"Ich fahre gerne dieses Auto."}, .weights = german}) ==
        "<p>Ich <u>fahre</u> <b>gerne</b> dieses Auto.</p>");
}

TEST_CASE("elements that are not aligned take the words that fit them") {
  const std::string line = "<p>I <b>like</b> to <u>drive</u> this car.</p>";
  const Weights czech = {{0.536, 0.44, 0.014, 0.006, 0.003, 0, 0, 0},
                         {0.042, 0.03, 0.583, 0.244, 0.082, 0.013, 0.002, 0.004},
                         {0, 0.004, 0.011, 0.012, 0.921, 0.045, 0.005, 0.002},
                         {0, 0, 0, 0.005, 0.016, 0.968, 0.005, 0.005},
                         {0.001, 0.005, 0.004, 0.009, 0.002, 0.002, 0.965, 0.012}};
  CHECK(translated(line, {.texts = {"Rád řídím to auto."}, .weights = czech}) ==
        "<p><b>Rád</b> <u>řídím</u> to auto.</p>");
  // Without weights they are empty, between the words of their neighbors.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> links = {
      {0, 0}, {2, 1}, {4, 2}, {5, 3}, {6, 4}};
  CHECK(translated(line, {{"Rád řídím to auto."}, links}) ==
        "<p>Rád <b></b>řídím <u></u>to auto.</p>");
}

TEST_CASE("each element is written once") {
  // Its best run of words; words of other elements are never in it.
  const std::string line = "<b>a</b> x";
  CHECK(translated(line, {{"A A X A"}, {{0, 0}, {0, 1}, {1, 2}, {0, 3}}}) == "<b>A A</b> X A");
  CHECK(translated(line, {{"A A X A A"}, {{0, 0}, {0, 1}, {1, 2}, {0, 3}, {0, 4}}}) ==
        "<b>A A X A A</b>");
  CHECK(
      translated("<b>a</b> <i>x</i>", {{"A A X A A"}, {{0, 0}, {0, 1}, {1, 2}, {0, 3}, {0, 4}}}) ==
      "<b>A A</b> <i>X</i> A A");
  // A word that is not aligned does not divide it.
  CHECK(translated(line, {{"A y A X"}, {{0, 0}, {0, 2}, {1, 3}}}) == "<b>A y A</b> X");
}

TEST_CASE("elements are nested as in the source") {
  const std::string line = "<a>b <i>c <u>d</u></i></a> e";
  CHECK(rewritten(line) == line);
  CHECK(translated(line, {{"E D C B"}, {{3, 0}, {2, 1}, {1, 2}, {0, 3}}}) ==
        "E <a><i><u>D</u> C</i> B</a>");
  // d is far from the others.
  CHECK(translated(line, {{"D E E B C"}, {{2, 0}, {3, 1}, {3, 2}, {0, 3}, {1, 4}}}) ==
        "D E E <a>B <i>C<u></u></i></a>");
}

TEST_CASE("an element around the whole text stays there") {
  CHECK(translated("<b><i>one two</i></b>", {{"eins"}, {{1, 0}}}) == "<b><i>eins</i></b>");
  CHECK(translated("<b>one</b>", {{"eins zwei drei"}, {}}) == "<b>eins zwei drei</b>");
}

TEST_CASE("void and empty elements are kept in their places") {
  for (const std::string line :
       {"hello <br>", "hello <u></u>", "<p>hello <br></p>", "foo <!-- <ignore> me -->bar",
        "hello <script>alert(\"<foo>\");</script>world", "hel<wbr>lo",
        "<p id=\"1\">hello <img id=\"1.1\"><span id=\"1.2\"><u id=\"1.2.1\"></u>"
        "<b id=\"1.2.2\"></b><img id=\"1.2.3\">world</span></p>",
        "one<sup></sup> two", "<img> one", "one <img>", "one<img>", "one <img> two",
        "one <img> <!--1--> two", "one <img><img> two", "one<img> two", "one <img>two",
        "one <b><img> two</b>", "one <img> <b>two</b>"}) {
    CAPTURE(line);
    if (line != "hel<wbr>lo") CHECK(rewritten(line) == line);
  }
  CHECK(rewritten("hel<wbr>lo") == "<wbr>hello");
  CHECK(translated("one<sup></sup> two", {{"zwei eins"}, {{1, 0}, {0, 1}}}) ==
        "zwei eins<sup></sup>");
  CHECK(translated("one <img>two three", {{"drei zwei eins"}, {{2, 0}, {1, 1}, {0, 2}}}) ==
        "drei <img>zwei eins");
  CHECK(translated("one <img> two", {{"zwei eins"}, {{1, 0}, {0, 1}}}) == "<img> zwei eins");
  CHECK(translated("one <img> two", {{"eins zwei"}, {{0, 0}, {1, 1}}}) == "eins <img> zwei");
  CHECK(translated("<b>one <img></b> two", {{"eins zwei"}, {{0, 0}, {1, 1}}}) ==
        "<b>eins <img></b> zwei");
  CHECK(translated("<img> one", {{"eins"}, {{0, 0}}}) == "<img> eins");
  CHECK(translated("one. <img>", {{"eins."}, {{0, 0}}}) == "eins. <img>");
  // An element that has the word after it is not divided.
  CHECK(translated("one <img><b>two three</b>", {{"drei zwei eins"}, {{2, 0}, {1, 1}, {0, 2}}}) ==
        "<img><b>drei zwei</b> eins");
  CHECK(translated("<b>two three</b><img> one", {{"drei zwei eins"}, {{1, 0}, {0, 1}, {2, 2}}}) ==
        "<b>drei zwei</b><img> eins");
  CHECK(translated("a <!--1--><!--2-->b", {{"B A"}, {{1, 0}, {0, 1}}}) == "<!--1--><!--2-->B A");
}

TEST_CASE("tags in words apply to the whole word") {
  CHECK(html_texts("un<u>der</u>line") == "underline");
  CHECK(translated("un<u>der</u>line", {{"subrayar"}}) == "<u>subrayar</u>");
  CHECK(translated("<i>H</i><b>ello</b> x", {{"Hallo x"}, {{0, 0}, {1, 1}}}) ==
        "<i></i><b>Hallo</b> x");
  CHECK(translated("H<sub>2</sub>O is", {{"H2O ist"}, {}}) == "H<sub>2</sub>O ist");
  CHECK(rewritten("<b>Hello</b>, world") == "<b>Hello</b>, world");
}

TEST_CASE("white space is outside of the elements") {
  CHECK(translated("a <b> b </b> c", {{"A  B  C"}}) == "A  <b>B</b>  C");
  CHECK(rewritten("<td> <b>x</b> </td><td>y </td>") == "<td> <b>x</b> </td><td>y </td>");
  CHECK(rewritten("  plain   text ") == "  plain   text ");
}

TEST_CASE("elements of several texts or lines") {
  // An element around a line break is in both texts.
  CHECK(rewritten("<b>one<br>two</b> three") == "<b>one<br>two</b> three");
  CHECK(translated("a <b>b<br>c</b> d", {{"B A", "D C"}}) == "B <b>A<br>D</b> C");
  CHECK(rewritten("one <b>two") == "one <b>two");
  CHECK(rewritten("one</b> two") == "one</b> two");
  CHECK(rewritten("a</i> b</b> c <u>d <s>e") == "a</i> b</b> c <u>d <s>e");
  CHECK(rewritten("<li>one<li>two") == "<li>one<li>two");
  // The open element keeps the end of the line, and no word of an other one.
  CHECK(translated("a <i>b</i> <b>c", {{"C B A"}, {{2, 0}, {1, 1}, {0, 2}}}) == "C <i>B</i> A<b>");
  CHECK(translated("a <b>b c", {{"A B C"}}) == "A <b>B C");
}

TEST_CASE("objects are written as they were, in place of their substitutes") {
  CHECK(html_texts("Dear {name}, see <code>a &amp; b</code>.") == "Dear X, see Z.");
  CHECK(translated("Dear {name}, see <code>a &amp; b</code>.", {{"Z, X sehen."}}) ==
        "<code>a &amp; b</code>, {name} sehen.");
  CHECK(rewritten("foo <var><var>nested</var></var> bar") ==
        "foo <var><var>nested</var></var> bar");
  // What the model doubles is removed.
  CHECK(translated("{a} b", {{"X und X B"}, {{0, 2}, {1, 3}}}) == "und {a} B");
  CHECK(translated("{a} b", {{"x B"}}) == "{a} B");
  // What it drops is put next to its neighbors, or in the place of the word that means it.
  CHECK(translated("a {x} b", {{"A B"}, {{0, 0}, {2, 1}}}) == "A {x} B");
  CHECK(translated("a b {x}", {{"A B"}, {{0, 0}, {1, 1}}}) == "A B {x}");
  CHECK(translated("{x} a b", {{"A B"}, {{1, 0}, {2, 1}}}) == "{x} A B");
  CHECK(translated("a {x} b", {{"A Ix B"}, {{0, 0}, {1, 1}, {2, 2}}}) == "A {x} B");
  CHECK(translated("a {x} b", {{""}}) == "{x}");
  // It keeps its element, which keeps it.
  CHECK(translated("a <b>{x}</b> b", {{"B X A"}, {{2, 0}, {1, 1}, {0, 2}}}) == "B <b>{x}</b> A");
  CHECK(translated("a <b>{x}</b> b", {{"A B"}, {{0, 0}, {2, 1}}}) == "A <b>{x}</b>B");
}

TEST_CASE("no text follows an object without an end tag") {
  CHECK(translated("say <code>a &amp; b", {{"X sagen"}, {{0, 1}}}) == "X sagen <code>a &amp; b");
  CHECK(translated("say <code>a", {{""}}) == " <code>a");
  CHECK(translated("say <code>a", {{"sagen \x03"}}) == "sagen \x03 <code>a");
  CHECK(translated("say:<code>a", {{"sagen:"}}) == "sagen:<code>a");
  CHECK(translated("one <b>two <code>a", {{"zwei eins"}, {{1, 0}, {0, 1}}}) ==
        "zwei eins<b> <code>a");
  CHECK(translated("<i>one <code>a</i> two", {{"zwei eins"}, {{1, 0}, {0, 1}}}) ==
        "zwei <i>eins <code>a</i>");
  for (const std::string line : {"say  <code>a", "say<code>a", "<i>say <code>a</i>",
                                 "<i> <code>a</i> b", "<ul><li>a<li translate=no>b<li>c</ul>",
                                 "<i>a <span translate=no>b</i> c", "a</i> b <u>c <code>d"}) {
    CAPTURE(line);
    CHECK(rewritten(line) == line);
  }
}

TEST_CASE("text is written with references") {
  CHECK(translated("a &lt; b", {{"<A> & B\u00A0C"}}) == "&lt;A&gt; &amp; B&nbsp;C");
  CHECK(translated("a", {.texts = {"<\u00A0"}, .language = MarkupLanguage::kXml}) == "&lt;\u00A0");
  CHECK(translated("a < b", {.texts = {"a < b"}, .language = MarkupLanguage::kNone}) == "a < b");
}

TEST_CASE("CDATA sections") {
  const auto xml = MarkupLanguage::kXml;
  CHECK(xml_texts("<t>a <![CDATA[b < c]]> d</t>") == "a b < c d");
  CHECK(rewritten("<t>a <![CDATA[b < c]]> d</t>", xml) == "<t>a <![CDATA[b < c]]> d</t>");
  CHECK(translated("<![CDATA[x]]>", {.texts = {"a ]]> b"}, .language = xml}) ==
        "<![CDATA[a ]]]]><![CDATA[> b]]>");
  CHECK(rewritten("x <![CDATA[see http://a.b/?c&d now]]>", xml) ==
        "x <![CDATA[see http://a.b/?c&d now]]>");
  // What was copied from a section has no references: it stays there.
  CHECK(translated("x y <![CDATA[see http://a.b/?c&d now]]>",
                   {.texts = {"Z X Y X jetzt"},
                    .links = {{3, 0}, {0, 1}, {1, 2}, {2, 3}, {3, 4}},
                    .language = xml}) == "Z X Y <![CDATA[X http://a.b/?c&d jetzt]]>");
}

}  // namespace
