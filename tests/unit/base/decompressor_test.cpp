// Compressed input reads as what it was, however it is cut, and damage is said with the file's
// name.
#include "base/decompressor.hpp"

#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/files.hpp"
#include "base/lines.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::base {
namespace {

using tests::message_of;
using tests::Scratch;

std::string gzip(std::string_view text) {
  z_stream stream{};
  REQUIRE(::deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

std::string zstd(std::string_view text) {
  std::string out(::ZSTD_compressBound(text.size()), '\0');
  out.resize(::ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

/// Some hundred thousand lines, more than any buffer.
std::string long_text() {
  std::string text;
  for (int line = 0; line < 200'000; ++line) text += concat("line ", line, '\n');
  return text;
}

TEST_CASE("a compressed file reads as the text it was", "[decompressor]") {
  const Scratch scratch;
  const auto text = long_text();
  for (const auto& text_now : {std::string(), std::string("a\nb"), text}) {
    CHECK(read_file(scratch.write("a.gz", gzip(text_now)), kMaxModelBytes) == text_now);
    CHECK(read_file(scratch.write("a.zst", zstd(text_now)), kMaxModelBytes) == text_now);
  }
  CHECK(read_file(scratch.write("two", gzip("a\n") + gzip(text) + gzip("")), kMaxModelBytes) ==
        "a\n" + text);
  const std::string padding(70'000, '\0');
  CHECK(read_file(scratch.write("padded", gzip("a\n") + padding), kMaxModelBytes) == "a\n");
  CHECK(read_file(scratch.write("two", gzip("a\n") + padding + gzip(text)), kMaxModelBytes) ==
        "a\n" + text);
  CHECK(read_file(scratch.write("two", zstd("a\n") + zstd(text) + zstd("")), kMaxModelBytes) ==
        "a\n" + text);
}

TEST_CASE("zeros that compress a thousandfold are decompressed completely", "[decompressor]") {
  const Scratch scratch;
  const std::string zeros(5'000'000, '\0');
  CHECK(read_file(scratch.write("a.gz", gzip(zeros)), kMaxModelBytes) == zeros);
  CHECK(read_file(scratch.write("a.zst", zstd(zeros)), kMaxModelBytes) == zeros);
}

TEST_CASE("compressed data that damage or a full disk cut are refused", "[decompressor]") {
  const Scratch scratch;
  const auto refusal = [&](std::string_view bytes) {
    const auto path = scratch.write("file", bytes);
    const auto message = message_of([&] { read_file(path, kMaxModelBytes); });
    return message.starts_with(path + ": ") ? message.substr(path.size() + 2) : message;
  };
  for (const auto& whole : {gzip(long_text()), zstd(long_text())}) {
    for (const std::size_t kept : {std::size_t{5}, whole.size() / 2, whole.size() - 1}) {
      CHECK(refusal(whole.substr(0, kept)) == "the compressed data end too early");
    }
    auto damaged = whole;
    damaged[whole.size() / 2] ^= 0x55;
    damaged[whole.size() / 2 + 1] ^= 0x55;
    CHECK(refusal(damaged).find("damaged") != std::string::npos);
    CHECK(refusal(whole + "junk").find("damaged") != std::string::npos);
  }
}

TEST_CASE("text is never taken for compressed data", "[decompressor]") {
  const Scratch scratch;
  for (const std::string_view text : {"(", "(\n", "(\xc2\xb5/", "\x1f", "\x1f\x1f\n", ""}) {
    CHECK(read_file(scratch.write("file", text), kMaxModelBytes) == text);
  }
  CHECK(compression_of("") == Compression::kUndecided);
  CHECK(compression_of("(\xb5") == Compression::kUndecided);
  CHECK(compression_of("(a") == Compression::kNone);
}

TEST_CASE("a pipe may bring compressed data byte by byte", "[decompressor]") {
  for (const auto& bytes : {gzip("one\ntwo\n"), zstd("one\ntwo\n"), std::string("one\ntwo\n")}) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    LineReader reader(concat("/dev/fd/", ends[0]));
    REQUIRE(::write(ends[1], bytes.data(), 1) == 1);
    REQUIRE(::write(ends[1], bytes.data() + 1, bytes.size() - 1) > 0);
    REQUIRE(::close(ends[1]) == 0);
    std::string_view line;
    CHECK((reader.next(line) && line == "one"));
    CHECK((reader.next(line) && line == "two"));
    CHECK_FALSE(reader.next(line));
    ::close(ends[0]);
  }
}

}  // namespace
}  // namespace awend::base
