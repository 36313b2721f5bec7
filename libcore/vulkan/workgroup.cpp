#include "vulkan/workgroup.hpp"

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "vulkan/spirv_codes.hpp"

namespace awend::vulkan {
namespace {

using Instruction = std::span<const std::uint32_t>;

using namespace spirv;  // the numbers of the specification

/// Operations on constants; those of integers are without sign.
enum ConstantOperation : std::uint32_t {
  kAdd = 128,
  kSubtract = 130,
  kMultiply = 132,
  kDivide = 134,
  kModulo = 137,
  kOr = 166,
  kAnd = 167,
  kNot = 168,
  kSelect = 169,
  kEqual = 170,
  kNotEqual = 171,
  kGreater = 172,
  kGreaterEqual = 174,
  kLess = 176,
  kLessEqual = 178,
  kShiftRight = 194,
  kShiftLeft = 196,
  kBitwiseOr = 197,
  kBitwiseAnd = 199,
};

/// The operation of an OpSpecConstantOp on 32-bit words; nothing if it is not supported.
std::optional<std::uint32_t> evaluate(std::uint32_t operation, std::span<const std::uint32_t> of) {
  const std::uint32_t a = of[0], b = of.size() > 1 ? of[1] : 0, c = of.size() > 2 ? of[2] : 0;
  const bool divides = operation == kDivide || operation == kModulo;
  if (divides && b == 0) return std::nullopt;
  switch (operation) {
    case kAdd:
      return a + b;
    case kSubtract:
      return a - b;
    case kMultiply:
      return a * b;
    case kDivide:
      return a / b;
    case kModulo:
      return a % b;
    case kOr:
      return a | b;
    case kAnd:
      return a & b;
    case kNot:
      return a == 0;
    case kSelect:
      return a != 0 ? b : c;
    case kEqual:
      return a == b;
    case kNotEqual:
      return a != b;
    case kGreater:
      return a > b;
    case kGreaterEqual:
      return a >= b;
    case kLess:
      return a < b;
    case kLessEqual:
      return a <= b;
    case kShiftRight:
      return a >> (b & 31);
    case kShiftLeft:
      return a << (b & 31);
    case kBitwiseOr:
      return a | b;
    case kBitwiseAnd:
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
      case kDecorate:
        if (words[2] == kSpecId) spec_ids_[words[1]] = words[3];
        if (words[2] == kBuiltIn && words[3] == kWorkgroupSize) size_constant_ = words[1];
        break;
      case kExecutionMode:
        if (words[2] == kLocalSize) literal_size_ = {words[3], words[4], words[5]};
        break;
      case kExecutionModeId:
        if (words[2] == kLocalSizeId) size_ids_ = {words[3], words[4], words[5]};
        break;
      case kVariable:
        if (words[3] == kWorkgroup) shared_.push_back(words[1]);
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
    if (operation == kTypeBool) bytes_[words[1]] = 4;
    if (operation == kTypeInt || operation == kTypeFloat) bytes_[words[1]] = words[2] / 8;
    if (operation == kTypePointer) pointees_[words[1]] = words[3];
    if (operation != kTypeVector && operation != kTypeArray) return;
    const auto element = find(bytes_, words[2]);
    const auto length =
        operation == kTypeVector ? std::optional(words[3]) : find(constants_, words[3]);
    if (element && length) bytes_[words[1]] = *element * *length;
  }

  void read_constant(std::uint32_t operation, Instruction words) {
    const std::uint32_t id = words.size() > 2 ? words[2] : 0;
    switch (operation) {
      case kConstantTrue:
      case kConstantFalse:
        constants_[id] = operation == kConstantTrue;
        break;
      case kSpecConstantTrue:
      case kSpecConstantFalse:
        constants_[id] = specialized(id, operation == kSpecConstantTrue);
        break;
      case kConstant:
        constants_[id] = words[3];
        break;
      case kSpecConstant:
        constants_[id] = specialized(id, words[3]);
        break;
      case kConstantComposite:
      case kSpecConstantComposite:
        composites_[id].assign(words.begin() + 3, words.end());
        break;
      case kSpecConstantOp:
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
  for (std::size_t at = 5; at < words.size();) {
    const std::uint32_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size())
      base::fail("kernel ", name, ": truncated SPIR-V");
    evaluator.read(words[at] & 0xffff, words.subspan(at, length));
    at += length;
  }
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
