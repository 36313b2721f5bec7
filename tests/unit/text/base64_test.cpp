#include "text/base64.hpp"

#include <random>

#include "tests/catch.hpp"

namespace {

using namespace awend::text;

TEST_CASE("base64 as RFC 4648 has it") {
  const std::pair<const char*, const char*> cases[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : cases) CHECK(base64(bytes) == text);
}

TEST_CASE("bytes are decoded") {
  std::mt19937 random(1);
  for (std::size_t size = 1; size < 200; ++size) {
    std::string bytes, back = "x";
    while (bytes.size() < size) bytes += static_cast<char>(random());
    CHECK(append_base64(base64(bytes), back));
    CHECK(back == "x" + bytes);
  }
}

TEST_CASE("invalid base64 is refused") {
  std::string bytes;
  for (const char* text : {"", "Zg", "Zg=", "Z===", "Zg==Zg==", "Zm9*", "Zm9v\n", "=m9v"})
    CHECK_FALSE(append_base64(text, bytes));
}

}  // namespace
