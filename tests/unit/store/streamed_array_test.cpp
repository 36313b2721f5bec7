#include "store/streamed_array.hpp"

#include "store/array_writer.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::store {
namespace {

using tests::Scratch;

TEST_CASE("arrays that are made when they are written are the same file") {
  const Scratch scratch;
  const std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {7, 8};
  const Array arrays[] = {{"a", Type::F32, {3, 2}, std::as_bytes(std::span(a))},
                          {"b", Type::F32, {2}, std::as_bytes(std::span(b))}};
  write_arrays(scratch.path("whole"), arrays, {{"format", "pt"}});
  const StreamedArray streamed[] = {{"a",
                                     {3, 2},
                                     [&](const WriteFloats& write) {
                                       write(std::span(a).first(2));
                                       write(std::span(a).subspan(2));
                                     }},
                                    {"b", {2}, [&](const WriteFloats& write) { write(b); }}};
  write_arrays(scratch.path("parts"), streamed, {{"format", "pt"}});
  CHECK(Scratch::read(scratch.path("parts")) == Scratch::read(scratch.path("whole")));
  CHECK(streamed[0].size_bytes() == 24);
}

}  // namespace
}  // namespace awend::store
