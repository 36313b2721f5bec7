// Models of Marian, converted: their log-probabilities and translations are those that
// the toolkit, and an implementation in double precision, have.
#include "interchange/export.hpp"
#include "store/marian_binary.hpp"
#include "tests/largest.hpp"
#include "tests/properties/converted_case.hpp"

namespace awend::tests {

TEST_CASE("a converted Transformer of Marian is the original", "[conformance]") {
  const auto directory = directory_of("marian-transformer");
  if (!directory) return;
  for (const std::string file : {"", "/model.npz", "/model.bin"}) {
    CAPTURE(file);
    ConvertedCase model(*directory + file, *directory);
    CHECK(model.difference("target_logprobs") < kTolerance);
    CHECK(model.difference("target_logprobs64") < kTolerance);
    if (file != "/model.bin") continue;
    check_search(model);
    // The toolkit ends its search earlier, and may miss the best translation.
    CHECK(model.same_answers(6, 0.6, "beam6_normalize06", decode::LengthPenalty::kPower) >= 20);
    CHECK(model.converted().search.at("beam-size") == "12");
  }
}

TEST_CASE("a model with a shortlist translates as Marian", "[conformance]") {
  const auto weights = directory_of("marian-ssru");
  if (!weights) return;
  for (const std::string name : {"bergamot", "bergamot-two"}) {
    CAPTURE(name);
    const auto directory = *directory_of(name);
    // The translations are those of the weights before quantization.
    ConvertedCase model(directory, directory, [&](interchange::ConvertedModel& converted) {
      interchange::ModelFiles files(*weights + "/model.npz");
      converted.weights = interchange::read_model(files).weights;
    });
    model.use_shortlist();
    CHECK(model.size() == 24);
    CHECK(model.same_answers(1, 0, "greedy64") == model.size());
    CHECK(model.same_answers(4, 0, "beam4_64") == model.size());
    // The shortlist of a checkpoint is the same.
    CHECK(interchange::read_checkpoint(model.checkpoint()).shortlist ==
          model.converted().shortlist);
  }
}

TEST_CASE("a converted student of Marian with SSRU is the original", "[conformance]") {
  const auto directory = directory_of("marian-ssru");
  if (!directory) return;
  for (const std::string file : {"/model.npz", "/model.bin"}) {
    CAPTURE(file);
    ConvertedCase model(*directory + file, *directory);
    CHECK(model::has_ssru(model.converted().config));
    CHECK(model.difference("target_logprobs") < kTolerance);
    CHECK(model.difference("target_logprobs64") < kTolerance);
    check_search(model);
    CHECK(model.same_answers(6, 0.6, "beam6_normalize06", decode::LengthPenalty::kPower) >= 20);
  }
  // With 8-bit matrices and activations, Marian's scores of its translations change by up to 0.088;
  // here the activations are those of float32.
  ConvertedCase rounded(*directory + "/model.intgemm8.bin", *directory);
  CHECK(rounded.difference("/greedy/tokens", "/greedy/word_scores") < 0.088);
  rounded.tolerate(0.5);
  CHECK(rounded.same_answers(1, 0, "greedy64") >= 23);
}

TEST_CASE("matrices of intgemm are those in float32, rounded", "[conformance]") {
  const auto file = conformance_file("models/marian-ssru/model.intgemm8.bin");
  if (!file) return;
  const base::MappedFile exact_file(std::filesystem::path(*file).parent_path() / "model.bin"),
      rounded_file(*file);
  const auto exact = store::read_marian_binary(exact_file.bytes()),
             rounded = store::read_marian_binary(rounded_file.bytes());
  CHECK(rounded.factors.size() > 10);
  for (const auto& [name, factor] : rounded.factors) {
    CAPTURE(name);
    const auto expected = store::to_floats(exact.arrays.at(name)),
               found = store::to_floats(rounded.arrays.at(name));
    REQUIRE(found.size() == expected.size());
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      largest = larger(largest, std::abs(double{found[i]} * factor - expected[i]));
    CHECK(largest < 0.51 * factor);
  }
}

TEST_CASE("matrices of 8 bits are those that Marian's converter writes", "[conformance]") {
  const auto directory = directory_of("marian-ssru");
  if (!directory) return;
  const auto written_by_marian = *directory + "/model.intgemm8.bin";
  interchange::ModelFiles files(*directory + "/model.bin");
  const Scratch scratch;
  interchange::write_marian_int8_model(scratch.path("x"), interchange::read_model(files));
  const base::MappedFile expected_file(written_by_marian),
      found_file(scratch.path("x/model.intgemm8.bin"));
  const auto expected = store::read_marian_binary(expected_file.bytes()),
             found = store::read_marian_binary(found_file.bytes());
  CHECK(found.factors == expected.factors);
  CHECK(found.arrays.size() == expected.arrays.size());
  for (const auto& [name, array] : expected.arrays) {
    CAPTURE(name);
    REQUIRE(found.arrays.contains(name));
    CHECK(found.arrays.at(name).shape == array.shape);
    // With the padding after the integers and their multiplier.
    CHECK(std::ranges::equal(found.arrays.at(name).bytes, array.bytes));
  }
}

TEST_CASE("architectures that are not supported are refused by name", "[conformance]") {
  // The message for a model whose settings have other values of the same length.
  const auto message = [](const std::string& name, std::string_view old, std::string_view other) {
    const auto directory = directory_of(name);
    if (!directory) return std::string("skipped");
    const Scratch scratch;
    for (const char* const file : {"/vocab.yml", "/model.bin"}) {
      std::ifstream in(*directory + file, std::ios::binary);
      std::string content(std::istreambuf_iterator<char>(in), {});
      if (const auto at = content.find(old); at != content.npos)
        content.replace(at, old.size(), other);
      scratch.write(file + 1, content);
    }
    return message_of([&] {
      interchange::ModelFiles files(scratch.folder());
      interchange::read_model(files);
    });
  };
  const auto check = [&](const std::string& name, std::string_view old, std::string_view other,
                         std::string_view expected) {
    const auto found = message(name, old, other);
    CAPTURE(found);
    CHECK((found == "skipped" || found.ends_with(expected)));
  };
  check("marian-ssru", "dec-cell: ssru", "dec-cell: lstm",
        "setting 'dec-cell' is 'lstm': a decoder with other recurrent cells than SSRU is not "
        "supported");
  check("marian-rnn-gru", "type: s2s", "type: abc",
        "architecture 'abc' of Marian is not supported");
  check("marian-rnn-gru", "dec-cell: gru", "dec-cell: sru",
        "setting 'dec-cell' is 'sru': a recurrent cell other than GRU is not supported");
  check("marian-rnn-gru", "dec-depth: 1", "dec-depth: 2",
        "setting 'dec-depth' is '2': a recurrent model with more layers or cells is not "
        "supported");
  check("marian-rnn-gru", "base-depth: 2", "base-depth: 4",
        "setting 'dec-cell-base-depth' is '4': another number of cells in the decoder is not "
        "supported");
}

TEST_CASE("a converted recurrent model of Marian is the original", "[conformance]") {
  const auto directory = directory_of("marian-rnn-gru");
  if (!directory) return;
  for (const std::string file : {"/model.npz", "/model.bin"}) {
    CAPTURE(file);
    ConvertedCase model(*directory + file, *directory);
    CHECK(model.converted().config.architecture == "rnn");
    CHECK(model.difference("target_logprobs") < kTolerance);
    CHECK(model.same_answers(1, 0, "greedy") == model.size());
    // The toolkit ends its search earlier, and may miss the best translation.
    CHECK(model.same_answers(4, 0, "beam4") >= 22);
    CHECK(model.at_least_as_probable(4, "beam4") == model.size());
    CHECK(model.same_answers(6, 0.6, "beam6_normalize06", decode::LengthPenalty::kPower) >= 20);
  }
  // Each of these settings matters.
  const auto wrong = [&](const std::function<void(interchange::ConvertedModel&)>& change) {
    return ConvertedCase(*directory, *directory, change).difference("target_logprobs");
  };
  using Model = interchange::ConvertedModel;
  CHECK(wrong([](Model& it) { it.config.rnn.bridge = model::Bridge::kDense; }) > 1e-2);
  CHECK(wrong([](Model& it) { it.config.rnn.conditional_cell = model::Switch::kOff; }) > 1e-2);
  // The second cell has the bias of its new state inside of the reset gate.
  CHECK(wrong([](Model& it) {
          auto& bias = it.weights["decoder.0.second.hidden_bias"];
          auto& first = it.weights["decoder.0.input_bias"];
          std::swap_ranges(bias.end() - 32, bias.end(), first.end() - 32);
        }) > 1e-2);
}

}  // namespace awend::tests
