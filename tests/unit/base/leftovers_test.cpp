// Files of processes that were killed go; those of the living, and all others, stay.
#include "base/leftovers.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::base {
namespace {

/// The number of a process that has ended.
pid_t dead_process() {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(0);
  ::waitpid(pid, nullptr, 0);
  return pid;
}

TEST_CASE("what the dead have left goes after an hour", "[leftovers]") {
  const tests::Scratch scratch;
  const auto dead = std::to_string(dead_process()), alive = std::to_string(::getpid());
  const auto made = [&](const std::string& name, std::chrono::minutes age) {
    const auto path = scratch.path(name);
    std::ofstream(path) << "x";
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
  };
  using std::chrono::minutes;
  made("old." + dead + ".tmp", minutes(61));
  made("new." + dead + ".tmp", minutes(59));
  made("own." + alive + ".tmp", minutes(600));
  for (const auto* name :
       {"model.safetensors", "x.tmp", ".tmp", "x.12y.tmp", "x.-5.tmp", "x.0.tmp"})
    made(name, minutes(600));
  remove_leftovers(scratch.folder());
  remove_leftovers(scratch.path("nothing"));
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.folder()))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  std::vector<std::string> expected = {".tmp",
                                       "model.safetensors",
                                       "new." + dead + ".tmp",
                                       "own." + alive + ".tmp",
                                       "x.-5.tmp",
                                       "x.0.tmp",
                                       "x.12y.tmp",
                                       "x.tmp"};
  std::sort(expected.begin(), expected.end());
  CHECK(names == expected);
}

}  // namespace
}  // namespace awend::base
