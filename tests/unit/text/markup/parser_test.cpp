#include "text/markup/parser.hpp"

#include "tests/catch.hpp"
#include "tests/unit/text/markup/markup_lines.hpp"

namespace {

using namespace awend::text;
using namespace awend::tests;

std::string problem_of(std::string_view line, MarkupLanguage language = MarkupLanguage::kHtml) {
  return parsed(line, language).problem;
}

TEST_CASE("texts of HTML") {
  CHECK(html_texts("") == "");
  CHECK(html_texts("<p></p>") == "");
  CHECK(html_texts("plain") == "plain");
  CHECK(html_texts("<p>Hello <b>world</b></p>") == "Hello world");
  CHECK(html_texts("<p><input>H<u>e</u>llo <b>world</b> how <u>are you</u>?</p>") ==
        "Hello world how are you?");
  CHECK(html_texts("<p>This <em>is a sentence. And so is</em> this.</p>") ==
        "This is a sentence. And so is this.");
  CHECK(html_texts("<p>hello <br></p>") == "hello");
  CHECK(html_texts("hel<wbr>lo hel<WBR>lo") == "hello hello");
  CHECK(html_texts("foo <!-- <ignore> me -->bar") == "foo bar");
}

TEST_CASE("elements that end sentences") {
  CHECK(html_texts("<P><B>Spa</B>ce<BR>please?</p>") == "Space|please?");
  CHECK(html_texts("<p>Space<br>please?</p>") == "Space|please?");
  CHECK(html_texts("<ul><li>one <b>two</b><li>three</ul> four") == "one two|three|four");
  CHECK(html_texts("<td>a</td> <td> </td> <td>b</td>") == "a|b");
  CHECK(html_texts("a <x-y>b</x-y> c") == "a b c");
  // Empty cells, and what remains of protected text.
  CHECK(html_texts("<td>&nbsp;</td><td>\u3000</td><td>-</td>") == "-");
  CHECK(html_texts("<td>{a}&nbsp;/ {b}</td><td>{a} \u00E4</td>") == "X \u00E4");
}

TEST_CASE("an image divides words, a tag does not") {
  CHECK(html_texts("<p>hello<img/>world</p>") == "hello world");
  CHECK(html_texts("<p>hello <img> <b>world</b> <u>and <a href=\"#\">creatures</a></u></p>") ==
        "hello world and creatures");
  CHECK(html_texts("<b>a</b><i>b</i>") == "ab");
}

TEST_CASE("what is not translated") {
  CHECK(html_texts("hello <script>alert(\"<foo>\");</script>world") == "hello world");
  CHECK(html_texts("a <STYLE>b { c }</style >d") == "a d");
  CHECK(html_texts("foo <var><var>nested</var></var> bar") == "foo X bar");
  CHECK(html_texts("foo <code>&amp;</code> bar") == "foo X bar");
  CHECK(html_texts("a <span class='x notranslate'>b <b>c</b></span> d") == "a X d");
  CHECK(html_texts("a <i translate=no>b</i> <i translate=yes>c</i>") == "a X c");
  CHECK(html_texts("<div translate=\"no\">b</div> d") == "d");
  CHECK(html_texts("<p>{name} %s</p><p>{name}: %d x</p>") == "Z: Q x");
  CHECK(xml_texts("a <g translate=\"no\">b</g> c") == "a X c");
  CHECK(xml_texts("a &product; b &lt;") == "a X b <");
  // Without a word next to it, no substitute can be told from the word.
  CHECK(html_texts("foo<code>x</code>bar") == "foobar");
}

TEST_CASE("an element that is not translated may have no end tag") {
  CHECK(html_texts("<p translate=\"no\">hello world") == "");
  CHECK(html_texts("<li class=\"notranslate\">hello <b>world</b>") == "");
  CHECK(html_texts("say <code>hello <i>world") == "say");
  CHECK(html_texts("<b>say <code>hello world") == "say");
  CHECK(xml_texts("<x translate=\"no\">hello world") == "");
  CHECK(xml_texts("say <x translate=\"no\">hello</y> world") == "say");
  // The end of an element around it.
  CHECK(html_texts("<ul><li>a<li translate=no>b <b>c</b></ul> d") == "a|d");
  CHECK(html_texts("<i>a <span translate=no>b</i> c") == "a c");
  CHECK(html_texts("<li translate=no>a</ul> <p>b</p>") == "b");
  // A tag that implies its end tag.
  CHECK(html_texts("<li translate=no>a<ol><li>b</ol><li>c") == "c");
  CHECK(html_texts("<li translate=no>a<li>b</li>") == "b");
  CHECK(html_texts("<dl><dt class=notranslate>a<dd>b<dd translate=no>c<dt>d</dl>") == "b|d");
  CHECK(html_texts("<tr><td class=notranslate>a<td>b<tr translate=no><td>c<tr><th>d") == "b|d");
  CHECK(html_texts("<p translate=no>a <i>b</i> <button>c</button> d<div>e</div>") == "e");
  CHECK(html_texts("<div translate=no>a<p>b") == "");
  // A void element has no content.
  CHECK(html_texts("<img translate=no>a") == "a");
}

TEST_CASE("substitutes are not in the text") {
  CHECK(html_texts("X {a} b") == "X Z b");
  CHECK(html_texts("Max {a} b") == "Max X b");
  CHECK(html_texts("a {1} {2} {3} {4} {5} {6} {7} {8} {9}") == "a X Z Q W K V J H XX");
}

TEST_CASE("references are decoded") {
  CHECK(html_texts("<p data-attr=\"&quot;&apos;\">This is a sentence &lt;with&gt; named &amp; "
                   "entities</p>") == "This is a sentence <with> named & entities");
  CHECK(html_texts("AT&T &copy 5 &#228;&#xE4;&auml; &unknown; &#10;") == "AT&T © 5 äää X ");
}

TEST_CASE("texts of XML") {
  CHECK(xml_texts("<d><t>One</t><p>two <em>three</em> four</p><p>five</p></d>") ==
        "One|two three four|five");
  CHECK(xml_texts("Press <k>A</k><br/>then <k>B</k>") == "Press A then B");
  CHECK(xml_texts("<a>One</a><a>two</a>") == "One|two");
  CHECK(xml_texts("<?pi a?><!-- b --><t>c</t>") == "c");
  CHECK(xml_texts("<B>x</B> y <b>z</b>") == "x y z");
  CHECK(xml_texts("<!DOCTYPE a [<!ENTITY b 'c'>]><a>d</a>") == "d");
}

TEST_CASE("broken markup is text") {
  CHECK(html_texts("a < b <3 </ x") == "a < b <3 </ x");
  CHECK(problem_of("a < b") == "'<' begins no tag: it is text");
  CHECK(html_texts("a <b class=\"x") == "a <b class=\"x");
  CHECK(problem_of("a <b class=\"x") == "a tag has no '>': it is text");
  CHECK(problem_of("a <!-- b") == "a comment has no '-->': it is text");
  CHECK(problem_of("a <? b") == "'<?' has no '?>': it is text");
  CHECK(problem_of("a <! b") == "'<!' has no '>': it is text");
  CHECK(problem_of("a </b") == "a tag has no '>': it is text");
  CHECK(html_texts("a <b <i>c</i>") == "a <b c");
  CHECK(problem_of("<![CDATA[a", MarkupLanguage::kXml) ==
        "a CDATA section has no ']]>': it is text");
  CHECK(problem_of("<b>&amp;</b><p>").empty());
}

TEST_CASE("tags that overlap") {
  CHECK(problem_of("<b><i>x</b></i>") == "'<i>' has no end in its element: it is kept");
  CHECK(rewritten("<b><i>x</b></i>") == "<b><i>x</b></i>");
  CHECK(problem_of("<b>x</i></b>") == "'</i>' ends no element: it is kept");
  CHECK(problem_of("<ul><li>a<li>b</ul>").empty());
  CHECK(problem_of("a</i> <b>c").empty());
  CHECK(problem_of("<b>c </i>") == "'</i>' ends no element: it is kept");
  CHECK(xml_texts("<b>x<i>y</b>") == "x<i>y");
  CHECK(rewritten("<b>x<i>y</b>", MarkupLanguage::kXml) == "<b>x&lt;i&gt;y</b>");
  CHECK(problem_of("<b>x<i>y</b>", MarkupLanguage::kXml) ==
        "'<i>' has no end in its element: it is text");
}

TEST_CASE("attributes are copied") {
  for (const std::string line :
       {"<a href='x>y' b=\"<\" c=d/e  checked >text</a>", "<IMG SRC=x/>text", "<b/>text",
        "<p>a<br /><hr/></p>", "<g:x a:b=\"c\"/>text"}) {
    CHECK(rewritten(line) == line);
    CHECK(rewritten(line, MarkupLanguage::kXml) == line);
    CHECK(problem_of(line).empty());
  }
}

TEST_CASE("elements that are nested too deeply are copied") {
  std::string line = "a b";
  for (int i = 0; i < 70; ++i) line = "x <i>" + line + "</i>";
  CHECK(problem_of(line) == "elements are nested deeper than 64: kept");
  CHECK(rewritten(line) == line);
}

TEST_CASE("a hostile line takes linear time") {
  const auto repeated = [](std::string_view text) {
    std::string line;
    for (int i = 0; i < 5'000; ++i) line += text;
    return line;
  };
  for (const char* text : {"<",        "<!--",    "<a b=\"",    "<b>",       "</b>",  "<b>x",
                           "<b>x</b>", "<code>",  "<script>",   "<![CDATA[", "x<br>", "<b>x<br>",
                           "&amp;",    "&",       "{a} ",       "http://",   "%s ",   "a@",
                           "</b><b>",  "<b></c>", "<!--x-->x ", "<code></p>"}) {
    const auto line = repeated(text);
    CAPTURE(text);
    CHECK(rewritten(line).size() > 0);
    CHECK(rewritten(line, MarkupLanguage::kXml).size() > 0);
  }
}

}  // namespace
