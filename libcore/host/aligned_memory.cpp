#include "host/aligned_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace awend::host {
namespace {

constexpr std::align_val_t kAlignment{64};
// Half of a large page of most systems.  Mappings next to each other share large pages.
constexpr std::size_t kLargeBytes = std::size_t{1} << 20;

}  // namespace

AlignedMemory::AlignedMemory(std::size_t size_bytes) : bytes_(nullptr, {0}) {
  if (size_bytes < kLargeBytes) {
    bytes_.reset(
        static_cast<std::byte*>(::operator new(std::max<std::size_t>(size_bytes, 64), kAlignment)));
    return;
  }
  void* const mapped =
      ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  ::madvise(mapped, size_bytes, MADV_HUGEPAGE);
#endif
  bytes_ = {static_cast<std::byte*>(mapped), Free{size_bytes}};
}

void AlignedMemory::Free::operator()(std::byte* begin) const {
  if (mapped_bytes > 0) {
    ::munmap(begin, mapped_bytes);
  } else {
    ::operator delete(begin, kAlignment);
  }
}

}  // namespace awend::host
