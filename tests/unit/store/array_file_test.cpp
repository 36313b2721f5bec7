// Safetensors files made by hand, good and bad: the reader is tested without awend's writer.
#include "store/array_file.hpp"

#include <sys/stat.h>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using awend::store::ArrayFile;
using awend::store::Type;
using awend::tests::message_of;
using awend::tests::Scratch;

std::string safetensors(std::string_view header, std::string_view data) {
  std::string file(8, '\0');
  for (int i = 0; i < 8; ++i) file[i] = static_cast<char>(header.size() >> (8 * i) & 255);
  return file.append(header).append(data);
}

std::string floats_as_bytes(std::initializer_list<float> values) {
  std::string bytes;
  for (float value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

// The message about a file with this header and this many bytes of data, without the file name.
std::string complaint(std::string_view header, std::size_t data_bytes) {
  Scratch scratch;
  const auto path = scratch.write("x", safetensors(header, std::string(data_bytes, 'd')));
  const auto message = message_of([&] { ArrayFile file(path); });
  if (message.empty()) return "";
  REQUIRE(message.starts_with(path + ": "));
  return message.substr(path.size() + 2);
}

TEST_CASE("arrays are found by name, in file order, with their bytes") {
  Scratch scratch;
  const std::uint64_t big = 1'000'000'000'000'007;
  std::string data(reinterpret_cast<const char*>(&big), 8);
  data += floats_as_bytes({1.5F, -2, 0, 4, 5, 6});
  std::string header = R"({"b":{"dtype":"F32","shape":[2,3],"data_offsets":[8,32]},)"
                       R"("a":{"dtype":"U64","shape":[],"data_offsets":[0,8]},)"
                       R"("e":{"dtype":"F32","shape":[0,7],"data_offsets":[8,8]},)"
                       R"("__metadata__":{"awend.format":"1","text":"a\nb ü"}})";
  header.append(8 - header.size() % 8, ' ');
  const auto path = scratch.write("x", safetensors(header, data));
  ArrayFile opened(path);
  const ArrayFile file = std::move(opened);  // the views must survive a move
  REQUIRE(file.arrays().size() == 3);
  CHECK(file.arrays()[0].name == "a");
  CHECK(file.arrays()[1].name == "e");
  CHECK(file.arrays()[2].name == "b");
  CHECK(file.integers("a", {})[0] == big);
  const std::uint64_t shape[] = {2, 3};
  const auto floats = file.floats("b", shape);
  REQUIRE(floats.size() == 6);
  CHECK(floats[0] == 1.5F);
  CHECK(floats[5] == 6);
  CHECK(file.find("c") == nullptr);
  CHECK(file.metadata("text") == "a\nb ü");
  CHECK_FALSE(file.metadata("other"));
  CHECK(message_of([&] { file.at("c"); }) == path + ": no array 'c'");
  CHECK(message_of([&] { file.floats("b", {}); }) ==
        path + ": array 'b' is F32 [2, 3], not F32 []");
  CHECK(message_of([&] { file.metadata_at("awend.config"); }) ==
        path + ": no 'awend.config' in its metadata; not a checkpoint of awend");
}

TEST_CASE("only this version of the format of checkpoints is accepted") {
  Scratch scratch;
  const auto with_format = [&](const std::string& version) {
    return ArrayFile(scratch.write(
        "x", safetensors(R"({"__metadata__":{"awend.format":")" + version + R"("}})", "")));
  };
  require_format(with_format("1"));
  CHECK(message_of([&] { require_format(with_format("2")); }) ==
        scratch.path("x") + ": unsupported checkpoint format 2 (expected 1)");
}

TEST_CASE("an array that is not aligned is refused only when its elements are requested") {
  Scratch scratch;
  const auto path =
      scratch.write("x", safetensors(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                     R"("b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})",
                                     "12345"));
  const ArrayFile file(path);
  CHECK(file.at("b").bytes.size() == 4);
  const std::uint64_t shape[] = {1};
  CHECK(message_of([&] { file.floats("b", shape); }) ==
        path + ": array 'b' does not start at a multiple of 4 bytes");
}

