#include "store/npy_writer.hpp"

#include <bit>

#include "base/concat.hpp"
#include "base/error.hpp"

namespace awend::store {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMagic = "\x93NUMPY\x01\x00"sv;
constexpr std::size_t kHeaderBytes = 128;
static_assert(std::endian::native == std::endian::little);

}  // namespace

std::string npy_header(std::uint64_t rows, std::uint64_t columns) {
  const std::string description = base::concat(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (", rows, ", ", columns, "), }");
  std::string header(kMagic);
  const std::size_t length = kHeaderBytes - header.size() - 2;
  header += static_cast<char>(length & 0xFF);
  header += static_cast<char>(length >> 8);
  header += description;
  header.resize(kHeaderBytes - 1, ' ');
  return header + '\n';
}

NpyWriter::NpyWriter(base::OutputFile& out, std::uint64_t columns) : out_(out), columns_(columns) {
  if (out_.can_overwrite()) out_.write(npy_header(0, columns));
}

void NpyWriter::write(std::span<const float> row) {
  base::check(row.size() == columns_, "a row has all columns");
  ++rows_;
  const std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size_bytes());
  if (out_.can_overwrite()) {
    out_.write(bytes);
  } else {
    kept_ += bytes;
  }
}

void NpyWriter::finish() {
  const auto header = npy_header(rows_, columns_);
  if (out_.can_overwrite()) return out_.overwrite(0, header);
  out_.write(header);
  out_.write(kept_);
}

}  // namespace awend::store
