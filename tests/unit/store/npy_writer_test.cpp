// The bytes of NumPy arrays, as described in numpy.lib.format.
#include "store/npy_writer.hpp"

#include <cstring>

#include "base/mapped_file.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::store {

TEST_CASE("an array has a header of 128 bytes with its shape, and its rows") {
  const tests::Scratch scratch;
  const auto path = scratch.path("vectors.npy");
  const float rows[] = {1, -2.5F, 3, 4};
  base::OutputFile out(path);
  NpyWriter writer(out, 2);
  writer.write(std::span(rows).first(2));
  writer.write(std::span(rows).last(2));
  writer.finish();
  out.commit();
  const base::MappedFile file(path);
  const std::string_view bytes(reinterpret_cast<const char*>(file.bytes().data()),
                               file.bytes().size());
  REQUIRE(bytes.size() == 128 + sizeof rows);
  const std::string_view length_of_header("\x76\0", 2);
  CHECK(bytes.starts_with("\x93NUMPY\x01"));
  CHECK(bytes.substr(8, 2) == length_of_header);
  CHECK(
      bytes.substr(10).starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), } "));
  CHECK(bytes[127] == '\n');
  CHECK(std::memcmp(bytes.data() + 128, rows, sizeof rows) == 0);
  CHECK(npy_header(1'000'000'000'000, 100'000).size() == 128);
}

}  // namespace awend::store
