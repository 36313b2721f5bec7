// The page for an attention file: what lies in it, and what it must not have.
#include "inspect/attention_page.hpp"

#include "store/json_text.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kHeader =
    R"({"format":"awend-attention 1","encoder_layers":1,"decoder_layers":1,"heads":1})";
constexpr std::string_view kLine =
    R"({"line":0,"source":["<script>alert(1)</script>"],"target":["</script>","</s>"],)"
    R"("encoder":[[[[1]]]],"decoder":[[[[1],[0.25,0.75]]]],"cross":[[[[1],[1]]]]})";

std::string page_of(const tests::Scratch& scratch, std::string_view content) {
  base::LineReader lines(scratch.write("heads", content));
  return attention_page(lines);
}

std::size_t count_of(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST_CASE("a weight is two characters, and weights after the diagonal are omitted", "[page]") {
  const store::AttentionMaps weights = {1, 1, 2, 2, {1, 0, 0.5, 0.5}};
  CHECK(packed(weights, Packing::kWhole) == "//AAgAgA");
  CHECK(packed(weights, Packing::kCausal) == "//gAgA");
}

TEST_CASE("a page has the data, and words like markup are escaped", "[page]") {
  const tests::Scratch scratch;
  const auto page = page_of(scratch, base::concat(kHeader, "\n", kLine, "\n"));
  CHECK(page.starts_with("<!doctype html>\n"));
  CHECK(page.ends_with("</html>\n"));
  CHECK(count_of(page, "<script") == 2);
  CHECK(count_of(page, "</script>") == 2);
  CHECK(count_of(page, "</style>") == 1);
  const auto begin = page.find("id=\"data\">") + 10;
  const auto data = page.substr(begin, page.find("</script>", begin) - begin);
  CHECK(store::json_text_at(data, {"name"}) == scratch.path("heads"));
  CHECK(data.find(R"("source":["\u003cscript>alert(1)\u003c/script>"])") != data.npos);
  CHECK(data.find(R"("cross":"////")") != data.npos);
}

TEST_CASE("a page has the question of a story", "[page]") {
  const tests::Scratch scratch;
  const auto page = page_of(
      scratch, R"({"format":"awend-attention 1","encoder_layers":0,"decoder_layers":1,"heads":1})"
               "\n"
               R"({"line":0,"source":["mary left"],"target":["no"],"question":"is mary here",)"
               R"("encoder":[],"decoder":[],"cross":[[[[1]]]]})"
               "\n");
  CHECK(page.find(R"("target":["no"],"question":"is mary here",)") != page.npos);
}

TEST_CASE("encoder and decoder have their own numbers of heads", "[page]") {
  const tests::Scratch scratch;
  const auto page = page_of(
      scratch,
      R"({"format":"awend-attention 1","encoder_layers":1,"decoder_layers":1,"heads":1,)"
      R"("decoder_heads":2})"
      "\n"
      R"({"line":0,"source":["a"],"target":["b"],"encoder":[[[[1]]]],"decoder":[[[[1]],[[1]]]],)"
      R"("cross":[[[[1]],[[1]]]]})"
      "\n");
  CHECK(page.find(R"("heads":1,"decoder_heads":2)") != page.npos);
  CHECK(page.find(R"("encoder":"//","decoder":"////","cross":"////")") != page.npos);
}

TEST_CASE("a page asks the network for nothing", "[page]") {
  const tests::Scratch scratch;
  const auto page = page_of(scratch, base::concat(kHeader, "\n", kLine, "\n"));
  CHECK(page.find("default-src 'none'") != page.npos);
  // The only address is the name of SVG.
  CHECK(count_of(page, "://") == count_of(page, "http://www.w3.org/2000/svg"));
  for (const auto word : {"src=", "href=", "@import", "url(", "fetch(", "innerHTML"})
    CHECK(page.find(word) == page.npos);
}

TEST_CASE("what is wrong is said with its line", "[page]") {
  const tests::Scratch scratch;
  const auto message = [&](std::string_view content) {
    auto text = tests::message_of([&] { page_of(scratch, content); });
    const auto directory = scratch.folder() + "/";
    return text.starts_with(directory) ? text.substr(directory.size()) : text;
  };
  CHECK(message("") == "heads: not an attention file");
  CHECK(message("step\tepoch\n") == "heads:1: not an attention file");
  CHECK(message(kHeader) == "heads: no sentences");
  CHECK(message(base::concat(kHeader, "\n", kLine, "\n{}\n")) == "heads:3: no 'source'");
}

}  // namespace
}  // namespace awend::tools
