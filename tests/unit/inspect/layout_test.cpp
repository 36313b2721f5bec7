// Numbers and rows as people read them.
#include "inspect/layout.hpp"

#include "tests/catch.hpp"

namespace awend::tools {
namespace {

TEST_CASE("numbers are written so that they can be read", "[layout]") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1 000");
  CHECK(grouped(1234567) == "1 234 567");
  CHECK(amount_of_bytes(1023) == "1023 bytes");
  CHECK(amount_of_bytes(1536) == "1.5 KiB");
  CHECK(amount_of_bytes((1 << 20) - 1) == "1.0 MiB");
  CHECK(duration(59.6) == "1:00");
  CHECK(duration(7507) == "2:05:07");
}

TEST_CASE("columns are aligned, for any number of bytes per character", "[layout]") {
  Columns columns;
  columns.add({"", "n"});
  columns.add({"▁ü", "12"});
  columns.add({"a line of its own"});
  columns.add({"abc", "3"});
  CHECK(columns.text() == "        n\n  ▁ü   12\n  a line of its own\n  abc   3\n");
}

TEST_CASE("wide characters take two columns of a terminal, marks none", "[layout]") {
  Columns columns;
  columns.add({"", "n"});
  columns.add({"系統", "1"});
  columns.add({"น้ำ e\u0301", "2"});
  columns.add({"abcd", "3"});
  CHECK(columns.text() == "        n\n  系統  1\n  น้ำ e\u0301  2\n  abcd  3\n");
}

TEST_CASE("names of other people do not control the terminal", "[layout]") {
  Columns columns;
  columns.add({"\x1b[31m", "\u009Bm"});
  CHECK(columns.text() == "  \\x1B[31m  \\xC2\\x9Bm\n");
  CHECK(pairs({{"a\n", "\x07"}}) == "  a\\x0A  \\x07\n");
  CHECK(fact("mean of", "\x1b]0;x\x07") == "  mean of             \\x1B]0;x\\x07\n");
}

TEST_CASE("pairs go down, then across", "[layout]") {
  CHECK(pairs({}) == "");
  CHECK(pairs({{"a", "1"}, {"bb", "2"}, {"c", "3"}, {"d", ""}}) ==
        "  a   1    c   3\n  bb  2    d   -\n");
}

TEST_CASE("a long fact is aligned next to its name", "[layout]") {
  const std::string word(40, 'x');
  const std::string indent(22, ' ');
  CHECK(fact("name", word + " " + word) ==
        "  name" + indent.substr(6) + word + "\n" + indent + word + "\n");
  CHECK(fact("none", "") == "  none\n");
}

}  // namespace
}  // namespace awend::tools
