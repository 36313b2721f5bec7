#include "nn/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "nn/gpu.hpp"
#include "vulkan/memory.hpp"
#include "vulkan/recording.hpp"

namespace awend::nn {
namespace {

constexpr std::uint64_t kPieceBytes = std::uint64_t{16} << 20;

template <class Move>
void each_piece(std::uint64_t total, const Move& move) {
  for (std::uint64_t at = 0; at < total; at += kPieceBytes)
    move(at, std::min(kPieceBytes, total - at));
}

/// Zero, and taken from the system when it is touched first.  Null if there is not enough.
std::byte* map_memory(std::size_t size_bytes) {
  void* const mapped =
      ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  return static_cast<std::byte*>(mapped);
}

}  // namespace

void Memory::Unmap::operator()(std::byte* begin) const {
  ::munmap(begin, size_bytes);
}

Memory::Memory(Engine& engine, vulkan::MemoryKind kind, std::uint64_t size_bytes, Reducible reduce)
    : size_bytes_(size_bytes), bytes_(nullptr, {size_bytes}) {
  if (!engine.on_processor()) {
    arena_ = std::make_unique<vulkan::Arena>(engine.gpu().device, kind, size_bytes, reduce);
    return;
  }
  share_ = std::make_unique<vulkan::ByteCount>(engine.allocated_bytes_, size_bytes);
  if (size_bytes == 0) return;
  // The system grants more than there is, and would kill this process.
  const std::uint64_t memory = engine.limits().heap_bytes;
  if (size_bytes <= memory) bytes_.reset(map_memory(size_bytes));
  if (bytes_) return;
  throw base::LimitError(
      {base::Message("out of memory: ", base::divide_up(size_bytes, std::uint64_t{1} << 20),
                     " MiB requested, this process may use ", memory >> 20, " MiB"),
       size_bytes,
       memory,
       {reduce.begin(), reduce.end()}});
}

Memory::Memory(Memory&&) noexcept = default;
Memory::~Memory() = default;

void Memory::expect_all_used() const {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kLargePageBytes = std::size_t{2} << 20;
  if (bytes_ && size_bytes_ >= kLargePageBytes) ::madvise(bytes_.get(), size_bytes_, MADV_HUGEPAGE);
#endif
}

vulkan::Range Memory::range(std::uint64_t offset, std::uint64_t size_bytes) const {
  if (arena_) return arena_->range(offset, size_bytes);
  base::check(offset + size_bytes <= size_bytes_, "a range is inside its memory");
  std::byte* const begin = bytes_.get() + offset;
  return {0, reinterpret_cast<std::uintptr_t>(begin), size_bytes, begin};
}

Transfer::Transfer(Engine& engine) {
  if (!engine.on_processor()) recording_ = std::make_unique<vulkan::Recording>(engine.gpu().device);
}

Transfer::~Transfer() = default;

void Transfer::copy(const vulkan::Range& from, const vulkan::Range& to) {
  if (recording_) return recording_->copy(from, to);
  base::check(from.size_bytes == to.size_bytes, "a copy is between equal sizes");
  steps_.push_back({to.host, from.host, from.size_bytes, 0});
}

void Transfer::fill(const vulkan::Range& range, std::uint32_t word) {
  if (recording_) return recording_->fill(range, word);
  steps_.push_back({range.host, nullptr, range.size_bytes, word});
}

void Transfer::barrier() {
  if (recording_) recording_->barrier();
}

void Transfer::submit() {
  if (recording_) return recording_->submit(0);
  for (const auto& [to, from, size_bytes, word] : steps_) {
    if (from != nullptr) {
      std::memcpy(to, from, size_bytes);
    } else {
      std::fill_n(reinterpret_cast<std::uint32_t*>(to), size_bytes / sizeof(word), word);
    }
  }
}

bool Transfer::wait(std::uint64_t nanoseconds) {
  return !recording_ || recording_->wait(0, nanoseconds);
}

void Transfer::run() {
  submit();
  wait();
}

void upload(Engine& engine, std::span<const std::byte> bytes, const vulkan::Range& to) {
  if (engine.on_processor()) {
    std::memcpy(to.host, bytes.data(), bytes.size());
    return;
  }
  const Memory stage(engine, vulkan::MemoryKind::kUpload, std::min(kPieceBytes, bytes.size()));
  each_piece(bytes.size(), [&](std::uint64_t at, std::uint64_t size) {
    const auto piece = stage.range(0, size);
    std::memcpy(piece.host, bytes.data() + at, size);
    Transfer transfer(engine);
    transfer.copy(piece, to.part(at, size));
    transfer.run();
  });
}

void download(Engine& engine, const vulkan::Range& from, std::span<std::byte> bytes) {
  if (engine.on_processor()) {
    std::memcpy(bytes.data(), from.host, bytes.size());
    return;
  }
  const Memory stage(engine, vulkan::MemoryKind::kDownload, std::min(kPieceBytes, bytes.size()));
  each_piece(bytes.size(), [&](std::uint64_t at, std::uint64_t size) {
    const auto piece = stage.range(0, size);
    Transfer transfer(engine);
    transfer.copy(from.part(at, size), piece);
    transfer.run();
    std::memcpy(bytes.data() + at, piece.host, size);
  });
}

}  // namespace awend::nn
