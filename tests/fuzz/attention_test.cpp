// The reader of attention files against damaged lines: it reads them or throws an Error.
//
// Mutations are drawn from a fixed seed.  Under AWEND_SANITIZE a read or a write outside of the
// weights aborts.
#include <random>

#include "base/error.hpp"
#include "store/attention_file.hpp"
#include "tests/catch.hpp"

namespace {

using namespace awend::store;

constexpr const char* kHeader =
    R"({"format":"awend-attention 1","encoder_layers":1,"decoder_layers":2,"heads":2})";
constexpr const char* kLine =
    R"({"line":0,"source":["a","</s>"],"target":["b","</s>"],)"
    R"("encoder":[[[[1],[0.5,0.5]],[[1,0],[0,1]]]],)"
    R"("decoder":[[[[1],[0.5,0.5]],[[1,0],[0,1]]],[[[1],[0.5,0.5]],[[1,0],[0,1]]]],)"
    R"("cross":[[[[1],[0.5,0.5]],[[1,0],[0,1]]],[[[1],[0.5,0.5]],[[1,0],[0,1]]]]})";

std::string mutated(std::string text, std::mt19937& random) {
  constexpr std::string_view kBytes = "[]{},:\"01.e-ax";
  constexpr std::string_view kTokens[] = {"1e999", "-", "e99", "[[", "null", "1000,"};
  for (auto changes = 1 + random() % 3; changes > 0 && !text.empty(); --changes) {
    const auto place = random() % text.size();
    const auto run = random() % 12;
    switch (random() % 5) {
      case 0:
        text[place] = kBytes[random() % kBytes.size()];
        break;
      case 1:
        text.erase(place, run);
        break;
      case 2:
        text.insert(place, text.substr(place, run));
        break;
      case 3:
        text.resize(place);
        break;
      case 4:
        text.insert(place, kTokens[random() % std::size(kTokens)]);
        break;
    }
  }
  return text;
}

TEST_CASE("damaged attention files are read or refused", "[fuzz][attention]") {
  std::mt19937 random(1);
  unsigned headers = 0, lines = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    try {
      const auto shape = parse_attention_header(i % 4 == 0 ? mutated(kHeader, random) : kHeader);
      ++headers;
      const auto line = parse_attended_line(i % 4 == 0 ? kLine : mutated(kLine, random), shape);
      CHECK(line.cross.values.size() == std::size_t{shape.decoder_layers} * shape.heads *
                                            line.source.size() * line.target.size());
      ++lines;
    } catch (const awend::base::Error&) {
      ++refused;
    }
  }
  CHECK(headers > 15000);
  CHECK(lines > 100);
  CHECK(refused > 1000);
}

}  // namespace
