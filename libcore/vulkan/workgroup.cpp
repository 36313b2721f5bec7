#include "vulkan/workgroup.hpp"

#include <array>
#include <map>
#include <optional>
#include <spirv/unified1/spirv.hpp>
#include <vector>

#include "base/error.hpp"
#include "vulkan/spirv.hpp"

namespace awend::vulkan {
namespace {

using Instruction = std::span<const std::uint32_t>;

/// The operation of an OpSpecConstantOp on 32-bit words; nothing if it is not supported.
std::optional<std::uint32_t> evaluate(std::uint32_t operation, std::span<const std::uint32_t> of) {
  const std::uint32_t a = of[0], b = of.size() > 1 ? of[1] : 0, c = of.size() > 2 ? of[2] : 0;
  const bool divides = operation == spv::OpUDiv || operation == spv::OpUMod;
  if (divides && b == 0) return std::nullopt;
  switch (operation) {
    case spv::OpIAdd:
      return a + b;
    case spv::OpISub:
      return a - b;
    case spv::OpIMul:
      return a * b;
    case spv::OpUDiv:
      return a / b;
    case spv::OpUMod:
      return a % b;
    case spv::OpLogicalOr:
      return a | b;
    case spv::OpLogicalAnd:
      return a & b;
    case spv::OpLogicalNot:
      return a == 0;
    case spv::OpSelect:
      return a != 0 ? b : c;
    case spv::OpIEqual:
      return a == b;
    case spv::OpINotEqual:
      return a != b;
    case spv::OpUGreaterThan:
      return a > b;
    case spv::OpUGreaterThanEqual:
      return a >= b;
    case spv::OpULessThan:
      return a < b;
    case spv::OpULessThanEqual:
      return a <= b;
    case spv::OpShiftRightLogical:
      return a >> (b & 31);
    case spv::OpShiftLeftLogical:
      return a << (b & 31);
    case spv::OpBitwiseOr:
      return a | b;
    case spv::OpBitwiseAnd:
      return a & b;
    default:
      return std::nullopt;
  }
}

/// Reads a module from its beginning to its first function.
class Evaluator {
 public:
  explicit Evaluator(std::span<const std::uint32_t> values) : values_(values) {}

  void read(std::uint32_t operation, Instruction words) {
    switch (operation) {
      case spv::OpDecorate:
        if (words[2] == spv::DecorationSpecId) spec_ids_[words[1]] = words[3];
        if (words[2] == spv::DecorationBuiltIn && words[3] == spv::BuiltInWorkgroupSize)
          size_constant_ = words[1];
        break;
      case spv::OpExecutionMode:
        if (words[2] == spv::ExecutionModeLocalSize) literal_size_ = {words[3], words[4], words[5]};
        break;
      case spv::OpExecutionModeId:
        if (words[2] == spv::ExecutionModeLocalSizeId) size_ids_ = {words[3], words[4], words[5]};
        break;
      case spv::OpVariable:
        if (words[3] == spv::StorageClassWorkgroup) shared_.push_back(words[1]);
        break;
      default:
        read_type(operation, words);
        read_constant(operation, words);
    }
  }

  /// Nothing if the size depends on something that is not supported.
  std::optional<Workgroup> workgroup() const {
    Workgroup size;
    for (const std::uint32_t pointer : shared_) {
      const auto bytes = find(bytes_, find(pointees_, pointer).value_or(0));
      if (!bytes) return std::nullopt;
      size.shared_bytes += *bytes;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto length = length_of(axis);
      if (!length) return std::nullopt;
      size.threads *= *length;
    }
    return size;
  }

 private:
  using Words = std::map<std::uint32_t, std::uint32_t>;

