#include "base/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

#include "base/files.hpp"
#include "base/mapped_ranges.hpp"

namespace awend::base {

MappedFile::MappedFile(std::string path) : path_(std::move(path)) {
  // O_NONBLOCK: do not wait for the writer of a named pipe, which is rejected below.
  const Descriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail_errno(path_, errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail_errno(path_, errno);
  if (!S_ISREG(status.st_mode)) fail(path_, ": not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;  // mmap rejects an empty mapping
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (start == MAP_FAILED) fail_errno(path_, errno);
  bytes_ = {static_cast<const std::byte*>(start), size};
  remember_range(bytes_, path_);
}

MappedFile::~MappedFile() {
  if (bytes_.empty()) return;
  forget_range(bytes_);
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

// The call only frees memory.  Only a wrong address could make it fail, which would not change any
// result.
void forget_mapped(std::span<const std::byte> bytes) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(bytes.data()) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size()) / page * page;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace awend::base
