// Lexical shortlists: Marian's binary form, arrays of a checkpoint, and damaged files.
#include "store/lexical_shortlist.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "store/array_writer.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/scratch.hpp"

namespace awend::store {
namespace {

std::span<const std::byte> view(const std::string& bytes) {
  return std::as_bytes(std::span(bytes));
}

LexicalShortlist sample() {
  LexicalShortlist shortlist{.first = 3, .best = 2};
  shortlist.append(std::vector<std::uint32_t>{4, 6});
  shortlist.append({});
  shortlist.append(std::vector<std::uint32_t>{5});
  return shortlist;
}

std::string error_of(const std::string& bytes, const ShortlistSizes& sizes) {
  try {
    read_marian_shortlist(view(bytes), sizes);
  } catch (const base::Error& error) {
    return error.what();
  }
  return "";
}

/// `bytes` with another number at a place, and the checksum that belongs to it.
std::string with_number(std::string bytes, std::size_t place, std::uint64_t number) {
  std::memcpy(bytes.data() + place, &number, sizeof number);
  std::uint64_t sum = 0;
  for (std::size_t i = 16; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, sizeof word);
    sum ^= word + 0x9e3779b9 + (sum << 6) + (sum >> 2);
  }
  std::memcpy(bytes.data() + 8, &sum, sizeof sum);
  return bytes;
}

}  // namespace

TEST_CASE("a binary shortlist is read as it was written") {
  const auto bytes = write_marian_shortlist(sample());
  CHECK(bytes.size() == 48 + 4 * 8 + 3 * 4);
  CHECK(read_marian_shortlist(view(bytes), {3, 7}) == sample());
  auto odd = sample();
  odd.append(std::vector<std::uint32_t>{0});
  CHECK(read_marian_shortlist(view(write_marian_shortlist(odd)), {4, 7}) == odd);
}

TEST_CASE("damaged binary shortlists are refused") {
  const auto bytes = write_marian_shortlist(sample());
  CHECK(error_of(bytes.substr(0, 40), {3, 7}) == "truncated at byte 40");
  CHECK(error_of(bytes.substr(0, 7), {3, 7}) == "not a binary shortlist of Marian");
  CHECK(error_of(bytes + "x", {3, 7}) ==
        "its size is 93 bytes, not that of 4 offsets and 3 entries");
  CHECK(
      error_of(with_number(bytes, 32, std::uint64_t{1} << 61), {3, 7}).starts_with("its size is"));
  CHECK(
      error_of(with_number(bytes, 40, std::uint64_t{1} << 62), {3, 7}).starts_with("its size is"));
  auto flipped = bytes;
  flipped[80] ^= 1;
  CHECK(error_of(flipped, {3, 7}).starts_with("damaged: its checksum is not "));
  CHECK(error_of(bytes, {4, 7}) == "the shortlist has 3 source words, but the vocabulary has 4");
  CHECK(error_of(bytes, {3, 6}) ==
        "the shortlist of source id 0 has the target id 6, but the vocabulary has 6");
  CHECK(error_of(with_number(bytes, 56, 9), {3, 7}) == "offset 1 is 9 of 3 entries");
  CHECK(error_of(with_number(bytes, 56, 3), {3, 7}) ==
        "the lists of the shortlist do not follow each other");
  CHECK(error_of(with_number(bytes, 80, 6 | std::uint64_t{4} << 32), {3, 7}) ==
        "the shortlist of source id 0 is not in ascending order");
  CHECK(error_of(with_number(bytes, 16, 8), {3, 7}) ==
        "the shortlist allows 8 words, but the vocabulary has 7");
}

TEST_CASE("Marian needs a list of the last source word") {
  auto shortlist = sample();
  shortlist.append({});
  const auto read = read_marian_shortlist(view(write_marian_shortlist(shortlist)), {4, 7});
  CHECK(std::ranges::equal(read.of(3), std::vector<std::uint32_t>{0}));
  CHECK(std::ranges::equal(read.of(2), shortlist.of(2)));
  shortlist.first = 0;
  CHECK_THROWS_AS(write_marian_shortlist(shortlist), base::Error);
}

TEST_CASE("a shortlist is stored in a checkpoint") {
  const tests::Scratch scratch;
  auto shortlist = sample();
  shortlist.source_ids = SourceIds::kAllowed;
  Metadata metadata;
  metadata.emplace(keys::kShortlist, settings_of(shortlist));
  write_arrays(scratch.path("model"), arrays_of(shortlist), metadata);
  const ArrayFile file(scratch.path("model"));
  CHECK(shortlist_of(file, {3, 7}) == shortlist);
  for (const auto& array : file.arrays()) CHECK(is_shortlist(array));
  CHECK_THROWS_AS(shortlist_of(file, {3, 5}), base::Error);
  write_arrays(scratch.path("without"), std::vector<Array>(), {});
  CHECK_FALSE(shortlist_of(ArrayFile(scratch.path("without")), {3, 7}).has_value());
}

TEST_CASE("shortlists of Marian are read, and damaged ones refused", "[conformance]") {
  for (const std::string directory : {"models/bergamot/", "models/bergamot-two/"}) {
    CAPTURE(directory);
    const auto at = [&](const std::string& name) {
      return tests::conformance_file(directory + name);
    };
    const bool is_two = directory.ends_with("two/");
    const auto path = at(is_two ? "lex.50.50.enja.s2t.bin" : "lex.50.50.ende.s2t.bin");
    if (!path) return;
    const auto bytes = base::read_file(*path, base::kMaxModelBytes);
    const ShortlistSizes sizes{82, 82};
    const auto shortlist = read_marian_shortlist(view(bytes), sizes);
    CHECK(shortlist.first == (is_two ? 6 : 10));
    CHECK(shortlist.best == (is_two ? 5 : 4));
    CHECK(shortlist.ids.size() == (is_two ? 212 : 189));
    CHECK(write_marian_shortlist(shortlist) == bytes);
    const auto broken = [&](const std::string& name) {
      return error_of(base::read_file(*at("broken-" + name + ".s2t.bin"), base::kMaxModelBytes),
                      sizes);
    };
    CHECK(broken("checksum").starts_with("damaged: its checksum is not "));
    CHECK(broken("magic") == "not a binary shortlist of Marian");
    CHECK(broken("short").starts_with("its size is "));
    CHECK(broken("range").find(" has the target id ") != std::string::npos);
  }
}

}  // namespace awend::store
