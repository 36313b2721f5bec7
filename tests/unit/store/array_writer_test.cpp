// The writer follows the format, agrees with the reader, and is deterministic.
#include "store/array_writer.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <future>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::store;
using awend::tests::message_of;
using awend::tests::Scratch;

const float floats[] = {1, 2, 3, 4, 5, 6};
const std::uint64_t integers[] = {7, 1'000'000'000'000'007};

std::vector<Array> two_arrays() {
  return {{"w", Type::F32, {2, 3}, std::as_bytes(std::span(floats))},
          {"n", Type::U64, {2}, std::as_bytes(std::span(integers))},
          {"empty", Type::F32, {0, 5}, {}}};
}

TEST_CASE("the bytes are those of the format") {
  Scratch scratch;
  const auto path = scratch.path("x");
  write_arrays(path, two_arrays(), {{"awend.step", "7"}});
  std::string header = R"({"__metadata__":{"awend.digest":"xxh3:21963bcc27495c05",)"
                       R"("awend.metadata-digest":"xxh3:eb775bf5de3e5d99","awend.step":"7"},)"
                       R"("n":{"dtype":"U64","shape":[2],"data_offsets":[0,16]},)"
                       R"("w":{"dtype":"F32","shape":[2,3],"data_offsets":[16,40]},)"
                       R"("empty":{"dtype":"F32","shape":[0,5],"data_offsets":[40,40]}})";
  header.append(63 - (header.size() + 7) % 64, ' ');
  std::string length(8, '\0');
  length[0] = static_cast<char>(header.size() & 255);
  length[1] = static_cast<char>(header.size() >> 8);
  std::string data(reinterpret_cast<const char*>(integers), sizeof integers);
  data.append(reinterpret_cast<const char*>(floats), sizeof floats);
  CHECK(Scratch::read(path) == length + header + data);
  CHECK((8 + header.size()) % 64 == 0);
}

TEST_CASE("what was written is read again") {
  Scratch scratch;
  const auto path = scratch.path("x");
  write_arrays(path, two_arrays(), {{"text", "zwölf\n\"\\"}});
  const ArrayFile file(path);
  const std::uint64_t shape[] = {2, 3};
  const std::uint64_t length[] = {2};
  CHECK(std::ranges::equal(file.floats("w", shape), floats));
  CHECK(std::ranges::equal(file.integers("n", length), integers));
  CHECK(file.at("empty").shape == std::vector<std::uint64_t>{0, 5});
  CHECK(file.metadata() == with_digests({{"text", "zwölf\n\"\\"}}, digest_of(two_arrays())));
}

TEST_CASE("no arrays and no metadata make a valid file") {
  Scratch scratch;
  write_arrays(scratch.path("x"), {}, {});
  const ArrayFile file(scratch.path("x"));
  CHECK(file.arrays().empty());
  CHECK(file.metadata() == with_digests({}, digest_of({})));
}

TEST_CASE("an array may be written in parts") {
  Scratch scratch;
  const auto arrays = two_arrays();
  {
    ArrayWriter writer(scratch.path("x"), {arrays.data(), 1}, {});
    for (std::size_t i = 0; i < 24; i += 8) writer.write(arrays[0].bytes.subspan(i, 8));
    CHECK_THROWS_AS(writer.write(arrays[0].bytes.first(1)), std::logic_error);
    writer.commit();
  }
  write_arrays(scratch.path("y"), {arrays.data(), 1}, {});
  CHECK(Scratch::read(scratch.path("x")) == Scratch::read(scratch.path("y")));
}

TEST_CASE("a pipe gets the same bytes as a file") {
  Scratch scratch;
  const auto pipe = scratch.path("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  write_arrays(scratch.path("x"), two_arrays(), {{"awend.step", "7"}});
  auto read = std::async(std::launch::async, [&] { return Scratch::read(pipe); });
  write_arrays(pipe, two_arrays(), {{"awend.step", "7"}});
  CHECK(read.get() == Scratch::read(scratch.path("x")));
}

TEST_CASE("one call may write several arrays") {
  Scratch scratch;
  const auto arrays = two_arrays();
  std::vector<std::byte> bytes(arrays[0].bytes.begin(), arrays[0].bytes.end());
  bytes.insert(bytes.end(), arrays[1].bytes.begin(), arrays[1].bytes.end());
  ArrayWriter writer(scratch.path("x"), arrays, {});
  CHECK_THROWS_AS(writer.digest(), std::logic_error);
  writer.write(bytes);
  CHECK(writer.digest() == digest_of(arrays));
  writer.commit();
  CHECK(stored_digest(ArrayFile(scratch.path("x"))) == digest_of(arrays));
}

TEST_CASE("no file remains unless it is complete") {
  Scratch scratch;
  const auto arrays = two_arrays();
  scratch.write("x", "the old one");
  {
    ArrayWriter writer(scratch.path("x"), arrays, {});
    writer.write(arrays[0].bytes);
    CHECK_THROWS_AS(writer.commit(), std::logic_error);
  }
  CHECK(Scratch::read(scratch.path("x")) == "the old one");
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.folder()), {}) == 1);
}

TEST_CASE("what cannot be written is refused with the file's name") {
  Scratch scratch;
  const auto path = scratch.path("x");
  const std::vector<Array> twins(2, two_arrays()[0]);
  CHECK(message_of([&] { write_arrays(path, twins, {}); }) == path + ": two arrays 'w'");
  CHECK(message_of([&] {
          write_arrays(path, {}, {{"k", "\xff"}});
        }) == path + ": a name or a text is not UTF-8");
  CHECK(message_of([&] { write_arrays(scratch.path("no/x"), {}, {}); }) ==
        scratch.path("no/x") + ": No such file or directory");
  CHECK(message_of([&] { write_arrays("/dev/full", {}, {}); }) ==
        "/dev/full: No space left on device");
  CHECK(std::filesystem::is_empty(scratch.folder()));
}

}  // namespace
