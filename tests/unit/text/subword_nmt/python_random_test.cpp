// Numbers printed by CPython 3.11: random.seed(seed), then random.random().
#include "text/subword_nmt/python_random.hpp"

#include "tests/catch.hpp"

namespace {

using awend::text::PythonRandom;

TEST_CASE("random numbers are those of CPython, for seeds of one word and of two") {
  struct Case {
    std::uint64_t seed;
    double first, second, thousand_and_first;
  };
  const auto test =
      GENERATE(Case{0, 0.8444218515250481, 0.7579544029403025, 0.9466893945947962},
               Case{1, 0.13436424411240122, 0.8474337369372327, 0.4116430517162146},
               Case{42, 0.6394267984578837, 0.025010755222666936, 0.09935462460613032},
               Case{1ULL << 32, 0.11299430095636409, 0.41782886486292836, 0.9409760305987137},
               Case{~0ULL, 0.021825695401270107, 0.3380953268613758, 0.3820204326237707});
  PythonRandom random(test.seed);
  CHECK(random.uniform() == test.first);
  CHECK(random.uniform() == test.second);
  for (int i = 2; i < 1000; ++i) random.uniform();
  CHECK(random.uniform() == test.thousand_and_first);
}

}  // namespace
