#include "base/output_directory.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::base {
namespace {

namespace fs = std::filesystem;
using tests::Scratch;

std::size_t entries(const std::string& directory) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

TEST_CASE("a new directory appears with all files") {
  const Scratch scratch;
  const auto path = scratch.path("parent/out/");
  OutputDirectory output(path);
  output.write("a", "1");
  output.write_by("b", [](const std::string& file) { std::ofstream(file) << "2"; });
  REQUIRE_FALSE(fs::exists(path));
  output.commit();
  REQUIRE(Scratch::read(path + "a") == "1");
  REQUIRE(Scratch::read(path + "b") == "2");
  REQUIRE(entries(path) == 2);
  REQUIRE(entries(scratch.path("parent")) == 1);
}

TEST_CASE("files of an earlier output that are not written are removed") {
  const Scratch scratch;
  const auto path = scratch.path("out");
  fs::create_directory(path);
  for (const char* name : {"out/a", "out/b", "out/other"}) scratch.write(name, "old");
  constexpr std::string_view kOwn[] = {"a", "b", "c"};
  { OutputDirectory(path, kOwn).write("a", "new"); }
  REQUIRE(Scratch::read(path + "/b") == "old");
  OutputDirectory output(path, kOwn);
  output.write("a", "new");
  output.commit();
  REQUIRE(Scratch::read(path + "/a") == "new");
  REQUIRE(Scratch::read(path + "/other") == "old");
  REQUIRE(entries(path) == 2);
}

TEST_CASE("all files stay if one cannot be replaced, also those to remove") {
  const Scratch scratch;
  const auto path = scratch.path("out");
  fs::create_directories(path + "/c/full");  // a directory, which cannot be unlinked
  for (const char* name : {"out/a", "out/b"}) scratch.write(name, "old");
  constexpr std::string_view kOwn[] = {"b", "c"};
  OutputDirectory output(path, kOwn);
  output.write("a", "new");
  REQUIRE_THROWS_AS(output.commit(), Error);
  REQUIRE(Scratch::read(path + "/a") == "old");
  REQUIRE(Scratch::read(path + "/b") == "old");
  REQUIRE(fs::exists(path + "/c/full"));
}

TEST_CASE("nothing remains of a directory without commit") {
  const Scratch scratch;
  { OutputDirectory(scratch.path("out")).write("a", "1"); }
  REQUIRE(entries(scratch.folder()) == 0);
}

TEST_CASE("files of a directory that exists are replaced, others are kept") {
  const Scratch scratch;
  const auto path = scratch.path("out");
  fs::create_directory(path);
  scratch.write("out/a", "old");
  scratch.write("out/other", "kept");
  {
    OutputDirectory output(path);
    output.write("a", "new");
    REQUIRE(Scratch::read(path + "/a") == "old");
  }
  REQUIRE(Scratch::read(path + "/a") == "old");
  REQUIRE(entries(path) == 2);
  OutputDirectory output(path);
  output.write("a", "new");
  output.write("b", "new");
  output.commit();
  REQUIRE(Scratch::read(path + "/a") == "new");
  REQUIRE(Scratch::read(path + "/other") == "kept");
  REQUIRE(entries(path) == 3);
}

TEST_CASE("files that were replaced are restored if another cannot be") {
  const Scratch scratch;
  const auto path = scratch.path("out");
  fs::create_directories(path + "/b/full");  // a directory cannot be replaced by a file
  scratch.write("out/a", "old");
  OutputDirectory output(path);
  output.write("a", "new");
  output.write("c", "new");
  output.write("b", "new");
  REQUIRE_THROWS_WITH(output.commit(), path + "/b: Is a directory");
  REQUIRE(Scratch::read(path + "/a") == "old");
  REQUIRE_FALSE(fs::exists(path + "/c"));
}

TEST_CASE("the path of an output directory must not be that of a file") {
  const Scratch scratch;
  scratch.write("file", "");
  REQUIRE_THROWS_WITH(OutputDirectory(scratch.path("file")),
                      scratch.path("file") + ": Not a directory");
}

}  // namespace
}  // namespace awend::base
