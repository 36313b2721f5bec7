#include "base/concat.hpp"

#include <charconv>

namespace awend::base {
namespace {

template <class Number>
void append_shortest(std::string& out, Number number) {
  char digits[64];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace

void append_number(std::string& out, std::int64_t number) {
  append_shortest(out, number);
}

void append_number(std::string& out, std::uint64_t number) {
  append_shortest(out, number);
}

void append_number(std::string& out, float number) {
  append_shortest(out, number);
}

void append_number(std::string& out, double number) {
  append_shortest(out, number);
}

}  // namespace awend::base
