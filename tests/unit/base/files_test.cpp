#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::base;
using awend::tests::message_of;
using awend::tests::Scratch;

std::size_t files_in(const Scratch& scratch) {
  const std::filesystem::directory_iterator files(scratch.folder());
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST_CASE("a file appears whole, with commit") {
  const Scratch scratch;
  const std::string path = scratch.write("file", "old");
  OutputFile file(path);
  file.write("new ");
  file.flush();
  file.write(std::string(200'000, 'x'));
  CHECK(Scratch::read(path) == "old");
  file.commit();
  CHECK(Scratch::read(path) == "new " + std::string(200'000, 'x'));
  CHECK(files_in(scratch) == 1);
}

TEST_CASE("without commit nothing is left") {
  const Scratch scratch;
  const std::string path = scratch.write("file", "old");
  {
    OutputFile file(path);
    file.write("new");
    file.flush();
    CHECK(files_in(scratch) == 2);
  }
  CHECK(Scratch::read(path) == "old");
  CHECK(files_in(scratch) == 1);
}

TEST_CASE("a symbolic link stays one") {
  const Scratch scratch;
  const std::string path = scratch.write("file", "old");
  std::filesystem::create_symlink(path, scratch.path("link"));
  OutputFile file(scratch.path("link"));
  file.write("new");
  file.commit();
  CHECK(std::filesystem::is_symlink(scratch.path("link")));
  CHECK(Scratch::read(path) == "new");
}

TEST_CASE("a full disk and a missing folder are errors with the name") {
  OutputFile full("/dev/full");
  full.write("x");
  CHECK(message_of([&] { full.commit(); }) == "/dev/full: No space left on device");
  CHECK(message_of([] { OutputFile("/nonexistent/file"); }) ==
        "/nonexistent/file: No such file or directory");
}

TEST_CASE("a reader that has gone is told apart from a failure") {
  const Scratch scratch;
  REQUIRE(::mkfifo(scratch.path("pipe").c_str(), 0600) == 0);
  // Opened for both, a pipe does not wait for the other end.
  Descriptor reader(::open(scratch.path("pipe").c_str(), O_RDWR));
  OutputFile file(scratch.path("pipe"));
  file.write("x");
  file.flush();
  reader = Descriptor();
  const auto old = std::signal(SIGPIPE, SIG_IGN);
  file.write("y");
  CHECK_THROWS_AS(file.flush(), ClosedPipe);
  std::signal(SIGPIPE, old);
}

TEST_CASE("a file is read whole") {
  const Scratch scratch;
  std::string content(300'000, 'a');
  content[1000] = '\0';
  CHECK(read_file(scratch.write("file", content)) == content);
  CHECK(read_file(scratch.write("empty", "")).empty());
  CHECK(message_of([&] { read_file(scratch.path("none")); }) ==
        scratch.path("none") + ": No such file or directory");
}

}  // namespace
