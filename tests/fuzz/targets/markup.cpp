// Lines of markup: parsed as HTML and as XML, and written with their own texts, backwards and with
// references.
#include <algorithm>

#include "base/lines.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "text/markup/parser.hpp"
#include "text/markup/placer.hpp"

namespace awend::tests {
namespace {

text::ProtectedSpans& spans() {
  static text::ProtectedSpans spans(
      {.patterns = {"#[0-9]+"}, .placeholders = text::ProtectionSettings::Placeholders::kKeep});
  return spans;
}

/// The parts are in order, without gaps.
void check_parts(std::string_view line, const text::MarkupLine& parsed) {
  std::size_t done = 0;
  for (const auto& part : parsed.parts) {
    if (part.segment) continue;
    if (part.copied.begin < done || part.copied.end > line.size()) std::abort();
    done = part.copied.end;
  }
}

/// Calls with the words of the translation in the order of the source, or backwards.
text::MarkupAlignment aligned(const text::MarkupPlacer& placer, bool is_backwards) {
  auto alignment = placer.diagonal();
  if (is_backwards) std::ranges::reverse(alignment.sources);
  return alignment;
}

void rewrite(std::string_view line, text::MarkupLanguage language) {
  const auto parsed = text::parse_markup(line, language, spans());
  check_parts(line, parsed);
  text::WordBreaker breaker;
  for (const auto& part : parsed.parts) {
    if (!part.segment) continue;
    const auto& segment = *part.segment;
    const text::MarkupPlacer placer(line, segment, segment.text, breaker);
    for (const bool is_backwards : {false, true}) {
      const auto out = placer.place(aligned(placer, is_backwards), language);
      for (const auto& node : segment.nodes) {
        for (const auto& tag : {node.open, node.close}) {
          if (out.find(tag.of(line)) == std::string::npos) std::abort();
        }
      }
    }
  }
}

}  // namespace

std::vector<std::string> seeds() {
  return {"<p>a <b class=\"x\">b &amp; c</b><br/>d {e} %s</p> <!-- f -->\n",
          "<i>a<code>b</code></i> <script>c</script> &#228; http://d.e/f <u>g\n",
          "</i>a <![CDATA[b]]> <?c?> <x translate=\"no\">d</x> &e; #12 X Z\n",
          "<ul><li translate=no>a<li>b</ul> <b>c <code>d</b> <kbd>e\n"};
}

void fuzz(std::string_view input) {
  base::LineReader lines(base::InputFile("file", input), base::InvalidUtf8::kReplace);
  for (std::string_view line; lines.next(line);) {
    rewrite(line, text::MarkupLanguage::kHtml);
    rewrite(line, text::MarkupLanguage::kXml);
  }
}

}  // namespace awend::tests
