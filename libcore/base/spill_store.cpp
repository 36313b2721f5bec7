#include "base/spill_store.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/mapped_file.hpp"

namespace awend::base {
namespace {

constexpr std::size_t kAlignment = 64;
// Bytes that are copied before their pages are released.
constexpr std::size_t kPieceBytes = std::size_t{8} << 20;

}  // namespace

SpillStore::SpillStore(std::size_t budget_bytes)
    : memory_(std::make_unique<SpillResource>(budget_bytes, temporary_directory())) {}

SpillStore::~SpillStore() {
  for (const auto& block : blocks_)
    memory_->deallocate(block.bytes.data(), block.bytes.size(), kAlignment);
}

SpillStore::SpillStore(SpillStore&& other) noexcept
    : memory_(std::move(other.memory_)), blocks_(std::exchange(other.blocks_, {})) {}

SpillStore& SpillStore::operator=(SpillStore&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(blocks_, other.blocks_);
  return *this;
}

std::span<const std::byte> SpillStore::keep(std::span<const std::byte> bytes) {
  if (bytes.empty()) return {};
  const auto before = memory_->file_bytes();
  auto* const place = static_cast<std::byte*>(memory_->allocate(bytes.size(), kAlignment));
  blocks_.push_back({{place, bytes.size()}, memory_->file_bytes() > before});
  const auto& [copy, is_file] = blocks_.back();
  for (std::size_t begin = 0; begin < bytes.size(); begin += kPieceBytes) {
    const auto size = std::min(kPieceBytes, bytes.size() - begin);
    std::memcpy(copy.data() + begin, bytes.data() + begin, size);
    if (is_file) forget_mapped(copy.subspan(begin, size));
  }
  return copy;
}

void SpillStore::forget() const {
  for (const auto& block : blocks_) {
    if (block.is_file) forget_mapped(block.bytes);
  }
}

}  // namespace awend::base
