// The readers of other toolkits' containers with damaged files: whatever the bytes, they are read
// or refused with an Error.
#include "tests/foreign_files.hpp"

#include <algorithm>

#include "store/ctranslate2_binary.hpp"
#include "store/marian_binary.hpp"
#include "store/npy.hpp"
#include "store/torch_file.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/damaged_text.hpp"

namespace {

using namespace awend::store;
using namespace awend::tests;

// Numbers that are sizes, and opcodes of pickles.
constexpr std::string_view kBytes("\0\1\2\3\4\x10\x7f\x80\xff().QRXcequt}", 21);

/// Reads all elements, so that a view outside of the file is noticed.
void read_all(const StridedArrays& arrays) {
  for (const auto& [name, array] : arrays) (void)to_floats(array);
}

template <class Read>
void check_damaged(const std::string& whole, const Read& read) {
  const auto counts =
      read_damaged({.whole = whole, .bytes = kBytes}, [&](const std::string& bytes) {
        // Exactly as many bytes as are readable, for the sanitizers.
        const std::vector<char> copy(bytes.begin(), bytes.end());
        read(std::as_bytes(std::span(copy)));
      });
  CHECK(counts.refused > 100);
  read(view(whole));
}

TEST_CASE("damaged zip archives and arrays of NumPy") {
  const auto whole = zip_of({{"W.npy", npy_of("(2, 3)", {1, 2, 3, 4, 5, 6})}});
  check_damaged(whole, [](auto bytes) { read_all(NpzFile(bytes).arrays()); });
  check_damaged(npy_of("(2, 3)", {1, 2, 3, 4, 5, 6}),
                [](auto bytes) { (void)to_floats(read_npy(bytes)); });
}

TEST_CASE("damaged files of Marian") {
  const auto whole = marian_binary_of(
      {{"W", 0x404, {2, 2}, bytes_of(std::vector<float>{1, 2, 3, 4})},
       {"Q", 0x10001, {2, 3}, bytes_of(std::vector<std::int8_t>{1, 2, 3, 4, 5, 6}) + bytes_of(2.f)},
       {"special:model.yml", 0x101, {12}, std::string("type: s2s\n\0\0", 12)}});
  check_damaged(whole, [](auto bytes) { read_all(read_marian_binary(bytes).arrays); });
}

TEST_CASE("damaged files of CTranslate2") {
  const auto weights = bytes_of(std::vector<float>{1, 2, 3, 4, 5, 6});
  CTranslate2Items items;
  items.spec = "TransformerSpec";
  items.revision = 7;
  items.variables["w"] = {
      .type = Type::F32, .shape = {2, 3}, .strides = {}, .bytes = view(weights)};
  items.aliases["same"] = "w";
  check_damaged(ctranslate2_of(items),
                [](auto bytes) { read_all(read_ctranslate2(bytes).variables); });
}

TEST_CASE("damaged files of torch.save()") {
  const auto value = pickled::dictionary(
      {{"a", pickled::tensor("0", {2, 3}, {3, 1})}, {"b", pickled::tensor("0", {3, 2}, {1, 3})}});
  const Storages storages = {{"0", {1, 2, 3, 4, 5, 6}}};
  const auto read = [](auto bytes) {
    const TorchFile file(bytes);
    read_all(file.tensors(file.pickle().root()));
  };
  check_damaged(torch_legacy_of(value, storages), read);
  // The archive has a checksum of each entry, so its pickle is damaged before.
  check_damaged(pickled::file(value), [&](auto bytes) {
    const std::string pickle(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto archive =
        zip_of({{"m/data.pkl", pickle}, {"m/data/0", bytes_of(storages.front().second)}});
    read(view(archive));
  });
}

}  // namespace
