// A simulation of people who move, and take, drop and give objects.
#include <array>
#include <optional>

#include "base/error.hpp"
#include "recipes/stories.hpp"

namespace awend::tools {
namespace {

constexpr std::array<std::string_view, 4> kMovers = {"Mary", "John", "Daniel", "Sandra"};
constexpr std::array<std::string_view, 4> kGivers = {"Fred", "Jeff", "Bill", "Mary"};
constexpr std::array<std::string_view, 6> kPlaces = {"bathroom", "bedroom", "garden",
                                                     "hallway",  "kitchen", "office"};
constexpr std::array<std::string_view, 3> kObjects = {"football", "milk", "apple"};
constexpr std::array<std::string_view, 5> kMoves = {"moved to", "went to", "went back to",
                                                    "journeyed to", "traveled to"};
constexpr std::array<std::string_view, 4> kTakes = {"picked up", "got", "took", "grabbed"};
constexpr std::array<std::string_view, 4> kDrops = {"dropped", "put down", "discarded", "left"};
constexpr std::array<std::string_view, 3> kGives = {"gave", "handed", "passed"};

constexpr std::uint32_t kQuestions = 5;  // of a story

struct Person {
  std::optional<std::uint32_t> place;
  std::uint32_t moved = 0;  // number of the statement
};

/// A place of an object, and the statement by which it came there.
struct Stay {
  std::uint32_t place, number;
};

struct Object {
  std::optional<std::uint32_t> holder;
  std::uint32_t taken = 0;
  std::vector<Stay> stays;
};

struct Gift {
  std::uint32_t giver, object, receiver, number;
};

class World {
 public:
  World(std::uint32_t task, base::Random& random, StoryWriter& story)
      : task_(task), random_(random), story_(story), names_(task == 5 ? kGivers : kMovers) {}

  void run() {
    while (story_.questions() < kQuestions) {
      const std::uint32_t statements = task_ == 1 ? 2 : 2 + random_.below(task_ == 3 ? 8 : 5);
      for (std::uint32_t i = 0; i < statements; ++i) act();
      ask();
    }
  }

 private:
  std::uint32_t random_index(std::size_t size) {
    return random_.below(static_cast<std::uint32_t>(size));
  }

  void act() {
    const std::uint32_t person = random_index(people_.size());
    if (task_ != 1 && people_[person].place) {
      const std::uint32_t choice = random_.below(10);
      if (task_ == 5 && choice < 7 && give(person)) return;
      if (choice < 5 && handle(person)) return;
    }
    move(person);
  }

  void move(std::uint32_t i) {
    Person& person = people_[i];
    const std::uint32_t place =
        person.place ? (*person.place + 1 + random_.below(5)) % 6 : random_.below(6);
    person.place = place;
    person.moved = story_.statement(
        base::concat(names_[i], ' ', pick(random_, kMoves), " the ", kPlaces[place]));
    for (auto& object : objects_) {
      if (object.holder == i) object.stays.push_back({place, person.moved});
    }
  }

  /// Takes or drops an object; false if the person can do neither.
  bool handle(std::uint32_t person) {
    const std::uint32_t i = random_index(objects_.size());
    Object& object = objects_[i];
    if (object.holder == person) {
      object.taken = story_.statement(
          base::concat(names_[person], ' ', pick(random_, kDrops), " the ", kObjects[i]));
      object.holder.reset();
      return true;
    }
    const std::uint32_t place = *people_[person].place;
    const bool is_here = object.stays.empty() || object.stays.back().place == place;
    if (object.holder || !is_here) return false;
    object.taken = story_.statement(
        base::concat(names_[person], ' ', pick(random_, kTakes), " the ", kObjects[i], " there"));
    object.holder = person;
    if (object.stays.empty()) object.stays.push_back({place, people_[person].moved});
    return true;
  }

  /// Gives an object to someone in the same place; false if the person has none or is alone.
  bool give(std::uint32_t giver) {
    for (std::uint32_t i = 0; i < objects_.size(); ++i) {
      if (objects_[i].holder != giver) continue;
      for (const std::uint32_t other :
           random_.permutation(static_cast<std::uint32_t>(people_.size()))) {
        if (other == giver || people_[other].place != people_[giver].place) continue;
        const auto number =
            story_.statement(base::concat(names_[giver], ' ', pick(random_, kGives), " the ",
                                          kObjects[i], " to ", names_[other]));
        objects_[i].holder = other;
        gift_ = Gift{giver, i, other, number};
        return true;
      }
    }
    return false;
  }

  /// Asks, if something can be asked.
  void ask() {
    if (task_ == 1) return ask_for_person();
    if (task_ == 5) return ask_for_gift();
    for (const std::uint32_t i : random_.permutation(3)) {
      if (task_ == 2 ? ask_for_object(i) : ask_for_earlier_place(i)) return;
    }
  }

  void ask_for_person() {
    for (const std::uint32_t i : random_.permutation(4)) {
      const Person& person = people_[i];
      if (!person.place) continue;
      return story_.question(base::concat("Where is ", names_[i], "?"), kPlaces[*person.place],
                             {person.moved});
    }
  }

  bool ask_for_object(std::uint32_t i) {
    const Object& object = objects_[i];
    if (object.stays.empty()) return false;
    const auto& [place, number] = object.stays.back();
    story_.question(base::concat("Where is the ", kObjects[i], "?"), kPlaces[place],
                    {object.taken, number});
    return true;
  }

  /// The place before the last stay in some place.
  bool ask_for_earlier_place(std::uint32_t i) {
    const auto& stays = objects_[i].stays;
    if (stays.size() < 2) return false;
    std::size_t at = 1 + random_index(stays.size() - 1);
    for (std::size_t later = at + 1; later < stays.size(); ++later) {
      if (stays[later].place == stays[at].place) at = later;
    }
    story_.question(
        base::concat("Where was the ", kObjects[i], " before the ", kPlaces[stays[at].place], "?"),
        kPlaces[stays[at - 1].place], {objects_[i].taken, stays[at - 1].number, stays[at].number});
    return true;
  }

  void ask_for_gift() {
    if (!gift_) return;
    const auto giver = names_[gift_->giver], receiver = names_[gift_->receiver];
    const auto object = kObjects[gift_->object];
    const auto ask = [&](const std::string& text, std::string_view answer) {
      story_.question(text, answer, {gift_->number});
    };
    switch (random_.below(5)) {
      case 0:
        ask(base::concat("What did ", giver, " give to ", receiver, "?"), object);
        break;
      case 1:
        ask(base::concat("Who gave the ", object, " to ", receiver, "?"), giver);
        break;
      case 2:
        ask(base::concat("Who did ", giver, " give the ", object, " to?"), receiver);
        break;
      case 3:
        ask(base::concat("Who gave the ", object, "?"), giver);
        break;
      default:
        ask(base::concat("Who received the ", object, "?"), receiver);
    }
    gift_.reset();  // the next question is about a new gift
  }

  std::uint32_t task_;
  base::Random& random_;
  StoryWriter& story_;
  const std::array<std::string_view, 4>& names_;
  std::array<Person, 4> people_;
  std::array<Object, 3> objects_;
  std::optional<Gift> gift_;
};

}  // namespace

void write_moving_story(std::uint32_t task, base::Random& random, StoryWriter& story) {
  World(task, random, story).run();
}

}  // namespace awend::tools
