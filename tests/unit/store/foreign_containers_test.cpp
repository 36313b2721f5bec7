// The containers of other toolkits: zip archives, arrays of NumPy and Marian, CTranslate2's
// variables, and what torch.save() writes.
#include "base/error.hpp"
#include "store/ctranslate2_binary.hpp"
#include "store/marian_binary.hpp"
#include "store/npy.hpp"
#include "store/torch_file.hpp"
#include "tests/catch.hpp"
#include "tests/foreign_files.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::store;
using namespace awend::tests;
using Floats = std::vector<float>;

/// Whether the action throws an exception whose message contains the text.
template <class Action>
bool refuses(Action action, std::string_view text) {
  const auto message = message_of(action);
  CAPTURE(message);
  return message.find(text) != message.npos;
}

TEST_CASE("numbers of 16 bits are widened") {
  CHECK(half_to_float(0x3C00) == 1);
  CHECK(half_to_float(0xC500) == -5);
  CHECK(half_to_float(0x0001) == 5.9604644775390625e-8f);
  CHECK(half_to_float(0x7BFF) == 65504);
  CHECK(half_to_float(0xFC00) == -std::numeric_limits<float>::infinity());
  const auto bits = bytes_of(std::vector<std::uint16_t>{0x3FC0, 0xC000});
  CHECK(to_floats({.type = Type::BF16, .shape = {2}, .strides = {}, .bytes = view(bits)}) ==
        Floats{1.5f, -2});
}

TEST_CASE("strides select elements, within the bytes and without overlaps") {
  const auto bytes = bytes_of(Floats{0, 1, 2, 3, 4, 5});
  StridedArray array{.type = Type::F32, .shape = {3, 2}, .strides = {1, 3}, .bytes = view(bytes)};
  require_within(array);
  CHECK(to_floats(array) == Floats{0, 3, 1, 4, 2, 5});
  array.strides = {1, 4};
  CHECK(refuses([&] { require_within(array); }, "does not fit"));
  array.strides = {0, 1};
  CHECK(refuses([&] { require_within(array); }, "overlap"));
  array.strides = {~std::uint64_t{0}, 1};
  CHECK(refuses([&] { require_within(array); }, "does not fit"));
  array = {.type = Type::F32, .shape = {7}, .strides = {}, .bytes = view(bytes)};
  CHECK(refuses([&] { require_within(array); }, "F32 [7]"));
}

