#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

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

TEST_CASE("a full disk and a missing directory are errors with the name") {
  OutputFile full("/dev/full");
  full.write("x");
  CHECK(message_of([&] { full.commit(); }) == "/dev/full: No space left on device");
  const Scratch scratch;
  const auto missing = scratch.path("nonexistent/file");
  CHECK(message_of([&] { OutputFile file(missing); }) == missing + ": No such file or directory");
  CHECK(message_of([] { OutputFile(""); }) == "'': No such file or directory");
  CHECK(message_of([] { InputFile(""); }) == "'': No such file or directory");
}

TEST_CASE("a closed pipe differs from a failure") {
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
  CHECK(read_file(scratch.write("file", content), content.size()) == content);
  CHECK(read_file(scratch.write("empty", ""), 0).empty());
  CHECK(message_of([&] { read_file(scratch.path("none"), 1); }) ==
        scratch.path("none") + ": No such file or directory");
}

/// A pipe in the place of a standard descriptor, non-blocking at that end as another process that
/// shares it may leave it.
class NonBlockingStandard {
 public:
  explicit NonBlockingStandard(int standard) : standard_(standard), saved_(::dup(standard)) {
    REQUIRE(::pipe(ends_) == 0);
    const int own = standard == STDIN_FILENO ? 0 : 1;
    REQUIRE(::fcntl(ends_[own], F_SETFL, O_NONBLOCK) == 0);
    REQUIRE(::dup2(ends_[own], standard) == standard);
    ::close(ends_[own]);
    other_ = ends_[1 - own];
  }
  ~NonBlockingStandard() {
    ::dup2(saved_, standard_);
    ::close(saved_);
    ::close(other_);
  }
  int other() const { return other_; }

 private:
  int standard_, saved_, other_ = -1;
  int ends_[2] = {};
};

TEST_CASE("a read from a non-blocking pipe waits for bytes") {
  const NonBlockingStandard standard(STDIN_FILENO);
  InputFile file("-");
  char buffer[8];
  std::jthread writer([&] {
    ::usleep(50'000);
    REQUIRE(::write(standard.other(), "late", 4) == 4);
  });
  CHECK(file.read(buffer, sizeof buffer) == 4);
  CHECK(std::string_view(buffer, 4) == "late");
}

TEST_CASE("a write to a full non-blocking pipe waits for its reader") {
  const std::string bytes(1'000'000, 'x');  // more than a pipe holds
  std::size_t size_bytes = 0;
  {
    const NonBlockingStandard standard(STDOUT_FILENO);
    std::jthread reader([&] {
      ::usleep(50'000);
      char buffer[64 * 1024];
      while (size_bytes < bytes.size()) {
        const auto count = ::read(standard.other(), buffer, sizeof buffer);
        if (count <= 0) break;
        size_bytes += static_cast<std::size_t>(count);
      }
    });
    OutputFile file("-");
    file.write(bytes);
    file.flush();
  }
  CHECK(size_bytes == bytes.size());
}

TEST_CASE("a file that is longer than expected is refused") {
  const Scratch scratch;
  const auto path = scratch.write("file", std::string(100'001, 'x'));
  CHECK(message_of([&] { read_file(path, 100'000); }) ==
        path + ": too long: more than 100000 bytes, the limit for files of its kind");
  CHECK(message_of([&] { read_file("/dev/zero", 1 << 20); }) ==
        "/dev/zero: too long: more than 1048576 bytes, the limit for files of its kind");
}

}  // namespace
