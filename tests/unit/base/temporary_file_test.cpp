// Temporary files: unique names, never through a planted link, and removal once their writer is
// dead.
#include "base/temporary_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::base {
namespace {

namespace fs = std::filesystem;
using tests::message_of;
using tests::Scratch;

std::set<std::string> names_in(const std::string& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory))
    names.insert(entry.path().filename().string());
  return names;
}

TEST_CASE("two temporary files of one target have different names", "[temporary]") {
  const Scratch scratch;
  const auto target = scratch.path("model");
  const auto a = create_temporary(target, target), b = create_temporary(target, target);
  CHECK(a.path != b.path);
  CHECK(a.path.starts_with(target + "."));
  CHECK(a.path.ends_with(".tmp"));
  CHECK(a.path.size() == target.size() + 17);
  CHECK(names_in(scratch.folder()).size() == 2);
  const auto missing = scratch.path("nonexistent/model");
  CHECK(message_of([&] { create_temporary(missing, "model"); }) ==
        "model: No such file or directory");
}

TEST_CASE("others cannot open what is about to replace a private file", "[temporary]") {
  const Scratch scratch;
  scratch.write("secret", "x");
  REQUIRE(::chmod(scratch.path("secret").c_str(), 0600) == 0);
  const auto made = create_temporary(scratch.path("secret"), "secret");
  struct stat status {};
  REQUIRE(::fstat(made.file.get(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a long name is shortened at the end of a character", "[temporary]") {
  const Scratch scratch;
  for (const std::size_t size : {238, 239, 240, 255}) {
    const auto target = scratch.path(std::string(size, 'a'));
    const auto made = create_temporary(target, target);
    CHECK(fs::path(made.path).filename().string().size() == 255);
    CHECK(fs::path(made.path).parent_path() == scratch.folder());
  }
  std::string umlauts;
  for (int i = 0; i < 127; ++i) umlauts += "\u00FC";
  const auto made = create_temporary(scratch.path(umlauts), "");
  const auto name = fs::path(made.path).filename().string();
  CHECK(name.starts_with(umlauts.substr(0, 238)));
  CHECK(name.size() == 255);
  const auto odd = create_temporary(scratch.path("x" + umlauts), "");
  CHECK(fs::path(odd.path).filename().string().size() == 254);
  // A name that no file can have is not shortened.
  const std::string impossible(256, 'a');
  CHECK(message_of([&] { create_temporary(scratch.path(impossible), "name"); }) ==
        "name: File name too long");
}

TEST_CASE("suffixes are random", "[temporary]") {
  std::set<std::string> suffixes;
  for (int i = 0; i < 1000; ++i) suffixes.insert(random_suffix());
  CHECK(suffixes.size() == 1000);
}

TEST_CASE("only own files without a writer are removed", "[temporary]") {
  const Scratch scratch;
  const auto dead = [&](const std::string& name) { return scratch.write(name, "x"); };
  dead("model.0123456789ab.tmp");
  const auto alive = create_temporary(scratch.path("model"), "model");
  const std::set<std::string> others = {"model",
                                        ".tmp",
                                        "model.tmp",
                                        "model.1234.tmp",
                                        "model.0123456789a.tmp",
                                        "model.0123456789ABC.tmp",
                                        "model.0123456789xy.tmp",
                                        "model-0123456789ab.tmp",
                                        "paper.0123456789ab.tmp"};
  for (const auto& name : others) dead(name);
  fs::create_directory(scratch.path("model.abcdefabcdef.tmp"));
  const auto is_own = [](std::string_view name) { return name == "model"; };
  remove_abandoned(scratch.folder(), is_own);
  remove_abandoned(scratch.path("nothing"), is_own);
  auto expected = others;
  expected.insert("model.abcdefabcdef.tmp");
  expected.insert(fs::path(alive.path).filename().string());
  CHECK(names_in(scratch.folder()) == expected);
}

TEST_CASE("a file that is being created is not removed as abandoned", "[temporary]") {
  const Scratch scratch;
  std::atomic<bool> ended = false;
  std::thread remover([&] {
    while (!ended) remove_abandoned(scratch.folder(), [](std::string_view) { return true; });
  });
  std::size_t lost = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<TemporaryFile> files;
    for (int i = 0; i < 8; ++i) files.push_back(create_temporary(scratch.path("model"), "model"));
    lost += std::ranges::count_if(files, [](const auto& file) { return !fs::exists(file.path); });
    for (const auto& file : files) fs::remove(file.path);
  }
  ended = true;
  remover.join();
  CHECK(lost == 0);
}

TEST_CASE("a planted link is neither followed nor counted as a writer", "[temporary]") {
  const Scratch scratch;
  const auto secret = scratch.write("secret", "x");
  fs::create_symlink(secret, scratch.path("model.0123456789ab.tmp"));
  remove_abandoned(scratch.folder(), [](std::string_view name) { return name == "model"; });
  CHECK(names_in(scratch.folder()) == std::set<std::string>{"secret"});
}

TEST_CASE("a symbolic link is replaced as a whole", "[temporary]") {
  const Scratch scratch;
  const auto link = scratch.path("best");
  CHECK(replace_symbolic_link("one", link));
  CHECK(replace_symbolic_link("two", link));
  CHECK(fs::read_symlink(link) == "two");
  CHECK(names_in(scratch.folder()).size() == 1);
  fs::create_directory(scratch.path("directory"));
  CHECK(message_of([&] { replace_symbolic_link("one", scratch.path("directory")); }) ==
        scratch.path("directory") + ": Is a directory");
  CHECK(names_in(scratch.folder()).size() == 2);
}

}  // namespace
}  // namespace awend::base
