// Where output paths lead, and that nothing is replaced that the shell has opened.
#include "base/output_place.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/files.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::base {
namespace {

namespace fs = std::filesystem;
using tests::message_of;
using tests::Scratch;

TEST_CASE("a link of another user in a shared directory is not followed", "[output]") {
  const Scratch scratch;
  const auto shared = scratch.path("shared"), link = shared + "/out";
  fs::create_directory(shared);
  REQUIRE(::chmod(shared.c_str(), 01777) == 0);
  fs::create_symlink(scratch.path("victim"), link);
  CHECK(find_output_place(link).replaces);
  if (::geteuid() != 0) return;  // only root can give files to others
  constexpr uid_t kNobody = 65534;
  REQUIRE(::lchown(link.c_str(), kNobody, kNobody) == 0);
  CHECK(message_of([&] { find_output_place(link); }) == link + ": Permission denied");
  REQUIRE(::chown(shared.c_str(), kNobody, kNobody) == 0);
  CHECK(find_output_place(link).replaces);
  REQUIRE(::chown(shared.c_str(), 0, 0) == 0);
  REQUIRE(::chmod(shared.c_str(), 0755) == 0);
  CHECK(find_output_place(link).replaces);
}

TEST_CASE("a file of another user in a shared directory is refused", "[output]") {
  if (::geteuid() != 0) SKIP("only root can give files to others");
  const Scratch scratch;
  const auto shared = scratch.path("shared"), file = shared + "/out";
  fs::create_directory(shared);
  std::ofstream(file) << "others' text";
  REQUIRE(::chmod(scratch.folder().c_str(), 0755) == 0);
  REQUIRE(::chmod(shared.c_str(), 01777) == 0);
  CHECK(find_output_place(file).replaces);
  constexpr uid_t kNobody = 65534;
  REQUIRE(::seteuid(kNobody) == 0);
  const bool is_seen = ::faccessat(AT_FDCWD, file.c_str(), F_OK, AT_EACCESS) == 0;
  const auto message = message_of([&] { find_output_place(file); });
  const bool replaces_own = find_output_place(shared + "/other").replaces;
  REQUIRE(::seteuid(0) == 0);
  if (!is_seen) SKIP("others cannot enter the directory of temporary files");
  CHECK(message == file + ": Operation not permitted");
  CHECK(replaces_own);
}

TEST_CASE("files are replaced, at the end of their links", "[output]") {
  const Scratch scratch;
  const auto real = (fs::canonical(scratch.folder()) / "file").string();
  CHECK(find_output_place(scratch.path("file")).path == real);
  CHECK(find_output_place(scratch.path("file")).replaces);
  fs::create_symlink("file", scratch.path("near"));
  fs::create_symlink(scratch.path("near"), scratch.path("far"));
  CHECK(find_output_place(scratch.path("far")).path == real);
  CHECK(find_output_place(scratch.path("far")).replaces);
  CHECK(find_output_place("/dev/shm/file").replaces);
  fs::create_symlink("b", scratch.path("a"));
  fs::create_symlink("a", scratch.path("b"));
  CHECK(message_of([&] { find_output_place(scratch.path("a")); }) ==
        scratch.path("a") + ": Too many levels of symbolic links");
}

TEST_CASE("what /dev and /proc lead to is written directly", "[output]") {
  const Scratch scratch;
  for (const auto* path :
       {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1"}) {
    CAPTURE(path);
    const auto place = find_output_place(path);
    CHECK_FALSE(place.replaces);
    CHECK(place.descriptor == 1);
  }
  CHECK_FALSE(find_output_place("/dev/null").replaces);
  CHECK_FALSE(find_output_place("/dev/null").descriptor);
  fs::create_symlink("/dev/fd/1", scratch.path("link"));
  CHECK(find_output_place(scratch.path("link")).descriptor == 1);
  CHECK_FALSE(find_output_place("/proc/1/fd/1").descriptor);
}

TEST_CASE("a descriptor's file keeps what it has", "[output]") {
  const Scratch scratch;
  const auto path = scratch.write("file", "keep\n");
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  OutputFile out(concat("/dev/fd/", file.get()));
  out.write("more\n");
  out.commit();
  CHECK(Scratch::read(path) == "keep\nmore\n");
}

TEST_CASE("a replaced file keeps its mode, and its owner if the system permits it", "[output]") {
  const Scratch scratch;
  const auto path = scratch.write("file", "old");
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  const bool is_root = ::geteuid() == 0;
  if (is_root) REQUIRE(::chown(path.c_str(), 12345, 54321) == 0);
  OutputFile file(path);
  file.write("new");
  file.commit();
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
  if (is_root) CHECK(status.st_uid == 12345);
  if (is_root) CHECK(status.st_gid == 54321);
}

TEST_CASE("a link to a file that does not exist yet leads to it", "[output]") {
  const Scratch scratch;
  fs::create_symlink("file", scratch.path("link"));
  OutputFile file(scratch.path("link"));
  file.write("new");
  file.commit();
  CHECK(fs::is_symlink(scratch.path("link")));
  CHECK(Scratch::read(scratch.path("file")) == "new");
}

TEST_CASE("text is added to the end of a file", "[output]") {
  const Scratch scratch;
  for (const auto* line : {"one\n", "two\n"}) {
    const auto file = OutputFile::append_to(scratch.path("log"));
    file->write(line);
    file->commit();
  }
  CHECK(Scratch::read(scratch.path("log")) == "one\ntwo\n");
}

}  // namespace
}  // namespace awend::base
