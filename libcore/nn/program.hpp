// A program: a list of kernel launches over planned memory, recorded once and replayed for every
// step.
//
// Counts (how many tokens, how many sentences) are written by the host before a replay; kernels
// read them from a small buffer, and the numbers of workgroups follow from them, so that one
// recording serves every batch up to its capacity. Life times of activations follow from the
// launches that touch them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nn/limits.hpp"
#include "nn/plan.hpp"
#include "nn/tensor.hpp"
#include "vulkan/kernel_cache.hpp"
#include "vulkan/recording.hpp"

namespace awend::nn {

/// A device and the kernels made on it; shared by all programs of a process.
struct Engine {
  explicit Engine(const std::string& wanted_device = "",
                  vulkan::Validation validation = vulkan::Validation::kOff, std::uint32_t turn = 0)
      : device(wanted_device, validation, turn), kernels(device) {}
  vulkan::Device device;
  vulkan::KernelCache kernels;
};

/// Workgroups along one axis: ceil(rows / divisor) for a count, or a fixed number.
struct Axis {
  std::optional<Count> count;
  std::uint32_t divisor = 1;
  std::uint32_t fixed = 1;

  static Axis rows(Count count, std::uint32_t per_group = 1) { return {count, per_group, 1}; }
  static Axis of(std::uint32_t groups) { return {std::nullopt, 1, groups}; }
};

struct Launch {
  std::string kernel;
  std::vector<std::uint32_t> constants;  ///< Specialization constants 1, 2, …
  std::vector<Tensor>
      operands;  ///< By rising binding number, after 0; what is written is read off the shader.
  std::vector<std::byte> push_constants;
  Axis x = Axis::of(1);
  Axis y = Axis::of(1);
};

/// The bytes of a push-constant struct.
template <class Push>
std::vector<std::byte> bytes_of(const Push& push) {
  const auto* begin = reinterpret_cast<const std::byte*>(&push);
  return {begin, begin + sizeof(Push)};
}

class Program {
 public:
  explicit Program(Engine& engine);

  /// A number of rows that the host sets before each replay.
  Count count(std::uint32_t capacity);
  /// A number of rows that never changes.
  Count fixed(std::uint32_t value);

  Tensor activation(Count rows, std::uint32_t columns, Element element = Element::kFloat32);
  /// Written by the host, read by kernels.
  Tensor input(Count rows, std::uint32_t columns);
  /// An input that never changes, (values.size() / columns, columns).
  Tensor constant(std::uint32_t columns, std::vector<float> values);
  /// Written by kernels, read by the host.
  Tensor output(Count rows, std::uint32_t columns);
  /// Memory that lives outside the program: parameters, gradients, caches.
  Tensor external(const vulkan::Range& range, Count rows, std::uint32_t columns,
                  Element element = Element::kFloat32);
  /// The settings that an error about the size of `tensor` asks to reduce; default: kFewerTokens.
  void lowered_by(const Tensor& tensor, Reducible settings);

  void launch(Launch launch);
  std::size_t launches() const { return launches_.size(); }
  /// For each of `ranges`, memory outside of the program, the number of the last launch that writes
  /// to it; nothing if none does.
  std::vector<std::optional<std::size_t>> last_writes(std::span<const vulkan::Range> ranges);
  /// Ends a part after the launch of this number (see submit()).
  void cut_after(std::size_t launch) { cuts_.insert(launch); }

  /// Plans memory; nothing is added afterwards.  Returns the bytes that compile() will take. Throws
  /// Error if the device's limits do not allow a tensor or a launch, however much memory there is.
  std::uint64_t plan();
  /// Plans, allocates memory and records all launches.
  void compile(vulkan::Timing timing = vulkan::Timing::kOff);

  /// The host's view of an input or output.  Requires: compiled.
  template <class T>
  std::span<T> host(const Tensor& tensor) const {
    return range_of(tensor).view<T>();
  }
  /// Throws Error if `value` is beyond the count's capacity.  `first` is the number of the first
  /// row in a whole of which this replay computes a part: dropout draws by it, so that the parts of
  /// an update are those of the whole.
  void set(const Count& count, std::uint32_t value, std::uint32_t first = 0);
  /// Runs everything once and waits.
  void replay();
  /// The same without waiting.  `submitted` is called behind each part, from the first to the last,
  /// and may submit work that finds this part done.
  void submit(const std::function<void(std::size_t part)>& submitted);
  /// Waits for what submit() began.
  void wait() const { recording_->wait(recording_->parts() - 1); }
  /// Fills all activations and outputs with NaN, so that a test sees what is read before it is
  /// written.
  void poison();

  const vulkan::Recording& recording() const { return *recording_; }
  Engine& engine() const { return engine_; }

 private:
  enum class Home { kActivation, kInput, kOutput, kExternal };
  struct Storage {
    Home home;
    std::uint64_t size_bytes;
    vulkan::Range range;
    Reducible reduce = kFewerTokens;
  };
  /// Where the storages of one home lie in their arena.
  struct Layout {
    std::vector<std::size_t> storages;
    MemoryPlan plan;
  };
  Tensor add(Home home, Count rows, std::uint32_t columns, Element element);
  vulkan::Range range_of(const Tensor& tensor) const;
  void prepare_kernels();
  void check_limits() const;
  Layout layout_of(Home home) const;
  std::unique_ptr<vulkan::Arena> place(const Layout& layout, vulkan::MemoryKind kind);
  void record(vulkan::Timing timing);
  void write_counts();
  std::uint32_t groups(const Axis& axis) const;

  Engine& engine_;
  std::vector<std::uint32_t> counts_;      // two words each: Count
  std::vector<std::uint32_t> capacities_;  // by Count::word
  std::vector<Storage> storages_;
  std::vector<Launch> launches_;
  std::set<std::size_t> cuts_;
  std::vector<std::pair<Tensor, std::vector<float>>> constants_;
  std::optional<Tensor> counts_tensor_;
  std::optional<Tensor> workgroups_tensor_;  // three words for each launch
  bool planned_ = false;
  Layout activations_layout_, inputs_layout_, outputs_layout_;
  std::unique_ptr<vulkan::Arena> activations_;
  std::unique_ptr<vulkan::Arena> inputs_;
  std::unique_ptr<vulkan::Arena> outputs_;
  std::unique_ptr<vulkan::Recording> recording_;
};

}  // namespace awend::nn
