// Descriptions of the settings of a struct.  One table lists each setting once: its name, the
// member that holds it, the values that it accepts and its help text.  The options of a program, a
// dump of all settings, the settings in a checkpoint and their validation follow from the table.
//
//   constexpr Field<Config> kFields[] = {
//       integer_field<&Config::layers>({.name = "layers", .help = "number of layers"}, {1, 100}),
//       word_field<kNormWords, &Config::norm>({.name = "norm", .help = "position of the norm"})};
//
// Test: tests/unit/base/field_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/concat.hpp"
#include "base/format.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"

namespace awend::base {

struct Integers {
  std::int64_t min;
  std::int64_t max = 1'000'000'000;
  std::int64_t multiple_of = 1;
};
struct Reals {
  double min;
  double max;
};
struct Words {
  std::vector<std::string_view> (*all)();
};
struct AnyText {};
/// The values that a setting accepts.
using Domain = std::variant<Integers, Reals, Words, AnyText>;

/// Throws Error "must be …, got TEXT" unless `text` is a value of the domain.
void require_in_domain(const Domain& domain, std::string_view text);

/// The items of a list that join(items, ",") wrote; none for an empty text.
std::vector<std::string> split_list(std::string_view text);

enum class DefaultFrom { kStruct, kPreset };
enum class Stored { kAlways, kUnlessDefault };

struct FieldText {
  std::string_view name;
  char letter = 0;  ///< Of its option; 0: none.
  std::string_view metavar = "N";
  std::string_view group = {};  ///< Heading of its option in --help; empty if it has no option.
  std::string_view help = {};
  DefaultFrom default_from = DefaultFrom::kStruct;  ///< kPreset: the default has no fixed value.
  Stored stored = Stored::kAlways;                  ///< In checkpoints.
};

template <class Struct>
struct Field {
  FieldText about;
  Domain domain;
  std::string (*text)(const Struct&);           ///< The value.
  void (*set)(Struct&, std::string_view text);  ///< Requires: require_in_domain().
};

namespace field_details {

template <auto member, auto... members, class Struct>
constexpr auto& member_of(Struct& object) {
  if constexpr (sizeof...(members) == 0) {
    return object.*member;
  } else {
    return member_of<members...>(object.*member);
  }
}

template <class Struct, class Member>
Struct struct_of(Member Struct::*);
template <auto member>
using StructOf = decltype(struct_of(member));

template <auto member, auto... members>
constexpr Field<StructOf<member>> number_field(FieldText about, const Domain& domain) {
  using Struct = StructOf<member>;
  return {about, domain,
          [](const Struct& object) { return concat(member_of<member, members...>(object)); },
          [](Struct& object, std::string_view text) {
            auto& number = member_of<member, members...>(object);
            number = to_number<std::remove_reference_t<decltype(number)>>(text, "a number");
          }};
}

}  // namespace field_details

/// Several members are a path: <&Recipe::adam, &AdamSettings::beta1>.
template <auto member, auto... members>
constexpr auto integer_field(FieldText about, const Integers& domain) {
  return field_details::number_field<member, members...>(about, domain);
}

template <auto member, auto... members>
constexpr auto real_field(FieldText about, const Reals& domain) {
  return field_details::number_field<member, members...>(about, domain);
}

/// `words` is a constant array of Word.
template <const auto& words, auto member, auto... members>
constexpr auto word_field(FieldText about) {
  using Struct = field_details::StructOf<member>;
  const Words domain{texts_of<words>};
  return Field<Struct>{
      about, domain,
      [](const Struct& object) {
        return std::string(word_for(words, field_details::member_of<member, members...>(object)));
      },
      [](Struct& object, std::string_view text) {
        for (const auto& word : words) {
          if (word.text == text) field_details::member_of<member, members...>(object) = word.value;
        }
      }};
}

template <auto member, auto... members>
constexpr auto text_field(FieldText about) {
  using Struct = field_details::StructOf<member>;
  return Field<Struct>{
      about, AnyText{},
      [](const Struct& object) { return field_details::member_of<member, members...>(object); },
      [](Struct& object, std::string_view text) {
        field_details::member_of<member, members...>(object) = text;
      }};
}

/// A vector of strings, separated by commas.
template <auto member, auto... members>
constexpr auto list_field(FieldText about) {
  using Struct = field_details::StructOf<member>;
  return Field<Struct>{about, AnyText{},
                       [](const Struct& object) {
                         return join(field_details::member_of<member, members...>(object), ",");
                       },
                       [](Struct& object, std::string_view text) {
                         field_details::member_of<member, members...>(object) = split_list(text);
                       }};
}

/// Throws Error "NAME must be …, got …" for the first setting whose value is not in its domain.
template <class Struct>
void validate(std::span<const Field<Struct>> fields, const Struct& object) {
  for (const auto& field : fields) {
    try {
      require_in_domain(field.domain, field.text(object));
    } catch (const Error& error) {
      fail(field.about.name, " ", error.what());
    }
  }
}

}  // namespace awend::base
