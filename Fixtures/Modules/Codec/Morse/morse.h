// A small library of C that the module brings along: it knows nothing of plugins.
#ifndef MORSE_H
#define MORSE_H

#include <stddef.h>

/// Writes a text in Morse code, by a table that has a letter, a space and its code a line.
///
/// Returns the bytes that the code has, which may be more than there is room for; letters that the table lacks become "?".
__attribute__((visibility("default"))) size_t morse_encode(
    const char *table, size_t table_count, const char *text, size_t text_count, char *code, size_t room);

#endif
