#include "base/size.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"

namespace {

using namespace awend::base;

TEST_CASE("sizes are bytes, powers of 1024, or a share") {
  CHECK(parse_size("65536", 0) == 65536);
  CHECK(parse_size("500M", 0) == 500U << 20);
  CHECK(parse_size("1.5G", 0) == 3U << 29);
  CHECK(parse_size("2K", 0) == 2048);
  CHECK(parse_size("1T", 0) == std::size_t{1} << 40);
  CHECK(parse_size("25%", 4096) == 1024);
}

TEST_CASE("invalid sizes are refused") {
  for (const char* text : {"", "0", "-1", "4g", "4GB", "G", "%", "1e9", "nan", " 1", "99999999T"})
    CHECK_THROWS_AS(parse_size(text, 1 << 30), UsageError);
}

}  // namespace
