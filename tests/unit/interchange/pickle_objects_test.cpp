// Objects in pickles that models do not have are named, once.
#include "interchange/pickle_objects.hpp"

#include "interchange/read_model.hpp"
#include "tests/catch.hpp"
#include "tests/foreign_files.hpp"
#include "tests/fuzz/foreign_models.hpp"

namespace {

using namespace awend;
using namespace awend::interchange;
using namespace awend::tests;

std::string called(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n" + pickled::tuple({pickled::text("touch x")}) + "R";
}

std::optional<std::string> found_in(const Entries& values) {
  const auto file = pickled::file(pickled::dictionary(values));
  return unknown_objects(store::Pickle(std::as_bytes(std::span(file))));
}

const std::string kIgnored = "objects that models do not have are ignored, and not run: ";

}  // namespace

TEST_CASE("what models have is not reported") {
  CHECK(found_in({{"a", pickled::tensor("0", {2}, {1})},
                  {"b", "cargparse\nNamespace\n)\x81"},
                  {"c", called("collections", "OrderedDict")},
                  {"d", "ctorch\nfloat16\n"},
                  {"e", "ctorch\nBFloat16Storage\n"},
                  {"f", "cbuiltins\nset\n"},
                  {"g", called("omegaconf.dictconfig", "DictConfig")}}) == std::nullopt);
}

TEST_CASE("other objects are named once, in order") {
  CHECK(found_in({{"a", called("posix", "system")},
                  {"b", called("builtins", "eval")},
                  {"c", called("posix", "system")},
                  {"d", called("torch.hub", "load")},
                  {"e", called("torch", "load")}}) ==
        kIgnored + "posix.system, builtins.eval, torch.hub.load, torch.load");
  Entries many;
  for (int i = 0; i < 9; ++i)
    many.emplace_back(base::concat("x", i), called("m", base::concat("f", i)));
  CHECK(found_in(many) == kIgnored + "m.f0, m.f1, m.f2, m.f3, m.f4, ...");
  CHECK(found_in({{"a", called("m\x1b[31m", std::string(200, 'f'))}}) ==
        kIgnored + "m?[31m." + std::string(73, 'f'));
}

TEST_CASE("a model with such an object is read, with a warning") {
  auto contents = fairseq_contents();
  auto& weights = contents.at("model.pt");
  ModelFiles plain(contents);
  CHECK(read_model(plain).warnings.empty());
  // Of one length, so that the file stays whole.
  const std::string known = "cargparse\nNamespace\n", other = "cposix\nsystem123456\n";
  REQUIRE(known.size() == other.size());
  const auto at = weights.find(known);
  REQUIRE(at != weights.npos);
  weights.replace(at, known.size(), other);
  ModelFiles files(contents);
  const auto model = read_model(files);
  CHECK(model.warnings == std::vector<std::string>{"model.pt: " + kIgnored + "posix.system123456"});
}
