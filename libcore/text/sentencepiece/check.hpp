// A SentencePiece model's bytes, before its library sees them.
//
// The library trusts what it reads.  A damaged table of its normaliser makes it read outside its
// memory, and so do more than 64 symbols of which each begins with the one before; its self-test
// prints to stderr (all seen with 0.1.97).  What it would take on trust is checked here.  Test:
// tests/fuzz/sentencepiece_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace awend::text {

/// True where a file with these first bytes can be a SentencePiece model: a message that begins
/// with a message that begins with a piece.  A vocabulary, codes, safetensors, gzip or a line of
/// text never does.
bool begins_like_sentencepiece(std::string_view first_bytes);

/// The model without its self-test, which would print what it finds.  Error "name: what" for bytes
/// that are no model or that the library cannot be trusted with.
std::string checked_sentencepiece(std::string_view bytes, const std::string& name);

}  // namespace awend::text
