#include "interchange/foreign_settings.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/foreign_files.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::interchange;
using namespace awend::tests;

TEST_CASE("settings of JSON are taken, required or refused") {
  auto settings =
      ForeignSettings::from_json(R"({"d_model": 32, "scale": true, "rate": 0.5, "type": "marian",)"
                                 R"( "ids": [[1], [2]], "x": null})");
  CHECK(settings.count("d_model") == 32);
  CHECK(settings.is_on("scale"));
  CHECK(settings.real("rate", 1) == 0.5);
  CHECK(settings.real("x", 0.25) == 0.25);
  CHECK(settings.text("ids") == "[[1],[2]]");
  CHECK(!settings.is_on("x"));
  CHECK(settings.is_on("missing", Default::kOn));
  CHECK(settings.count("missing", 7) == 7);
  CHECK(settings.count("x", 7) == 7);
  settings.require("x", {"false", "null"}, "anything else");
  CHECK(message_of([&] { settings.require("x", {"false"}, "nothing"); }) ==
        "setting 'x' is 'null': nothing is not supported");
  CHECK(!settings.is_on("x", Default::kOn));
  CHECK(message_of([&] { settings.require_all_known(); }) ==
        "setting 'type' (marian) is not known");
  CHECK(message_of([&] { settings.require("type", {"bart"}, "another model"); }) ==
        "setting 'type' is 'marian': another model is not supported");
  settings.require_all_known();
  CHECK(message_of([&] { settings.count("type"); }) ==
        "setting 'type': 'marian' is not a natural number");
  CHECK(message_of([&] { settings.text("y"); }) == "no setting 'y'");
}

TEST_CASE("settings of YAML have nested names and lists") {
  auto settings = ForeignSettings::from_yaml(
      "!ModelConfig\n"
      "type: transformer\n"
      "dim-vocabs:\n  - 82\n  - 84\n"
      "tied-layers:\n  []\n"
      "empty: \"\"\n"
      "config_encoder: !TransformerConfig\n  heads: 4\n  buckets:\n  - !!python/tuple\n    - 64\n"
      "last: 'x'\n");
  CHECK(settings.text("type") == "transformer");
  CHECK(settings.text("dim-vocabs") == "82,84");
  CHECK(settings.text("tied-layers").empty());
  CHECK(settings.text("empty").empty());
  CHECK(settings.text("config_encoder.heads") == "4");
  CHECK(settings.text("last") == "x");
  settings.ignore({"config_encoder*"});
  settings.require_all_known();
}

TEST_CASE("attributes of a pickled object are settings") {
  const auto bytes = pickled::file("cargparse\nNamespace\n)\x81" +
                                   pickled::dictionary({{"heads", pickled::number(4)},
                                                        {"pre", "\x88"},
                                                        {"path", "N"},
                                                        {"sizes", pickled::sizes({1, 2})}}) +
                                   "b");
  const awend::store::Pickle pickle(view(bytes));
  auto settings = ForeignSettings::from_pickle(pickle, pickle.root());
  CHECK(settings.count("heads") == 4);
  CHECK(settings.is_on("pre"));
  CHECK(settings.text("path") == "null");
  CHECK(settings.text("sizes") == "1,2");
}

}  // namespace
