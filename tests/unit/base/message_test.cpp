// Messages with settings, and the errors that carry them.
#include "base/message.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"

namespace {

using namespace awend::base;

constexpr Setting kBatch{"the batch size"}, kBeam{"the beam size"}, kLength{"the length"};
constexpr SettingName kNames[] = {{kBatch, "--batch-tokens"}, {kBeam, "--beam-size"}};

TEST_CASE("a program names the settings that the library describes", "[message]") {
  const Message message("9 is more than ", kBeam, ", ", 4);
  CHECK(message.text() == "9 is more than the beam size, 4");
  CHECK(message.text(kNames) == "9 is more than --beam-size, 4");
  CHECK(Message("file: ", message, '!').text(kNames) == "file: 9 is more than --beam-size, 4!");
  CHECK(Message(kLength).text(kNames) == "the length");
}

TEST_CASE("alternatives", "[message]") {
  const std::vector<Setting> settings = {kBatch, kBeam, kLength};
  CHECK(alternatives({settings.data(), 1}).text() == "the batch size");
  CHECK(alternatives({settings.data(), 2}).text(kNames) == "--batch-tokens or --beam-size");
  CHECK(alternatives(settings).text() == "the batch size, the beam size or the length");
}

TEST_CASE("errors keep their settings", "[message]") {
  try {
    fail("reduce ", kBatch);
  } catch (const Error& error) {
    CHECK(std::string(error.what()) == "reduce the batch size");
    CHECK(error.message().text(kNames) == "reduce --batch-tokens");
  }
}

TEST_CASE("a message begins with a name, and keeps its settings", "[message]") {
  try {
    with_name("f", [] { fail("reduce ", kBatch); });
    FAIL("an error");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) == "f: reduce the batch size");
    CHECK(error.message().text(kNames) == "f: reduce --batch-tokens");
  }
  // A file may have any name.
  try {
    with_name("truncated", [] { fail("truncated: at byte 7"); });
    FAIL("an error");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) == "truncated: truncated: at byte 7");
  }
  CHECK(with_name("f", [] { return 3; }) == 3);
}

TEST_CASE("an error about a limit states what is needed and what to reduce", "[message]") {
  const LimitError error({Message(8, " MiB are more than ", 4), 8, 4, {kBatch, kBeam}});
  CHECK(error.excess().needed == 8);
  CHECK(error.excess().limit == 4);
  CHECK(error.excess().reduce.size() == 2);
  CHECK(std::string(error.what()) ==
        "8 MiB are more than 4; reduce the batch size or the beam size");
  CHECK(error.message().text(kNames) ==
        "8 MiB are more than 4; reduce --batch-tokens or --beam-size");
}

}  // namespace
