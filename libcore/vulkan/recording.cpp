#include "vulkan/recording.hpp"

#include <array>

#include "base/error.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {
namespace {

constexpr std::uint32_t kDispatchesPerSlice = 64;
// Slices are smaller than submissions, which are put together from them.
constexpr double kSlicesPerSubmission = 4;

constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 kTransfer = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
constexpr VkPipelineStageFlags2 kIndirect = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
constexpr VkPipelineStageFlags2 kHost = VK_PIPELINE_STAGE_2_HOST_BIT;

VkAccessFlags2 reads_of(VkPipelineStageFlags2 stages) {
  VkAccessFlags2 reads = 0;
  if ((stages & kCompute) != 0) reads |= VK_ACCESS_2_SHADER_READ_BIT;
  if ((stages & kTransfer) != 0) reads |= VK_ACCESS_2_TRANSFER_READ_BIT;
  if ((stages & kIndirect) != 0) reads |= VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;
  if ((stages & kHost) != 0) reads |= VK_ACCESS_2_HOST_READ_BIT;
  return reads;
}

/// The host writes only before a submission, which waits for that by itself.
VkAccessFlags2 writes_of(VkPipelineStageFlags2 stages) {
  VkAccessFlags2 writes = 0;
  if ((stages & kCompute) != 0) writes |= VK_ACCESS_2_SHADER_WRITE_BIT;
  if ((stages & kTransfer) != 0) writes |= VK_ACCESS_2_TRANSFER_WRITE_BIT;
  return writes;
}

}  // namespace

Recording::Recording(const Device& device, Timing timing)
    : Recording(device, timing, device.pace()) {}

Recording::Recording(const Device& device, Timing timing, const Pace& pace)
    : device_(device),
      timing_(device.limits().timestamp_period_ns > 0 ? timing : Timing::kOff),
      pace_(pace),
      sets_(device) {
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.queueFamilyIndex = device.queue_family();
  VkCommandPool handle = VK_NULL_HANDLE;
  require(vkCreateCommandPool(device.get(), &pool, nullptr, &handle), "vkCreateCommandPool");
  command_pool_ = {device.get(), handle, vkDestroyCommandPool};
  parts_.push_back(make_part());
}

Recording::~Recording() {
  if (running_) vkQueueWaitIdle(device_.queue());
}

Recording::Part Recording::make_part() const {
  VkFenceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence = VK_NULL_HANDLE;
  require(vkCreateFence(device_.get(), &info, nullptr, &fence), "vkCreateFence");
  return {.first_slice = slices_.size(), .fence = {device_.get(), fence, vkDestroyFence}};
}

VkCommandBuffer Recording::commands(double seconds) {
  // Usually slices end at barriers, so that independent dispatches can overlap.
  const bool is_full = open_ && slices_.back().seconds > 0 &&
                       slices_.back().seconds + seconds > pace_.submit_seconds;
  if (is_paced() && is_full) finish();
  if (open_ && in_slice_ >= kDispatchesPerSlice) finish();
  if (open_) return slices_.back().commands;
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
  slices_.push_back({.commands = buffer, .stamps = {}});
  open_ = true;
  used_ = waits_ = 0;
  in_slice_ = 0;
  make_stamps(slices_.back());
  return buffer;
}

void Recording::make_stamps(Slice& slice) const {
  const bool measures = is_paced() && device_.limits().timestamp_period_ns > 0;
  if (timing_ == Timing::kOff && !measures) return;
  VkQueryPoolCreateInfo queries{};
  queries.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
  queries.queryCount = kSliceStamps + (timing_ == Timing::kOn ? 2 * kDispatchesPerSlice : 0);
  VkQueryPool pool = VK_NULL_HANDLE;
  require(vkCreateQueryPool(device_.get(), &queries, nullptr, &pool), "vkCreateQueryPool");
  slice.stamps = {device_.get(), pool, vkDestroyQueryPool};
  vkCmdResetQueryPool(slice.commands, pool, 0, queries.queryCount);
  if (measures) vkCmdWriteTimestamp2(slice.commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 0);
}

void Recording::stamp(std::uint32_t query) {
  const Slice& slice = slices_.back();
  vkCmdWriteTimestamp2(slice.commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, slice.stamps.get(),
                       query);
}

void Recording::dispatch(const Dispatch& dispatch) {
  check_against_shader(device_, dispatch);
  const double seconds = seconds_of(work_of(dispatch), pace_.speed);
  const VkCommandBuffer buffer = commands(seconds);
  begin_command(kCompute);
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
  const std::uint32_t query = kSliceStamps + 2 * in_slice_;
  if (timing_ == Timing::kOn) stamp(query);
  if (dispatch.indirect) {
    vkCmdDispatchIndirect(buffer, buffer_of(*dispatch.indirect), dispatch.indirect->offset);
  } else {
    const auto& [x, y, z] = dispatch.workgroups;
    vkCmdDispatch(buffer, x, y, z);
  }
  if (timing_ == Timing::kOn) stamp(query + 1);
  ++in_slice_;
  if (timing_ == Timing::kOn) stamped_.push_back({kernel.name(), slices_.size() - 1, query});
  add_dispatch(seconds);
}

