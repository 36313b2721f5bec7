#include "vulkan/spirv.hpp"

#include <spirv/unified1/spirv.hpp>
#include <vector>

#include "base/error.hpp"

namespace awend::vulkan {
namespace {

struct Module {
  std::map<std::uint32_t, std::uint32_t> binding_of;  // variable -> binding
  std::map<std::uint32_t, std::uint32_t> set_of;      // variable -> set
  std::map<std::uint32_t, std::uint32_t> pointee;     // pointer type -> type
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>>
      offsets;                                                  // struct -> member -> offset
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;  // struct -> member types
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>
      repeated;                                      // vector or array -> (element type, length)
  std::map<std::uint32_t, std::uint32_t> constants;  // 32-bit constants
  std::map<std::uint32_t, std::set<std::uint32_t>> read_only_members;
  std::set<std::uint32_t> read_only_variables;
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>
      variables;  // id -> (pointer type, class)
};

void read_decoration(std::span<const std::uint32_t> words, Module& module, Reflection& reflection) {
  const std::uint32_t target = words[1];
  switch (words[2]) {
    case spv::DecorationSpecId:
      reflection.specialization_ids.insert(words[3]);
      break;
    case spv::DecorationBinding:
      module.binding_of[target] = words[3];
      break;
    case spv::DecorationDescriptorSet:
      module.set_of[target] = words[3];
      break;
    case spv::DecorationNonWritable:
      module.read_only_variables.insert(target);
      break;
    default:
      break;
  }
}

void read_member_decoration(std::span<const std::uint32_t> words, Module& module) {
  const std::uint32_t type = words[1];
  if (words[3] == spv::DecorationOffset) {
    module.offsets[type][words[2]] = words[4];
  } else if (words[3] == spv::DecorationNonWritable) {
    module.read_only_members[type].insert(words[2]);
  }
}

/// Size of a type made of 32-bit scalars, of vectors and arrays of them, and of structs.
std::uint32_t bytes_of(std::uint32_t type, const Module& module) {
  const auto repeated = module.repeated.find(type);
  if (repeated != module.repeated.end()) {
    return repeated->second.second * bytes_of(repeated->second.first, module);
  }
  const auto members = module.members.find(type);
  if (members == module.members.end()) return 4;
  const auto last = static_cast<std::uint32_t>(members->second.size() - 1);
  return module.offsets.at(type).at(last) + bytes_of(members->second[last], module);
}

}  // namespace

Reflection reflect(std::span<const std::uint32_t> words, std::string_view name) {
  if (words.size() < 5 || words[0] != spv::MagicNumber) base::fail("kernel ", name, ": not SPIR-V");
  Reflection reflection;
  Module module;
  for_each_instruction(words, name, [&](std::uint32_t operation, auto instruction) {
    switch (operation) {
      case spv::OpDecorate:
        read_decoration(instruction, module, reflection);
        break;
      case spv::OpMemberDecorate:
        read_member_decoration(instruction, module);
        break;
      case spv::OpTypeStruct:
        module.members[instruction[1]].assign(instruction.begin() + 2, instruction.end());
        break;
      case spv::OpTypeVector:
        module.repeated[instruction[1]] = {instruction[2], instruction[3]};
        break;
      case spv::OpTypeArray:
        module.repeated[instruction[1]] = {instruction[2], module.constants[instruction[3]]};
        break;
      case spv::OpConstant:
        module.constants[instruction[2]] = instruction[3];
        break;
      case spv::OpTypePointer:
        module.pointee[instruction[1]] = instruction[3];
        break;
      case spv::OpVariable:
        module.variables[instruction[2]] = {instruction[1], instruction[3]};
        break;
      case spv::OpControlBarrier:
        reflection.uses_barrier = true;
        break;
      default:
        break;
    }
  });
  for (const auto& [id, variable] : module.variables) {
    const auto& [pointer, storage] = variable;
    const std::uint32_t type = module.pointee[pointer];
    if (storage == spv::StorageClassWorkgroup) reflection.uses_shared_memory = true;
    if (storage == spv::StorageClassPushConstant)
      reflection.push_constant_bytes = bytes_of(type, module);
    if (storage != spv::StorageClassStorageBuffer) continue;
    if (module.set_of[id] != 0) base::fail("kernel ", name, ": a buffer outside descriptor set 0");
    const bool read_only = module.read_only_variables.contains(id) ||
                           module.read_only_members[type].size() == module.members[type].size();
    // A binding with several variables (for example float and vec4) is written if any of them is.
    reflection.bindings[module.binding_of[id]].written |= !read_only;
  }
  return reflection;
}

}  // namespace awend::vulkan
