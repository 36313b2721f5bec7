#include "vulkan/recording.hpp"

#include <array>

#include "base/error.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {
namespace {

constexpr std::uint32_t kDispatchesPerSlice = 64;

}  // namespace

std::uint64_t ticks_between(std::uint64_t begin, std::uint64_t end, std::uint32_t valid_bits) {
  const std::uint64_t mask =
      valid_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << valid_bits) - 1;
  return (end - begin) & mask;
}

Recording::Recording(const Device& device, Timing timing)
    : device_(device),
      timing_(device.limits().timestamp_period_ns > 0 ? timing : Timing::kOff),
      sets_(device) {
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.queueFamilyIndex = device.queue_family();
  VkCommandPool handle = VK_NULL_HANDLE;
  require(vkCreateCommandPool(device.get(), &pool, nullptr, &handle), "vkCreateCommandPool");
  command_pool_ = {device.get(), handle, vkDestroyCommandPool};
  parts_.push_back(make_part());
}

Recording::Part Recording::make_part() const {
  VkFenceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence = VK_NULL_HANDLE;
  require(vkCreateFence(device_.get(), &info, nullptr, &fence), "vkCreateFence");
  return {.first_slice = slices_.size(), .fence = {device_.get(), fence, vkDestroyFence}};
}

VkCommandBuffer Recording::commands() {
  if (open_ && in_slice_ >= kDispatchesPerSlice) finish();
  if (open_) return slices_.back();
  const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .pNext = nullptr,
                                            .commandPool = command_pool_.get(),
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
  VkCommandBuffer buffer = VK_NULL_HANDLE;
  require(vkAllocateCommandBuffers(device_.get(), &info, &buffer), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  require(vkBeginCommandBuffer(buffer, &begin), "vkBeginCommandBuffer");
  slices_.push_back(buffer);
  open_ = true;
  in_slice_ = 0;
  if (timing_ == Timing::kOn) {
    VkQueryPoolCreateInfo queries{};
    queries.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
    queries.queryCount = 2 * kDispatchesPerSlice;
    VkQueryPool pool = VK_NULL_HANDLE;
    require(vkCreateQueryPool(device_.get(), &queries, nullptr, &pool), "vkCreateQueryPool");
    queries_.emplace_back(device_.get(), pool, vkDestroyQueryPool);
    vkCmdResetQueryPool(buffer, pool, 0, 2 * kDispatchesPerSlice);
  }
  return buffer;
}

void Recording::dispatch(const Dispatch& dispatch) {
  check_against_shader(device_, dispatch);
  const VkCommandBuffer buffer = commands();
  const auto& kernel = dispatch.kernel;
  const VkDescriptorSet set = sets_.make(dispatch);
  vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline());
  vkCmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout(), 0, 1, &set, 0,
                          nullptr);
  const std::vector<std::byte> pushed = pushed_bytes(device_, dispatch);
  if (!pushed.empty()) {
    vkCmdPushConstants(buffer, kernel.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       static_cast<std::uint32_t>(pushed.size()), pushed.data());
  }
  const auto stamp = [&](std::uint32_t query) {
    if (timing_ == Timing::kOff) return;
    vkCmdWriteTimestamp2(buffer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries_.back().get(),
                         query);
  };
  const std::uint32_t query = 2 * in_slice_;
  stamp(query);
  if (dispatch.indirect) {
    vkCmdDispatchIndirect(buffer, dispatch.indirect->buffer, dispatch.indirect->offset);
  } else {
    const auto& [x, y, z] = dispatch.workgroups;
    vkCmdDispatch(buffer, x, y, z);
  }
  stamp(query + 1);
  ++in_slice_;
  if (timing_ == Timing::kOn) stamped_.push_back({kernel.name(), slices_.size() - 1, query});
}

void Recording::copy(const Range& from, const Range& to) {
  base::check(from.size_bytes == to.size_bytes,
              "source and destination of a copy have the same size");
  const VkBufferCopy region = {from.offset, to.offset, from.size_bytes};
  vkCmdCopyBuffer(commands(), from.buffer, to.buffer, 1, &region);
}

void Recording::fill(const Range& range, std::uint32_t word) {
  vkCmdFillBuffer(commands(), range.buffer, range.offset, range.size_bytes, word);
}

void Recording::barrier() {
  VkMemoryBarrier2 memory{};
  memory.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
  memory.srcStageMask =
      VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
  memory.srcAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;
  memory.dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
                        VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_HOST_BIT;
  memory.dstAccessMask = VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT |
                         VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT |
                         VK_ACCESS_2_HOST_READ_BIT;
  VkDependencyInfo dependency{};
  dependency.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &memory;
  vkCmdPipelineBarrier2(commands(), &dependency);
}

void Recording::finish() {
  if (!open_) return;
  // The last command of a slice, so that the next slice and the host see its writes.
  const std::uint32_t in_slice = in_slice_;
  in_slice_ = 0;
  barrier();
  in_slice_ = in_slice;
  require(vkEndCommandBuffer(slices_.back()), "vkEndCommandBuffer");
  open_ = false;
}

void Recording::end_part() {
  finish();
  parts_.push_back(make_part());
}

void Recording::replay() {
  finish();
  if (slices_.empty()) return;
  for (std::size_t part = 0; part < parts_.size(); ++part) submit(part);
  wait(parts_.size() - 1);
}

void Recording::submit(std::size_t part) {
  finish();
  const VkFence fence = parts_[part].fence.get();
  require(vkResetFences(device_.get(), 1, &fence), "vkResetFences");
  const std::size_t end = part + 1 < parts_.size() ? parts_[part + 1].first_slice : slices_.size();
  for (std::size_t i = parts_[part].first_slice; i < end; ++i) {
    VkSubmitInfo submit{};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &slices_[i];
    require(vkQueueSubmit(device_.queue(), 1, &submit, i + 1 == end ? fence : VK_NULL_HANDLE),
            "vkQueueSubmit");
  }
  if (parts_[part].first_slice == end) {
    require(vkQueueSubmit(device_.queue(), 0, nullptr, fence), "vkQueueSubmit");
  }
}

bool Recording::wait(std::size_t part, std::uint64_t nanoseconds) const {
  const VkFence fence = parts_[part].fence.get();
  const VkResult result = vkWaitForFences(device_.get(), 1, &fence, VK_TRUE, nanoseconds);
  if (result == VK_TIMEOUT) return false;
  require(result, "vkWaitForFences");
  return true;
}

std::vector<Recording::Timed> Recording::timings() const {
  std::vector<Timed> timed;
  for (const auto& [kernel, slice, query] : stamped_) {
    std::array<std::uint64_t, 2> stamps{};
    require(
        vkGetQueryPoolResults(device_.get(), queries_[slice].get(), query, 2, sizeof stamps,
                              stamps.data(), 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
    timed.push_back({kernel, static_cast<double>(ticks_between(stamps[0], stamps[1],
                                                               device_.limits().timestamp_bits)) *
                                 device_.limits().timestamp_period_ns});
  }
  return timed;
}

}  // namespace awend::vulkan
