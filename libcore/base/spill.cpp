#include "base/spill.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/files.hpp"

namespace awend::base {
namespace {

// Smaller requests are not worth a file; they stay on the heap even beyond the budget.
constexpr std::size_t kSmallestFileBytes = 64 * 1024;

}  // namespace

std::string temporary_directory() {
  const char* directory = std::getenv("TMPDIR");
  return directory != nullptr && *directory != '\0' ? directory : "/tmp";
}

int open_unnamed_file(const std::string& directory) {
  std::string name = directory + "/awend-XXXXXX";
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) fail_errno(directory, errno);
  ::unlink(name.c_str());
  return fd;
}

SpillResource::~SpillResource() {
  for (const auto& [memory, bytes] : mapped_) ::munmap(memory, bytes);
}

void* SpillResource::map_file(std::size_t bytes) const {
  const Descriptor file(open_unnamed_file(directory_));
  // Disk space is allocated now: a full disk is an error here, and not a signal at a later write.
  const int error = ::posix_fallocate(file.get(), 0, static_cast<off_t>(bytes));
  if (error != 0) fail_errno(directory_, error);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) fail_errno(directory_, errno);
  return memory;
}

void* SpillResource::do_allocate(std::size_t bytes, std::size_t alignment) {
  const std::lock_guard lock(mutex_);
  if (bytes < kSmallestFileBytes || heap_bytes_ + bytes <= budget_bytes_) {
    void* memory = std::pmr::new_delete_resource()->allocate(bytes, alignment);
    heap_bytes_ += bytes;
    return memory;
  }
  void* memory = map_file(bytes);
  mapped_.emplace(memory, bytes);
  file_bytes_ += bytes;
  return memory;
}

void SpillResource::do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
  const std::lock_guard lock(mutex_);
  if (mapped_.erase(memory) > 0) {
    ::munmap(memory, bytes);
    file_bytes_ -= bytes;
    return;
  }
  std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  heap_bytes_ -= bytes;
}

}  // namespace awend::base
