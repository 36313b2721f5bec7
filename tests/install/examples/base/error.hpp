// A header of a program that has the name of one of awend's.
#pragma once

inline constexpr const char* kOwnHeader = "the program's own header";
