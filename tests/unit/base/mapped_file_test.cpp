// Mapped files, and what happens when one is truncated while it is in use.
#include "base/mapped_file.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <optional>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using awend::base::MappedFile;
using awend::tests::Scratch;

constexpr std::size_t kBytes = 100'000;

struct Ended {
  int status;
  std::string said;
};

/// Runs `work` in a separate process, with its stderr in a file.
template <class Work>
Ended in_child(const Scratch& scratch, Work work) {
  const auto err = scratch.write("err", "");
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (std::freopen(err.c_str(), "w", stderr) == nullptr) ::_exit(99);
    work();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return {status, Scratch::read(err)};
}

int last_byte(const MappedFile& file) {
  return static_cast<int>(*const_cast<const volatile std::byte*>(&file.bytes().back()));
}

TEST_CASE("a file that is truncated while it is mapped is one message and status 1") {
  const Scratch scratch;
  const auto path = scratch.write("weights", std::string(kBytes, 'x'));
  const auto ended = in_child(scratch, [&] {
    awend::base::report_lost_files("tool");
    const MappedFile other(scratch.write("other", "y"));
    std::optional<MappedFile> file(path);
    const MappedFile moved = std::move(*file);
    file.reset();
    if (last_byte(moved) != 'x' || ::truncate(path.c_str(), 0) != 0) ::_exit(98);
    ::_exit(last_byte(moved));
  });
  CHECK(WIFEXITED(ended.status));
  CHECK(WEXITSTATUS(ended.status) == 1);
  CHECK(ended.said == "tool: " + path + ": was truncated while in use\n");
}

TEST_CASE("released pages take no memory until they are read again") {
  const Scratch scratch;
  const std::string text = [] {
    std::string made;
    for (int i = 0; made.size() < 64 * kBytes; ++i) made += std::to_string(i);
    return made;
  }();
  const MappedFile file(scratch.write("weights", text));
  const auto as_text = [&] {
    return std::string_view(reinterpret_cast<const char*>(file.bytes().data()), text.size());
  };
  const auto resident = [] {
    std::ifstream in("/proc/self/statm");
    long size = 0, pages = 0;
    in >> size >> pages;
    return pages * ::sysconf(_SC_PAGESIZE);
  };
  REQUIRE(as_text() == text);
  const auto before = resident();
  awend::base::forget_mapped(file.bytes().subspan(1, text.size() - 2));
  CHECK(resident() < before - static_cast<long>(32 * kBytes));
  CHECK(as_text() == text);
  awend::base::forget_mapped(file.bytes().subspan(5, 10));
  awend::base::forget_mapped({});
  CHECK(as_text() == text);
}

TEST_CASE("other causes of SIGBUS keep their default action") {
  const Scratch scratch;
  const auto ended = in_child(scratch, [&] {
    awend::base::report_lost_files("tool");
    const MappedFile file(scratch.write("weights", std::string(kBytes, 'x')));
    ::raise(SIGBUS);
  });
  CHECK(WIFSIGNALED(ended.status));
  CHECK(WTERMSIG(ended.status) == SIGBUS);
  CHECK(ended.said.empty());
}

TEST_CASE("a range is forgotten when its file is closed") {
  const Scratch scratch;
  const auto path = scratch.write("weights", std::string(kBytes, 'x'));
  const auto ended = in_child(scratch, [&] {
    awend::base::report_lost_files("tool");
    for (int i = 0; i < 1000; ++i) MappedFile(std::string(path));
    const MappedFile file(path);
    if (::truncate(path.c_str(), 0) != 0) ::_exit(98);
    ::_exit(last_byte(file));
  });
  CHECK(ended.said == "tool: " + path + ": was truncated while in use\n");
}

}  // namespace
