// A Vulkan object that is destroyed with its owner.
#pragma once

#include <utility>

#include "vulkan/functions.hpp"

namespace awend::vulkan {

/// Owns one object created from `Parent` and destroyed by `destroy(parent, object, nullptr)`.
/// Moves, never copies.
template <class Parent, class Object>
class Handle {
 public:
  using Destroy = void(VKAPI_PTR*)(Parent, Object, const VkAllocationCallbacks*);

  Handle() = default;
  Handle(Parent parent, Object object, Destroy destroy)
      : parent_(parent), object_(object), destroy_(destroy) {}
  Handle(Handle&& other) noexcept { swap(other); }
  Handle& operator=(Handle&& other) noexcept {
    Handle moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~Handle() {
    if (object_ != VK_NULL_HANDLE) destroy_(parent_, object_, nullptr);
  }

  Object get() const { return object_; }

 private:
  void swap(Handle& other) noexcept {
    std::swap(parent_, other.parent_);
    std::swap(object_, other.object_);
    std::swap(destroy_, other.destroy_);
  }

  Parent parent_ = VK_NULL_HANDLE;
  Object object_ = VK_NULL_HANDLE;
  Destroy destroy_ = nullptr;
};

template <class Object>
using DeviceHandle = Handle<VkDevice, Object>;

}  // namespace awend::vulkan
