// Digests are equal where names, types, shapes and bytes are, and find every flipped bit.
#include "store/digest.hpp"

#include <algorithm>

#include "store/array_writer.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::store;
using awend::tests::message_of;
using awend::tests::Scratch;

const float floats[] = {1, 2, 3, 4, 5, 6};
const std::uint64_t integers[] = {7, 8};

Array weights() {
  return {"w", Type::F32, {2, 3}, std::as_bytes(std::span(floats))};
}
Array counts() {
  return {"n", Type::U64, {2}, std::as_bytes(std::span(integers))};
}

std::string digest_of_both(const Array& a, const Array& b) {
  const Array arrays[] = {a, b};
  return digest_of(arrays);
}

TEST_CASE("a digest depends on names, types, shapes and bytes, and not on the order") {
  const auto digest = digest_of_both(weights(), counts());
  CHECK(digest == "xxh3:9349b738d24d1207");
  CHECK(digest == digest_of_both(counts(), weights()));
  auto changed = weights();
  changed.name = "v";
  CHECK(digest_of_both(changed, counts()) != digest);
  changed = weights();
  changed.type = Type::I32;
  CHECK(digest_of_both(changed, counts()) != digest);
  changed = weights();
  changed.shape = {3, 2};
  CHECK(digest_of_both(changed, counts()) != digest);
  const float others[] = {1, 2, 3, 4, 5, 7};
  changed = weights();
  changed.bytes = std::as_bytes(std::span(others));
  CHECK(digest_of_both(changed, counts()) != digest);
}

TEST_CASE("a digest can be computed in parts before the file is written") {
  const Scratch scratch;
  const Array arrays[] = {weights(), counts(), {"empty", Type::F32, {0}, {}}};
  ArrayDigest digest;
  for (const auto& array : arrays) {
    digest.begin(array);
    for (std::size_t i = 0; i < array.bytes.size(); i += 8) digest.add(array.bytes.subspan(i, 8));
  }
  CHECK(digest.value() == digest_of(arrays));
  write_arrays(scratch.path("x"), arrays, {});
  CHECK(stored_digest(ArrayFile(scratch.path("x"))) == digest.value());
}

std::string written(const Metadata& metadata) {
  const Scratch scratch;
  const Array arrays[] = {weights(), counts()};
  write_arrays(scratch.path("x"), arrays, metadata);
  return Scratch::read(scratch.path("x"));
}

std::string problem_of(const Scratch& scratch, const std::string& bytes) {
  const auto path = scratch.write("x", bytes);
  return message_of([&] { ArrayFile(path).verify(); });
}

// The file's bytes after the header, and the texts of the metadata: what no other check sees.
TEST_CASE("every flipped bit of the arrays and of their description is found") {
  const Scratch scratch;
  auto bytes = written({{"awend.vocabulary", "some pieces"}, {"awend.config", "{}"}});
  REQUIRE(problem_of(scratch, bytes).empty());
  // Padding carries no meaning, and the eight bytes of the length are checked by the reader.
  const auto padding = bytes.find("}}", 0) + 2;
  const auto data = bytes.size() - sizeof floats - sizeof integers;
  for (std::size_t i = 8; i < bytes.size(); ++i) {
    if (i >= padding && i < data) continue;
    for (const int bit : {1, 8, 64}) {
      bytes[i] = static_cast<char>(bytes[i] ^ bit);
      const auto problem = problem_of(scratch, bytes);
      bytes[i] = static_cast<char>(bytes[i] ^ bit);
      if (!problem.starts_with(scratch.path("x") + ": ")) FAIL("byte " << i << " bit " << bit);
    }
  }
}

TEST_CASE("damaged arrays and damaged metadata are told apart") {
  const Scratch scratch;
  auto bytes = written({{"awend.vocabulary", "some pieces"}});
  const auto digest = ArrayFile(scratch.write("x", bytes)).metadata_at(keys::kDigest);
  bytes.back() ^= 1;
  CHECK(problem_of(scratch, bytes) ==
        scratch.path("x") + ": damaged: its arrays do not match their digest " + digest);
  bytes.back() ^= 1;
  bytes[bytes.find("some pieces")] ^= 1;
  CHECK(problem_of(scratch, bytes) ==
        scratch.path("x") + ": damaged: the metadata does not match its digest");
}

TEST_CASE("other software may add metadata, and a file may have no digests") {
  const Scratch scratch;
  auto metadata = ArrayFile(scratch.write("x", written({{"awend.step", "1"}}))).metadata();
  check_metadata_digest(metadata);
  metadata["format"] = "pt";
  check_metadata_digest(metadata);
  metadata["awend.seconds"] = "another duration";
  check_metadata_digest(metadata);
  metadata["awend.more"] = "ours";
  CHECK_THROWS_AS(check_metadata_digest(metadata), awend::base::Error);
  metadata.erase(std::string(keys::kDigest));
  CHECK_THROWS_AS(check_metadata_digest(metadata), awend::base::Error);
  metadata.erase(std::string(keys::kMetadataDigest));
  check_metadata_digest(metadata);
}

}  // namespace