TEST_CASE("the arrays of an npz archive") {
  const auto bytes =
      zip_of({{"W.npy", npy_of("(2, 3)", {1, 2, 3, 4, 5, 6})}, {"b.npy", npy_of("(1,)", {7})}});
  const NpzFile file(view(bytes));
  REQUIRE(file.arrays().size() == 2);
  CHECK(file.arrays().at("W").shape == std::vector<std::uint64_t>{2, 3});
  CHECK(to_floats(file.arrays().at("W")) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(to_floats(file.arrays().at("b")) == Floats{7});
  CHECK(
      refuses([&] { NpzFile(view(bytes).first(bytes.size() - 1)); }, "not a complete zip archive"));
  const auto damaged = zip_of({{"W.npy", npy_of("(2, 4)", {1, 2, 3})}});
  CHECK(refuses([&] { NpzFile(view(damaged)); }, "array 'W': "));
}

TEST_CASE("an array in Fortran's order is read in rows") {
  auto bytes = npy_of("(2, 3)", {1, 2, 3, 4, 5, 6});
  bytes.replace(bytes.find("False"), 5, "True ");
  CHECK(to_floats(read_npy(view(bytes))) == Floats{1, 3, 5, 2, 4, 6});
}

TEST_CASE("the items of a Marian file") {
  const auto bytes = marian_binary_of(
      {{"W", 0x404, {2, 2}, bytes_of(Floats{1, 2, 3, 4})},
       {"Q", 0x10001, {2, 3}, bytes_of(std::vector<std::int8_t>{1, 2, 3, 4, 5, 6}) + bytes_of(2.f)},
       {"special:model.yml", 0x101, {12}, std::string("type: s2s\n\0\0", 12)}});
  CHECK(looks_like_marian_binary(view(bytes)));
  const auto items = read_marian_binary(view(bytes));
  CHECK(items.settings == "type: s2s\n");
  CHECK(to_floats(items.arrays.at("W")) == Floats{1, 2, 3, 4});
  CHECK(to_floats(items.arrays.at("Q")) == Floats{1, 3, 5, 2, 4, 6});  // stored by columns
  CHECK(items.factors.at("Q") == 0.5f);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    REQUIRE_THROWS_AS(read_marian_binary(view(bytes).first(size)), awend::base::Error);
  const auto packed = marian_binary_of({{"W", 0x20001, {1}, "x"}});
  CHECK(refuses([&] { read_marian_binary(view(packed)); },
                "array 'W': its type 131073 is not supported"));
}

TEST_CASE("the variables of CTranslate2 are written and read") {
  const auto weights = bytes_of(Floats{1, 2, 3, 4, 5, 6});
  const std::string flag(1, '\1');
  CTranslate2Items items;
  items.spec = "TransformerSpec";
  items.revision = 7;
  items.variables["w"] = {
      .type = Type::F32, .shape = {2, 3}, .strides = {}, .bytes = view(weights)};
  items.variables["on"] = {.type = Type::I8, .shape = {}, .strides = {}, .bytes = view(flag)};
  items.aliases["same"] = "w";
  const auto bytes = ctranslate2_of(items);
  CHECK(looks_like_ctranslate2(view(bytes)));
  const auto read = read_ctranslate2(view(bytes));
  CHECK(read.spec == "TransformerSpec");
  CHECK(read.revision == 7);
  REQUIRE(read.variables.size() == 3);
  CHECK(to_floats(read.variables.at("same")) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(to_floats(read.variables.at("on")) == Floats{1});
  for (std::size_t size = 0; size < bytes.size(); ++size)
    REQUIRE_THROWS_AS(read_ctranslate2(view(bytes).first(size)), awend::base::Error);
  CHECK(refuses([&] { read_ctranslate2(view("\7" + bytes.substr(1))); }, "version 7"));
}

TEST_CASE("values of a pickle are read and nothing is called") {
  using namespace pickled;
  const auto bytes = file(dictionary({{"n", number(-3)},
                                      {"long", std::string("\x8a\2\0\x80", 4)},
                                      {"x", std::string("G\x3f\xf8\0\0\0\0\0\0", 9)},
                                      {"call", "cos\nsystem\n" + tuple({text("false")}) + "R"},
                                      {"options", std::string("cargparse\nNamespace\n)\x81") +
                                                      dictionary({{"heads", number(4)}}) + "b"}}));
  const Pickle pickle(view(bytes));
  const auto at = [&](const char* key) { return pickle.at(pickle.root(), key).value(); };
  CHECK(*pickle.find<std::int64_t>(at("n")) == -3);
  CHECK(*pickle.find<std::int64_t>(at("long")) == -32768);
  CHECK(*pickle.find<double>(at("x")) == 1.5);
  CHECK(pickle.name_of(at("call")) == "os.system");
  CHECK(pickle.name_of(at("options")) == "argparse.Namespace");
  CHECK(*pickle.find<std::int64_t>(pickle.at(at("options"), "heads").value()) == 4);
  CHECK(!pickle.at(pickle.root(), "missing"));
  CHECK(refuses([] { Pickle(view("\x80\x02\xff")); }, "unknown opcode 255 at byte 2"));
  CHECK(refuses([] { Pickle(view("(0.")); }, "no value"));
  CHECK(refuses([] { Pickle(view("h\1.")); }, "no value 1 in the memo"));
}

TEST_CASE("a pickle of very many small values is refused") {
  const std::string bytes(std::size_t{5} << 20, 'N');
  CHECK(refuses([&] { Pickle{view(bytes)}; }, "more than 4194304 values"));
}

TEST_CASE("tensors of both forms of torch.save()") {
  const auto value = pickled::dictionary({{"a", pickled::tensor("0", {2, 3}, {3, 1})},
                                          {"b", pickled::tensor("0", {3, 2}, {1, 3})},
                                          {"c", pickled::tensor("1", {}, {})},
                                          {"n", pickled::number(1)}});
  const Storages storages = {{"0", {1, 2, 3, 4, 5, 6}}, {"1", {7}}};
  for (const auto& bytes : {torch_zip_of(value, storages), torch_legacy_of(value, storages)}) {
    CHECK(TorchFile::looks_like_torch(view(bytes)));
    const TorchFile file(view(bytes));
    const auto tensors = file.tensors(file.pickle().root());
    REQUIRE(tensors.size() == 3);
    CHECK(to_floats(tensors.at("a")) == Floats{1, 2, 3, 4, 5, 6});
    CHECK(to_floats(tensors.at("b")) == Floats{1, 4, 2, 5, 3, 6});
    CHECK(to_floats(tensors.at("c")) == Floats{7});
    for (std::size_t size = 0; size < bytes.size(); ++size)
      REQUIRE_THROWS_AS(TorchFile(view(bytes).first(size)), awend::base::Error);
  }
  const auto wide =
      torch_zip_of(pickled::dictionary({{"a", pickled::tensor("0", {2, 4}, {4, 1})}}), storages);
  const TorchFile file(view(wide));
  CHECK(refuses([&] { file.tensors(file.pickle().root()); },
                "tensor 'a': F32 [2, 4] does not fit 24 bytes"));
}

TEST_CASE("a pointer of Git LFS is recognized") {
  CHECK(refuses(
      [] { refuse_lfs_pointer(view("version https://git-lfs.github.com/spec/v1\noid sha256:")); },
      "Git LFS pointer"));
  refuse_lfs_pointer(view("PK"));
}

}  // namespace
