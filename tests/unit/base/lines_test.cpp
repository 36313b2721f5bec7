#include "base/lines.hpp"

#include <unistd.h>

#include <vector>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::base;
using awend::tests::message_of;
using awend::tests::Scratch;

std::vector<std::string> lines_of(std::string_view content,
                                  TextPolicy policy = InvalidUtf8::kError) {
  const Scratch scratch;
  LineReader reader(scratch.write("text", content), policy);
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  CHECK(reader.line_number() == lines.size());
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE("only LF ends a line") {
  CHECK(lines_of("") == Lines{});
  CHECK(lines_of("\n") == Lines{""});
  CHECK(lines_of("a\nb\n") == Lines{"a", "b"});
  CHECK(lines_of("a\n\nb") == Lines{"a", "", "b"});
  CHECK(lines_of("a\r\nb\rc\u2028d\f\n") == Lines{"a\r", "b\rc\u2028d\f"});
  CHECK(lines_of(std::string_view("a\0b\n\0", 5)) ==
        Lines{std::string("a\0b", 3), std::string(1, '\0')});
}

TEST_CASE("lines longer than any buffer come whole") {
  const std::string longest(5'000'000, 'x');
  CHECK(lines_of("a\n" + longest + "\nb\n" + longest) == Lines{"a", longest, "b", longest});
}

TEST_CASE("a character may straddle two reads") {
  std::string text(64 * 1024 - 1, 'x');
  text += "ä\nb";
  CHECK(lines_of(text) == Lines{text.substr(0, text.size() - 2), "b"});
}

TEST_CASE("invalid UTF-8 is an error with its place, or is replaced") {
  const Scratch scratch;
  const std::string path = scratch.write("text", "ok\nab\xFFz\nend\n");
  LineReader reader(path);
  std::string_view line;
  REQUIRE(reader.next(line));
  CHECK(reader.place() == path + ":1");
  CHECK(message_of([&] { at_line(reader, [] { fail("wrong"); }); }) == path + ":1: wrong");
  CHECK(message_of([&] { reader.next(line); }) == path + ":2: invalid UTF-8 at byte 3");
  CHECK(lines_of("ok\nab\xFFz\nend\n", InvalidUtf8::kReplace) == Lines{"ok", "ab\uFFFDz", "end"});
}

TEST_CASE("a byte order mark at the start of a file is removed, unless it is to be kept") {
  CHECK(lines_of("\uFEFFa\n\uFEFFb\n") == Lines{"a", "\uFEFFb"});
  CHECK(lines_of("\uFEFF\na\n") == Lines{"", "a"});
  CHECK(lines_of("\uFEFF") == Lines{});
  CHECK(lines_of("\uFEFFa\n", {InvalidUtf8::kError, ByteOrderMark::kKeep}) == Lines{"\uFEFFa"});
  // What only begins like one is text, valid or not.
  CHECK(lines_of("\xEF\xBB\xBE\n") == Lines{"\xEF\xBB\xBE"});
  CHECK(lines_of("\xEF\xBB", InvalidUtf8::kReplace) == Lines{"\uFFFD"});
  const Scratch scratch;
  const std::string path = scratch.write("text", "\uFEFFab\xFFz\n");
  LineReader reader(path);
  std::string_view line;
  CHECK(message_of([&] { reader.next(line); }) == path + ":1: invalid UTF-8 at byte 6");
  CHECK(reader.removed_mark());
}

TEST_CASE("read errors state the reason") {
  CHECK(message_of([] { LineReader("/nonexistent/file"); }) ==
        "/nonexistent/file: No such file or directory");
  std::string_view line;
  CHECK(message_of([&] { LineReader("/tmp").next(line); }) == "/tmp: Is a directory");
}

TEST_CASE("a line is there as soon as it has been written") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  LineReader reader("/dev/fd/" + std::to_string(ends[0]));
  REQUIRE(::write(ends[1], "a\nb\nc", 5) == 5);
  std::string_view line;
  CHECK(reader.next(line));
  CHECK(line == "a");
  CHECK_FALSE(reader.waits());
  CHECK(reader.next(line));
  CHECK(line == "b");
  CHECK(reader.waits());  // for the rest of the line
  REQUIRE(::write(ends[1], "d\n", 2) == 2);
  CHECK_FALSE(reader.waits());
  CHECK(reader.next(line));
  CHECK(line == "cd");
  REQUIRE(::write(ends[1], "e", 1) == 1);
  CHECK(reader.waits());  // also if the part of the line was not read before
  REQUIRE(::write(ends[1], "f\n", 2) == 2);
  CHECK(reader.next(line));
  CHECK(line == "ef");
  ::close(ends[1]);
  CHECK_FALSE(reader.next(line));
  ::close(ends[0]);
}

TEST_CASE("input that is not text to be processed has limits") {
  const Scratch scratch;
  const auto path = scratch.write("file", "ab\n" + std::string(200'000, 'x') + "\nc\n");
  const auto read = [&](LineLimits limits) {
    return message_of([&] {
      LineReader lines(path, InvalidUtf8::kError, limits);
      for (std::string_view line; lines.next(line);) {
      }
    });
  };
  CHECK(read({.line_bytes = 1000}) == path + ":2: a line of more than 1000 bytes");
  CHECK(read({.file_bytes = 200'000}) ==
        path + ": too long: more than 200000 bytes, the limit for files of its kind");
  CHECK(read({.line_bytes = 200'000, .file_bytes = 200'006}).empty());
}

TEST_CASE("bytes in memory are read as a file, also compressed ones") {
  std::vector<std::string> found;
  const auto read = [&](std::string_view bytes) {
    LineReader lines(InputFile("memory", bytes));
    REQUIRE_FALSE(lines.waits());
    found.clear();
    for (std::string_view line; lines.next(line);) found.emplace_back(line);
    REQUIRE(lines.position_bytes() == bytes.size());
    REQUIRE(lines.name() == "memory");
  };
  const std::string big(1 << 20, 'x');
  read("\xEF\xBB\xBF" + big + "\nb");
  REQUIRE(found == std::vector<std::string>{big, "b"});
  read({"\x28\xb5\x2f\xfd\x04\x58\x51\x00\x00heads = 4\n\x38\x1b\xb6\xc9", 23});
  REQUIRE(found == std::vector<std::string>{"heads = 4"});
  read("");
  REQUIRE(found.empty());
}

}  // namespace
