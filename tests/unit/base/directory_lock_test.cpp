// The lock of a directory: exclusive, with the name of its owner, and released with the object.
#include "base/directory_lock.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::base {
namespace {

namespace fs = std::filesystem;
using tests::message_of;
using tests::Scratch;

TEST_CASE("a second holder is refused and told who has the lock", "[lock]") {
  const Scratch scratch;
  auto first = std::make_unique<DirectoryLock>(scratch.folder(), "train");
  CHECK(first->is_effective());
  const auto message = message_of([&] { DirectoryLock(scratch.folder(), "train"); });
  CHECK(message.starts_with(concat(scratch.folder(), ": is in use by process ",
                                   static_cast<long>(::getpid()), " on host ")));
  CHECK(DirectoryLock(scratch.folder(), "other").is_effective());
  first.reset();
  CHECK(fs::is_empty(scratch.folder()));
  CHECK(DirectoryLock(scratch.folder(), "train").is_effective());
}

TEST_CASE("a holder that was killed leaves no lock", "[lock]") {
  const Scratch scratch;
  const pid_t child = ::fork();
  if (child == 0) {
    const DirectoryLock lock(scratch.folder(), "train");
    ::_exit(lock.is_effective() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  REQUIRE(status == 0);
  CHECK(fs::exists(scratch.path(".train.lock")));
  CHECK(DirectoryLock(scratch.folder(), "train").is_effective());
  CHECK(fs::is_empty(scratch.folder()));
}

TEST_CASE("a planted link is not followed", "[lock]") {
  const Scratch scratch;
  const auto secret = scratch.write("secret", "x");
  fs::create_symlink(secret, scratch.path(".train.lock"));
  CHECK(message_of([&] { DirectoryLock(scratch.folder(), "train"); }) ==
        scratch.path(".train.lock") + ": Too many levels of symbolic links");
  CHECK(Scratch::read(secret) == "x");
}

}  // namespace
}  // namespace awend::base