void Recording::copy(const Range& from, const Range& to) {
  base::check(from.size_bytes == to.size_bytes,
              "source and destination of a copy have the same size");
  const VkBufferCopy region = {from.offset, to.offset, from.size_bytes};
  const VkCommandBuffer buffer = transfer_commands(2.0 * static_cast<double>(from.size_bytes));
  vkCmdCopyBuffer(buffer, buffer_of(from), buffer_of(to), 1, &region);
}

void Recording::fill(const Range& range, std::uint32_t word) {
  const VkCommandBuffer buffer = transfer_commands(static_cast<double>(range.size_bytes));
  vkCmdFillBuffer(buffer, buffer_of(range), range.offset, range.size_bytes, word);
}

VkCommandBuffer Recording::transfer_commands(double bytes) {
  const double seconds = seconds_of({.bytes = bytes}, pace_.speed);
  const VkCommandBuffer buffer = commands(seconds);
  begin_command(kTransfer);
  add_transfer(seconds);
  return buffer;
}

void Recording::barrier() {
  if (!open_) return;  // the last slice ended with a barrier
  if (is_paced() && slices_.back().seconds * kSlicesPerSubmission >= pace_.submit_seconds)
    return finish();
  waits_ = kCompute | kTransfer;
}

/// Comes before every command, so that a barrier is only for the stages that have commands: each
/// stage more, above all the host, costs microseconds.
void Recording::begin_command(VkPipelineStageFlags2 stage) {
  if ((waits_ & stage) != 0) add_barrier(stage);
  waits_ &= ~stage;
  used_ |= stage;
}

void Recording::add_barrier(VkPipelineStageFlags2 later) {
  VkMemoryBarrier2 memory{};
  memory.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
  memory.srcStageMask = used_;
  memory.srcAccessMask = writes_of(used_);
  memory.dstStageMask = later;
  memory.dstAccessMask = reads_of(later) | writes_of(later);
  VkDependencyInfo dependency{};
  dependency.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &memory;
  vkCmdPipelineBarrier2(slices_.back().commands, &dependency);
}

void Recording::finish() {
  if (!open_) return;
  // The last command of a slice, so that the next slice and the host see its writes.  No recording
  // writes its own numbers of workgroups, but a copy to the device does, in a recording before.
  add_barrier(kCompute | kTransfer | kIndirect | kHost);
  const Slice& slice = slices_.back();
  if (is_paced() && slice.stamps.get() != VK_NULL_HANDLE) stamp(1);
  require(vkEndCommandBuffer(slice.commands), "vkEndCommandBuffer");
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

std::size_t Recording::end_of(std::size_t part) const {
  return part + 1 < parts_.size() ? parts_[part + 1].first_slice : slices_.size();
}

void Recording::submit(std::size_t part) {
  finish();
  const VkFence fence = parts_[part].fence.get();
  require(vkResetFences(device_.get(), 1, &fence), "vkResetFences");
  const std::size_t first = parts_[part].first_slice;
  std::vector<VkCommandBuffer> commands;
  std::vector<double> seconds;
  for (std::size_t i = first; i < end_of(part); ++i) {
    commands.push_back(slices_[i].commands);
    seconds.push_back(slices_[i].expected * slices_[i].correction);
  }
  auto ends = group_ends(seconds, pace_.submit_seconds);
  if (ends.empty()) ends.push_back(0);  // only the fence
  std::size_t begin = 0;
  running_ = true;  // also if a later submission fails
  for (const std::size_t end : ends) {
    VkSubmitInfo submit{};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = static_cast<std::uint32_t>(end - begin);
    submit.pCommandBuffers = commands.data() + begin;
    device_.require(
        vkQueueSubmit(device_.queue(), 1, &submit, end == commands.size() ? fence : VK_NULL_HANDLE),
        "vkQueueSubmit");
    ++submissions_;
    begin = end;
  }
  if (is_paced()) parts_[part].submitted = Clock::now();
}

bool Recording::wait(std::size_t part, std::uint64_t nanoseconds) {
  const VkFence fence = parts_[part].fence.get();
  const VkResult result = vkWaitForFences(device_.get(), 1, &fence, VK_TRUE, nanoseconds);
  if (result == VK_TIMEOUT) return false;
  device_.require(result, "vkWaitForFences");
  if (part + 1 == parts_.size()) running_ = false;
  // Parts run in order, so that earlier ones are finished too.
  for (std::size_t i = 0; is_paced() && i <= part; ++i) measure(i);
  return true;
}

std::vector<Timed> Recording::timings() const {
  std::vector<Timed> timed;
  for (const auto& [kernel, slice, query] : stamped_) {
    std::array<std::uint64_t, 2> stamps{};
    require(
        vkGetQueryPoolResults(device_.get(), slices_[slice].stamps.get(), query, 2, sizeof stamps,
                              stamps.data(), 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
    timed.push_back({kernel, static_cast<double>(ticks_between(stamps[0], stamps[1],
                                                               device_.limits().timestamp_bits)) *
                                 device_.limits().timestamp_period_ns});
  }
  return timed;
}

}  // namespace awend::vulkan
