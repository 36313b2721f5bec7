#include "recipes/stories.hpp"

#include <array>
#include <utility>

#include "base/error.hpp"

namespace awend::tools {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kDirections = {
    {{"north", "south"}, {"south", "north"}, {"east", "west"}, {"west", "east"}}};

template <class Items>
void shuffle(base::Random& random, Items& items) {
  random.shuffle<typename Items::value_type>(items);
}

/// "The A is DIRECTION of the B".
struct Relation {
  std::string_view a, direction, b;
  std::uint32_t number = 0;
};

void ask(const Relation& fact, base::Random& random, StoryWriter& story) {
  if (random.below(2) == 0) {
    story.question(base::concat("What is ", fact.direction, " of the ", fact.b, "?"), fact.a,
                   {fact.number});
  } else {
    story.question(base::concat("What is the ", fact.a, ' ', fact.direction, " of?"), fact.b,
                   {fact.number});
  }
}

/// Task 4, two-argument relations: two places on different sides of a third.
void write_directions(base::Random& random, StoryWriter& story) {
  std::array<std::string_view, 6> places = {"bathroom", "bedroom", "garden",
                                            "hallway",  "kitchen", "office"};
  shuffle(random, places);
  auto directions = kDirections;
  shuffle(random, directions);
  std::array<Relation, 2> facts;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& [direction, opposite] = directions[i];
    // The place in the middle is the first or the second argument.
    facts[i] = random.below(2) == 0 ? Relation{places[i + 1], direction, places[0]}
                                    : Relation{places[0], opposite, places[i + 1]};
    facts[i].number = story.statement(
        base::concat("The ", facts[i].a, " is ", facts[i].direction, " of the ", facts[i].b));
  }
  const Relation& fact = pick(random, facts);
  if (random.below(2) == 0) return ask(fact, random, story);
  for (const auto& [direction, opposite] : kDirections) {
    if (direction == fact.direction)
      return ask({fact.b, opposite, fact.a, fact.number}, random, story);
  }
}

struct Animal {
  std::string_view one, many;
};
constexpr std::array<Animal, 4> kAnimals = {
    {{"mouse", "mice"}, {"sheep", "sheep"}, {"wolf", "wolves"}, {"cat", "cats"}}};
constexpr std::array<std::string_view, 4> kNames = {"Gertrude", "Winona", "Jessica", "Emily"};

std::string capitalized(std::string_view word) {
  std::string text(word);
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// Task 15, basic deduction: what kinds of animals are afraid of, and the kinds of four animals.
void write_deduction(base::Random& random, StoryWriter& story) {
  std::array<std::uint32_t, 4> feared{}, kind_of{}, of_kind{}, of_name{};
  for (std::uint32_t kind = 0; kind < 4; ++kind) {
    feared[kind] = (kind + 1 + random.below(3)) % 4;
    kind_of[kind] = random.below(4);
  }
  for (const std::uint32_t place : random.permutation(8)) {
    const std::uint32_t i = place % 4;
    if (place < 4) {
      of_kind[i] = story.statement(
          base::concat(capitalized(kAnimals[i].many), " are afraid of ", kAnimals[feared[i]].many));
    } else {
      of_name[i] = story.statement(base::concat(kNames[i], " is a ", kAnimals[kind_of[i]].one));
    }
  }
  for (const std::uint32_t i : random.permutation(4)) {
    std::string name(kNames[i]);
    name[0] = static_cast<char>(name[0] - 'A' + 'a');
    const std::uint32_t kind = kind_of[i];
    story.question(base::concat("What is ", name, " afraid of?"), kAnimals[feared[kind]].one,
                   {of_name[i], of_kind[kind]});
  }
}

/// Task 16, basic induction: the color of an animal is that of another one of its kind.
void write_induction(base::Random& random, StoryWriter& story) {
  std::array<std::string_view, 5> names = {"Lily", "Brian", "Bernhard", "Greg", "Julius"};
  std::array<std::string_view, 4> kinds = {"swan", "frog", "lion", "rhino"};
  std::array<std::string_view, 4> colors = {"white", "green", "gray", "yellow"};
  shuffle(random, names);
  shuffle(random, kinds);
  shuffle(random, colors);
  // The last animal has no color; its kind is that of the first.
  std::array<std::uint32_t, 5> kind_of{}, kind_line{}, color_line{};
  for (std::uint32_t i = 1; i < 4; ++i) kind_of[i] = random.below(4);
  for (const std::uint32_t place : random.permutation(9)) {
    const std::uint32_t i = place % 5;
    if (place < 5) {
      kind_line[i] = story.statement(base::concat(names[i], " is a ", kinds[kind_of[i]]));
    } else {
      color_line[i] = story.statement(base::concat(names[i], " is ", colors[kind_of[i]]));
    }
  }
  story.question(base::concat("What color is ", names[4], "?"), colors[0],
                 {kind_line[4], kind_line[0], color_line[0]});
}

}  // namespace

std::uint32_t StoryWriter::statement(std::string_view text) {
  text_ += base::concat(++lines_, ' ', text, ".\n");
  return lines_;
}

void StoryWriter::question(std::string_view text, std::string_view answer,
                           std::initializer_list<std::uint32_t> supports) {
  text_ += base::concat(++lines_, ' ', text, " \t", answer, '\t');
  const char* separator = "";
  for (const std::uint32_t number : supports) {
    text_ += base::concat(separator, number);
    separator = " ";
  }
  text_ += '\n';
  ++questions_;
}

void write_story(std::uint32_t task, base::Random& random, StoryWriter& story) {
  switch (task) {
    case 4:
      return write_directions(random, story);
    case 15:
      return write_deduction(random, story);
    case 16:
      return write_induction(random, story);
    default:
      return write_moving_story(task, random, story);
  }
}

}  // namespace awend::tools
