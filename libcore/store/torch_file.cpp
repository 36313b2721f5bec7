#include "store/torch_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.hpp"
#include "store/byte_cursor.hpp"

namespace awend::store {
namespace {

// Protocol 2, and the number of torch.serialization, which has ten bytes.
constexpr std::string_view kLegacyMagic =
    "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";

struct StorageType {
  std::string_view name;
  Type type;
};
constexpr StorageType kStorageTypes[] = {
    {"DoubleStorage", Type::F64},   {"FloatStorage", Type::F32}, {"HalfStorage", Type::F16},
    {"LongStorage", Type::I64},     {"IntStorage", Type::I32},   {"ShortStorage", Type::I16},
    {"CharStorage", Type::I8},      {"ByteStorage", Type::U8},   {"BoolStorage", Type::Bool},
    {"BFloat16Storage", Type::BF16}};

Type type_of_storage(const std::string& name) {
  for (const auto& [known, type] : kStorageTypes) {
    if (name == base::concat("torch.", known)) return type;
  }
  base::fail("storage of type '", name, "' is not supported");
}

constexpr std::string_view kTensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view kOldTensor = "torch._utils._rebuild_tensor";
constexpr std::string_view kParameter = "torch._utils._rebuild_parameter";

/// The arguments of a call, at least `min_size` of them.
const std::vector<PickleId>& arguments_of(const Pickle& pickle, PickleId id, std::size_t min_size) {
  const auto* object = pickle.find<PickleObject>(id);
  const auto* list = object == nullptr ? nullptr : pickle.find<PickleList>(object->arguments);
  if (list == nullptr || list->items.size() < min_size) base::fail("not a tensor");
  return list->items;
}

const std::vector<PickleId>& list_at(const Pickle& pickle, PickleId id) {
  const auto* list = pickle.find<PickleList>(id);
  if (list == nullptr) base::fail("a tensor's size is not a list");
  return list->items;
}

}  // namespace

bool TorchFile::looks_like_torch(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              std::min<std::size_t>(bytes.size(), 4096));
  if (text.starts_with(kLegacyMagic.substr(0, 4))) return true;
  // The first entry is DIRECTORY/data.pkl, with a header of 30 bytes.
  return ZipArchive::looks_like_archive(bytes) &&
         text.substr(0, 1024).find("/data.pkl") != text.npos;
}

TorchFile::TorchFile(std::span<const std::byte> bytes) {
  if (ZipArchive::looks_like_archive(bytes)) {
    read_archive(bytes);
    return;
  }
  const std::string_view begin(reinterpret_cast<const char*>(bytes.data()),
                               std::min<std::size_t>(bytes.size(), kLegacyMagic.size()));
  if (begin != kLegacyMagic) base::fail("not a file of torch.save()");
  read_legacy(bytes);
}

void TorchFile::read_archive(std::span<const std::byte> bytes) {
  ZipArchive archive(bytes);
  constexpr std::string_view kPickle = "/data.pkl", kData = "/data/";
  std::string prefix;
  for (std::size_t i = 0; i < archive.names().size(); ++i) {
    const std::string& name = archive.names()[i];
    if (!name.ends_with(kPickle) || pickle_) continue;
    prefix = name.substr(0, name.size() - kPickle.size());
    const auto content = archive.read(i);
    pickle_.emplace(content);
  }
  if (!pickle_) base::fail("the zip archive has no 'data.pkl', as files of torch.save() have");
  prefix += kData;
  for (std::size_t i = 0; i < archive.names().size(); ++i) {
    const std::string& name = archive.names()[i];
    if (!name.starts_with(prefix)) continue;
    storages_.emplace(name.substr(prefix.size()), entries_.keep(archive.read(i)));
  }
}

