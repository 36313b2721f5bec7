#include "base/filter.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::base;
using awend::tests::message_of;
using awend::tests::Scratch;

// Answers with the line's number and text; refuses the line "bad".
class Numbering : public LineWorker {
  void answer(const Line& line, std::string& out) override {
    out += concat(line.number, " ", line.text);
    if (line.text == "bad") fail("refused");
  }
};

std::string filtered(const Scratch& scratch, std::string_view input, unsigned threads,
                     std::string& message) {
  LineReader reader(scratch.write("in", input));
  OutputFile out(scratch.path("out"));
  message = message_of([&] {
    map_lines(reader, out, {.threads = threads}, [] { return std::make_unique<Numbering>(); });
  });
  out.commit();
  return Scratch::read(scratch.path("out"));
}

TEST_CASE("line n out answers line n in") {
  const Scratch scratch;
  std::string input, expected;
  for (int i = 1; i <= 30'000; ++i) {
    input += concat("line ", i * i, "\n");
    expected += concat(i, " line ", i * i, "\n");
  }
  std::string message;
  for (const unsigned threads : {1U, 2U, 5U}) {
    CHECK(filtered(scratch, input, threads, message) == expected);
    CHECK(message.empty());
  }
  CHECK(filtered(scratch, "", 2, message).empty());
  CHECK(filtered(scratch, "\n\nx", 2, message) == "1 \n2 \n3 x\n");
}

TEST_CASE("an error names its line, and the lines before it are answered") {
  const Scratch scratch;
  std::string input, expected;
  for (int i = 1; i <= 20'000; ++i) {
    input += "line\n";
    expected += concat(i, " line\n");
  }
  std::string message;
  for (const unsigned threads : {1U, 3U}) {
    CHECK(filtered(scratch, input + "bad\nline\n", threads, message) == expected);
    CHECK(message == scratch.path("in") + ":20001: refused");
    CHECK(filtered(scratch, input + "\xFF\nline\n", threads, message) == expected);
    CHECK(message == scratch.path("in") + ":20001: invalid UTF-8 at byte 1");
  }
}

}  // namespace
