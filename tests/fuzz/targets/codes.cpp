// Codes and vocabularies of subword-nmt, dictionaries, and glossaries.
#include "text/subword_nmt/codes.hpp"

#include "base/utf8.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "text/subword_nmt/encoder.hpp"
#include "text/subword_nmt/learn.hpp"
#include "text/subword_nmt/vocabulary.hpp"

namespace awend::tests {

using namespace text;

std::vector<std::string> seeds() {
  return {"c#version: 0.2\nl o\nlo w</w>\ne r</w>\nä ö\n",
          "cl o 10\nlo w</w> 9\n",
          "c#version: 0.2 byte\n\xC3 \xA4\nl o\n",
          "vlow@@ 12\ner 10\n",
          "dlow 12\ner 10\n",
          "g<\\w+(a|b)?>",
          "g(?P<x>l)o(?P=x)"};
}

void fuzz(std::string_view input) {
  if (input.empty()) return;
  const auto rest = input.substr(1);
  if (input[0] == 'v') {
    parse_counts(rest, "file");
  } else if (input[0] == 'd') {
    read_dictionary(rest, "file");
  } else if (input[0] == 'g') {
    std::string pattern;
    base::append_valid_utf8(pattern, rest);
    (void)Glossaries(std::vector{pattern}).cut("lol<a>b12ä日");
  } else {
    const auto codes = parse_codes(rest, "file");
    const SubwordNmtModel model(codes, {});
    std::string tokens;
    SubwordNmt(model).encode(" lower  äöä low</w> ", tokens);
    parse_codes(print_codes(codes), "again");
  }
}

}  // namespace awend::tests