void TorchFile::read_legacy(std::span<const std::byte> bytes) {
  ByteCursor cursor(bytes);
  const auto next_pickle = [&] {
    Pickle pickle(bytes.subspan(cursor.place()));
    cursor.take(pickle.size_bytes());
    return pickle;
  };
  cursor.take(kLegacyMagic.size());
  next_pickle();  // protocol
  next_pickle();  // sizes of types
  pickle_.emplace(next_pickle());
  const Pickle keys = next_pickle();
  // The size of an element is known from the references to the storage.
  std::map<std::string, Type, std::less<>> types;
  for (PickleId id = 0; id < pickle_->size(); ++id) {
    const auto* reference = pickle_->find<PickleReference>(id);
    const auto* tuple = reference == nullptr ? nullptr : pickle_->find<PickleList>(reference->id);
    if (tuple == nullptr || tuple->items.size() < 3) continue;
    if (const auto* key = pickle_->find<std::string>(tuple->items[2]))
      types.emplace(*key, type_of_storage(pickle_->name_of(tuple->items[1])));
  }
  for (const PickleId id : list_at(keys, keys.root())) {
    const auto* key = keys.find<std::string>(id);
    const auto type = key == nullptr ? types.end() : types.find(*key);
    if (type == types.end()) base::fail("a storage that no tensor uses");
    const auto count = cursor.number<std::uint64_t>();
    if (count > cursor.rest()) base::fail("truncated at byte ", bytes.size());
    storages_.emplace(*key, cursor.take(count * store::size_bytes(type->second)));
  }
}

bool TorchFile::is_tensor(PickleId id) const {
  if (pickle_->find<PickleObject>(id) == nullptr) return false;
  const auto name = pickle_->name_of(id);
  return name == kTensor || name == kOldTensor || name == kParameter;
}

std::uint64_t TorchFile::size_at(PickleId id) const {
  const auto* size = pickle_->find<std::int64_t>(id);
  if (size == nullptr || *size < 0) base::fail("a tensor's size is not a natural number");
  return static_cast<std::uint64_t>(*size);
}

TorchFile::Storage TorchFile::storage(PickleId reference) const {
  const auto* outside = pickle_->find<PickleReference>(reference);
  if (outside == nullptr) base::fail("not a tensor with a storage");
  const auto& id = list_at(*pickle_, outside->id);  // "storage", type, key, device, size
  const auto* key = id.size() < 3 ? nullptr : pickle_->find<std::string>(id[2]);
  if (key == nullptr) base::fail("a storage without a key");
  const auto found = storages_.find(*key);
  if (found == storages_.end()) base::fail("its storage '", *key, "' is missing");
  return {type_of_storage(pickle_->name_of(id[1])), found->second};
}

StridedArray TorchFile::tensor(PickleId id) const {
  if (pickle_->name_of(id) == kParameter) id = arguments_of(*pickle_, id, 1)[0];
  if (const auto name = pickle_->name_of(id); name != kTensor && name != kOldTensor)
    base::fail("not a tensor");
  const auto& arguments = arguments_of(*pickle_, id, 4);  // storage, offset, sizes, strides
  const auto [type, bytes] = storage(arguments[0]);
  StridedArray array{.type = type, .shape = {}, .strides = {}, .bytes = bytes};
  const auto offset = size_at(arguments[1]);
  if (offset > bytes.size() / store::size_bytes(type)) base::fail("begins after its storage");
  array.bytes = bytes.subspan(offset * store::size_bytes(type));
  for (const PickleId size : list_at(*pickle_, arguments[2])) array.shape.push_back(size_at(size));
  for (const PickleId stride : list_at(*pickle_, arguments[3]))
    array.strides.push_back(size_at(stride));
  require_within(array);
  return array;
}

StridedArrays TorchFile::tensors(PickleId dictionary) const {
  StridedArrays arrays;
  for (const auto& [key, value] : pickle_->pairs(dictionary)) {
    const auto* name = pickle_->find<std::string>(key);
    if (name == nullptr || !is_tensor(value)) continue;
    base::with_name(base::concat("tensor '", *name, "'"),
                    [&, value = value] { arrays.insert_or_assign(*name, tensor(value)); });
  }
  return arrays;
}

}  // namespace awend::store
