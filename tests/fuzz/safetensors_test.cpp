// The safetensors reader against damaged files: whatever the bytes, it reads them or throws an
// Error that names the file.
//
// Mutations are drawn from a fixed seed, so a failure can be repeated.  Under AWEND_SANITIZE a read
// outside the file aborts.
#include <random>

#include "base/error.hpp"
#include "store/array_file.hpp"
#include "store/array_writer.hpp"
#include "store/stored_settings.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::store;
using awend::tests::message_of;
using awend::tests::Scratch;

std::string sample() {
  Scratch scratch;
  const float weights[] = {1, 2, 3, 4, 5, 6};
  const std::uint64_t steps[] = {7};
  const Array arrays[] = {{"w", Type::F32, {2, 3}, std::as_bytes(std::span(weights))},
                          {"n", Type::U64, {}, std::as_bytes(std::span(steps))},
                          {"e", Type::BF16, {0}, {}}};
  write_arrays(scratch.path("x"), arrays,
               {{"awend.config", R"({"d_model":512,"norm":"post","x":1e-9})"}});
  return Scratch::read(scratch.path("x"));
}

// The same without digests, so that damaged metadata reach the parser of settings.
std::string without_digests(std::string bytes) {
  for (const std::string_view key : {keys::kDigest, keys::kMetadataDigest})
    bytes.replace(bytes.find(key), 5, "other");
  return bytes;
}

// Tokens of JSON that change what a number or a list is.
constexpr std::string_view kTokens[] = {"0", "1", "7", "9", "-", ".", "e", "1e999", "[", "null"};

// One to four changes: a byte, a run cut out, a run doubled, a token, or the end cut off.
std::string mutated(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  for (auto changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) {
    const auto place = below(bytes.size());
    const auto run = below(std::min<std::size_t>(16, bytes.size() - place) + 1);
    switch (below(5)) {
      case 0:
        bytes[place] = static_cast<char>(below(256));
        break;
      case 1:
        bytes.erase(place, run);
        break;
      case 2:
        bytes.insert(place, bytes.substr(place, run));
        break;
      case 3:
        bytes.replace(place, below(2), kTokens[below(std::size(kTokens))]);
        break;
      case 4:
        bytes.resize(place);
        break;
    }
  }
  return bytes;
}

// Reads every byte that the file hands out, so that a view outside of it is noticed.
unsigned read_all(const std::string& path) {
  const ArrayFile file(path);
  unsigned sum = 0;
  for (const auto& array : file.arrays()) {
    for (auto byte : array.bytes) sum += static_cast<unsigned>(byte);
  }
  if (auto config = file.metadata(keys::kConfig)) Settings::from_json(*config, path);
  return sum;
}

TEST_CASE("a damaged safetensors file is read or refused") {
  Scratch scratch;
  const auto good = sample(), plain = without_digests(good);
  std::mt19937 random(1);
  unsigned read = 0, refused = 0, sum = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto path = scratch.write("x", mutated(i % 2 == 0 ? good : plain, random));
    try {
      sum += read_all(path);
      ++read;
    } catch (const awend::base::Error& error) {
      REQUIRE(std::string(error.what()).starts_with(path + ": "));
      ++refused;
    }
  }
  CHECK(read > 100);  // a change in the padding or the data leaves the file valid
  CHECK(refused > 10'000);
  CHECK(sum > 0);
}

TEST_CASE("a number that no double holds is refused like other damage") {
  Scratch scratch;
  auto bytes = without_digests(sample());
  const auto shape = bytes.find("\"shape\":[2,3]");
  REQUIRE(shape != bytes.npos);
  bytes.replace(shape, 13, "\"shape\":[1e999]");
  bytes[0] = static_cast<char>(bytes[0] + 2);
  const auto path = scratch.write("x", bytes);
  CHECK(message_of([&] { read_all(path); }) ==
        path + ": a number in the JSON text is out of range");
}

TEST_CASE("lists nested without end are refused") {
  Scratch scratch;
  std::string bytes("\0\0\1\0\0\0\0\0{\"w\":", 13);
  const auto path = scratch.write("x", bytes + std::string(65536, '['));
  CHECK(message_of([&] { read_all(path); }) == path + ": nested more than 32 levels deep");
}

TEST_CASE("a safetensors file cut anywhere is refused") {
  Scratch scratch;
  const auto good = sample();
  for (std::size_t size = 0; size < good.size(); ++size) {
    const auto path = scratch.write("x", good.substr(0, size));
    REQUIRE_THROWS_AS(read_all(path), awend::base::Error);
  }
}

}  // namespace
