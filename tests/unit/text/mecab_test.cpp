// Japanese words, by the IPA dictionary of Debian (packages libmecab2 and mecab-ipadic-utf8).
#include "text/mecab.hpp"

#include <filesystem>

#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/scratch.hpp"

namespace {

using awend::text::Mecab;

constexpr char kIpa[] = "/var/lib/mecab/dic/ipadic-utf8";

TEST_CASE("MeCab cuts Japanese lines", "[conformance]") {
  if (!std::filesystem::exists(kIpa)) {
    WARN("left out, without the package mecab-ipadic-utf8");
    ++awend::tests::parts_left_out();
    return;
  }
  const Mecab mecab(kIpa);
  CHECK(mecab.words("すもももももももものうち") == "すもも も もも も もも の うち \n");
  CHECK(mecab.words("ファイルの所有者を変更する。abc 1.5") ==
        "ファイル の 所有 者 を 変更 する 。 abc 1 . 5 \n");
  CHECK(mecab.words("") == "\n");
  CHECK(mecab.version() == "0.996");
  CHECK(mecab.size() == 392'127);
}

TEST_CASE("a directory without a dictionary is named") {
  if (!std::filesystem::exists(kIpa)) return;
  const awend::tests::Scratch scratch;
  CHECK(awend::tests::message_of([&] { Mecab mecab(scratch.folder()); }) ==
        scratch.folder() + ": does not contain a MeCab dictionary");
}

}  // namespace
