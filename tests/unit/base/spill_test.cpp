#include "base/spill.hpp"

#include <vector>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::base;

TEST_CASE("memory past the budget is a file's") {
  const awend::tests::Scratch scratch;
  SpillResource memory(1 << 20, scratch.path(""));
  {
    std::pmr::vector<int> in_heap(1000, 1, &memory);
    CHECK(memory.heap_bytes() == 4000);
    std::pmr::vector<int> in_file(1 << 20, 7, &memory);
    CHECK(memory.file_bytes() == 4 << 20);
    CHECK(memory.heap_bytes() == 4000);
    in_file.resize(1 << 21, 9);
    CHECK(in_file.front() == 7);
    CHECK(in_file[(1 << 20) - 1] == 7);
    CHECK(in_file.back() == 9);
    CHECK(std::filesystem::is_empty(scratch.path("")));
  }
  CHECK(memory.heap_bytes() == 0);
  CHECK(memory.file_bytes() == 0);
}

TEST_CASE("a directory that cannot hold a file is named") {
  SpillResource memory(0, "/no/directory");
  CHECK_THROWS_WITH(memory.allocate(1 << 20), "/no/directory: No such file or directory");
}

}  // namespace