  static std::optional<std::uint32_t> find(const Words& words, std::uint32_t id) {
    const auto found = words.find(id);
    return found == words.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<std::uint32_t> length_of(std::size_t axis) const {
    if (size_constant_ != 0) return find(constants_, composites_.at(size_constant_)[axis]);
    if (size_ids_[0] != 0) return find(constants_, size_ids_[axis]);
    return literal_size_[axis];
  }

  void read_type(std::uint32_t operation, Instruction words) {
    if (operation == spv::OpTypeBool) bytes_[words[1]] = 4;
    if (operation == spv::OpTypeInt || operation == spv::OpTypeFloat)
      bytes_[words[1]] = words[2] / 8;
    if (operation == spv::OpTypePointer) pointees_[words[1]] = words[3];
    if (operation != spv::OpTypeVector && operation != spv::OpTypeArray) return;
    const auto element = find(bytes_, words[2]);
    const auto length =
        operation == spv::OpTypeVector ? std::optional(words[3]) : find(constants_, words[3]);
    if (element && length) bytes_[words[1]] = *element * *length;
  }

  void read_constant(std::uint32_t operation, Instruction words) {
    const std::uint32_t id = words.size() > 2 ? words[2] : 0;
    switch (operation) {
      case spv::OpConstantTrue:
      case spv::OpConstantFalse:
        constants_[id] = operation == spv::OpConstantTrue;
        break;
      case spv::OpSpecConstantTrue:
      case spv::OpSpecConstantFalse:
        constants_[id] = specialized(id, operation == spv::OpSpecConstantTrue);
        break;
      case spv::OpConstant:
        constants_[id] = words[3];
        break;
      case spv::OpSpecConstant:
        constants_[id] = specialized(id, words[3]);
        break;
      case spv::OpConstantComposite:
      case spv::OpSpecConstantComposite:
        composites_[id].assign(words.begin() + 3, words.end());
        break;
      case spv::OpSpecConstantOp:
        if (const auto value = computed(words[3], words.subspan(4))) constants_[id] = *value;
        break;
      default:
        break;
    }
  }

  std::uint32_t specialized(std::uint32_t id, std::uint32_t value) const {
    const auto spec_id = find(spec_ids_, id);
    return spec_id && *spec_id < values_.size() ? values_[*spec_id] : value;
  }

  std::optional<std::uint32_t> computed(std::uint32_t operation, Instruction ids) const {
    std::vector<std::uint32_t> operands;
    for (const std::uint32_t id : ids) {
      const auto value = find(constants_, id);
      if (!value) return std::nullopt;
      operands.push_back(*value);
    }
    return operands.empty() ? std::nullopt : evaluate(operation, operands);
  }

  std::span<const std::uint32_t> values_;
  Words spec_ids_, constants_, bytes_, pointees_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> composites_;
  std::vector<std::uint32_t> shared_;
  std::uint32_t size_constant_ = 0;
  std::array<std::uint32_t, 3> size_ids_ = {0, 0, 0}, literal_size_ = {1, 1, 1};
};

void require_at_most(std::string_view name, std::uint64_t needed, std::string_view what,
                     std::uint64_t limit) {
  if (needed > limit) base::fail("kernel ", name, " needs ", needed, " ", what, ": ", limit, ")");
}

}  // namespace

Workgroup workgroup_of(std::span<const std::uint32_t> words, std::span<const std::uint32_t> values,
                       std::string_view name) {
  Evaluator evaluator(values);
  for_each_instruction(words, name, [&](std::uint32_t operation, Instruction instruction) {
    evaluator.read(operation, instruction);
  });
  const auto size = evaluator.workgroup();
  if (!size) base::fail("kernel ", name, ": the size of its workgroup cannot be evaluated");
  return *size;
}

void check_size(const Limits& limits, const KernelSize& size, std::string_view name) {
  require_at_most(name, size.workgroup.threads,
                  "threads in a workgroup, more than this device allows "
                  "(maxComputeWorkGroupInvocations",
                  limits.workgroup_threads);
  require_at_most(name, size.workgroup.shared_bytes,
                  "bytes of shared memory, more than this device has (maxComputeSharedMemorySize",
                  limits.shared_bytes);
  require_at_most(name, size.storage_buffers,
                  "storage buffers, more than this device binds "
                  "(maxPerStageDescriptorStorageBuffers",
                  limits.storage_buffers);
}

}  // namespace awend::vulkan
