// The safetensors reader against damaged files: whatever the bytes, it reads them or throws an
// Error that names the file.
//
// Mutations are drawn from a fixed seed, so a failure can be repeated.  Under AWEND_SANITIZE a read
// outside the file aborts.
#include <random>

#include "base/error.hpp"
#include "store/array_file.hpp"
#include "store/array_writer.hpp"
#include "store/settings.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::store;
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

// One to four changes: a byte, a run cut out, a run doubled, a digit, or the end cut off.
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
        bytes[place] = static_cast<char>('0' + below(10));
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
  const auto good = sample();
  std::mt19937 random(1);
  unsigned read = 0, refused = 0, sum = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto path = scratch.write("x", mutated(good, random));
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

TEST_CASE("a safetensors file cut anywhere is refused") {
  Scratch scratch;
  const auto good = sample();
  for (std::size_t size = 0; size < good.size(); ++size) {
    const auto path = scratch.write("x", good.substr(0, size));
    REQUIRE_THROWS_AS(read_all(path), awend::base::Error);
  }
}

}  // namespace