TEST_CASE("a file of another format is named") {
  Scratch scratch;
  const auto says = [&](std::string_view bytes) {
    const auto path = scratch.write("x", bytes);
    return message_of([&] { ArrayFile file(path); }).substr(path.size() + 2);
  };
  CHECK(says("") == "too short for a safetensors file");
  CHECK(says("1234567") == "too short for a safetensors file");
  CHECK(says("A text file with words.") == "not a safetensors file");
  CHECK(says(std::string(8, '\0')) == "not a safetensors file");
  CHECK(says(safetensors("[1]", "")) == "not a safetensors file");
  CHECK(says(safetensors("{", "")) == "not JSON at byte 2");
  CHECK(says(safetensors(R"({"a":1})", "").substr(0, 12)) ==
        "truncated: the header has 7 bytes and the file 12");
  CHECK(says(safetensors("{\"\xff\":1}", "")) == "not JSON at byte 3");
}

TEST_CASE("a header that does not fit its data is refused with a reason") {
  const std::string a = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  CHECK(complaint(a, 8) == "");
  CHECK(complaint(a, 7) == "array 'a': truncated: it ends at byte 8 of 7");
  CHECK(complaint(a, 9) == "1 trailing bytes after the last array");
  const auto with = [](std::string_view fields) {
    return complaint(std::string(R"({"a":{)").append(fields).append("}}"), 8);
  };
  CHECK(with(R"("shape":[2],"data_offsets":[0,8])") == "array 'a': no 'dtype'");
  CHECK(with(R"("dtype":"F31","shape":[2],"data_offsets":[0,8])") ==
        "array 'a': unknown element type 'F31'");
  CHECK(with(R"("dtype":7,"shape":[2],"data_offsets":[0,8])") ==
        "array 'a': 'dtype' is not a text");
  CHECK(with(R"("dtype":"F32","shape":2,"data_offsets":[0,8])") ==
        "array 'a': 'shape' is not a list");
  CHECK(with(R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])") ==
        "array 'a': a size in 'shape' is not a whole number");
  CHECK(with(R"("dtype":"F32","shape":[3],"data_offsets":[0,8])") ==
        "array 'a': F32 [3] cannot have 8 bytes");
  CHECK(with(R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8])") ==
        "array 'a': the shape is too large");
  CHECK(with(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])") ==
        "array 'a': its end lies before its beginning");
  CHECK(with(R"("dtype":"F32","shape":[2],"data_offsets":[0])") ==
        "array 'a': 'data_offsets' is not a pair");
  CHECK(complaint(R"({"a":3})", 0) == "array 'a': not an object");
  CHECK(complaint(R"({"__metadata__":{"k":3}})", 0) == "the metadata 'k' is not a text");
  CHECK(complaint(R"({"__metadata__":3})", 0) == "the metadata is not an object");
  CHECK(complaint(R"({"a":1,"a":1})", 0) == "'a' is duplicated");
}

TEST_CASE("holes and overlaps are refused") {
  const auto two = [](std::string_view first, std::string_view second) {
    return complaint(std::string(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)")
                         .append(first)
                         .append(R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)")
                         .append(second)
                         .append("}}"),
                     5);
  };
  CHECK(two("[0,2]", "[3,5]") == "a hole before array 'b'");
  CHECK(two("[1,3]", "[3,5]") == "a hole before array 'a'");
  CHECK(two("[0,2]", "[1,3]") == "array 'b' overlaps another");
  CHECK(two("[0,2]", "[2,4]") == "1 trailing bytes after the last array");
}

TEST_CASE("what cannot be mapped is an error, not a wait") {
  Scratch scratch;
  const auto missing = scratch.path("missing");
  CHECK(message_of([&] { ArrayFile file(missing); }) == missing + ": No such file or directory");
  CHECK(message_of([&] { ArrayFile file(scratch.folder()); }) ==
        scratch.folder() + ": not a regular file");
  const auto pipe = scratch.path("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(message_of([&] { ArrayFile file(pipe); }) == pipe + ": not a regular file");
}

}  // namespace
