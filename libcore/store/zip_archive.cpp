#include "store/zip_archive.hpp"

#include <zip.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"

namespace awend::store {
namespace {

// Weights are compressed little: more is a small archive that would exhaust memory.
constexpr std::uint64_t kMaxRatio = 64;
constexpr std::uint64_t kMaxEntries = 1'000'000;

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

}  // namespace

struct ZipArchive::Handle {
  std::unique_ptr<zip_t, Discard> archive;
};

bool ZipArchive::looks_like_archive(std::span<const std::byte> bytes) {
  return bytes.size() >= 4 && std::memcmp(bytes.data(), "PK\3\4", 4) == 0;
}

ZipArchive::ZipArchive(std::span<const std::byte> bytes)
    : handle_(std::make_unique<Handle>()),
      bytes_left_(std::uint64_t{bytes.size()} * kMaxRatio + (1 << 16)) {
  zip_error_t error;
  zip_error_init(&error);
  const auto fail = [&] {
    const std::string what = zip_error_strerror(&error);
    zip_error_fini(&error);
    base::fail("not a complete zip archive: ", what);
  };
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (source == nullptr) fail();
  handle_->archive.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
  if (!handle_->archive) {
    zip_source_free(source);
    fail();
  }
  zip_error_fini(&error);
  const auto entries = zip_get_num_entries(handle_->archive.get(), 0);
  if (entries < 0 || static_cast<std::uint64_t>(entries) > kMaxEntries)
    base::fail("the zip archive has ", entries, " entries");
  for (zip_int64_t i = 0; i < entries; ++i) {
    const char* name = zip_get_name(handle_->archive.get(), i, ZIP_FL_ENC_RAW);
    if (name == nullptr) base::fail("entry ", i, " of the zip archive has no name");
    names_.emplace_back(name);
  }
}

ZipArchive::~ZipArchive() = default;

std::vector<std::byte> ZipArchive::read(std::size_t entry) {
  const auto fail = [&](const char* what) {
    base::fail("entry '", names_[entry], "' of the zip archive: ", what);
  };
  const std::unique_ptr<zip_file_t, Discard> file(
      zip_fopen_index(handle_->archive.get(), entry, 0));
  if (!file) fail(zip_strerror(handle_->archive.get()));
  // The size in the directory may be anything, so memory grows with what is read.
  std::vector<std::byte> bytes;
  constexpr std::size_t kChunk = 1 << 16;
  for (std::size_t size = 0;;) {
    bytes.resize(std::max(bytes.size(), size + kChunk));
    const auto count = zip_fread(file.get(), bytes.data() + size, bytes.size() - size);
    if (count < 0) fail(zip_file_strerror(file.get()));
    size += static_cast<std::size_t>(count);
    if (size > bytes_left_) fail("too large for a file of this size");
    if (count == 0) {
      bytes.resize(size);
      bytes_left_ -= size;
      return bytes;
    }
    if (size == bytes.size()) bytes.resize(2 * size);
  }
}

}  // namespace awend::store
