#include "morse.h"

#include <string.h>

static const char *line_of(const char *table, size_t count, char letter, size_t *length) {
  const char *end = table + count;
  while (table < end) {
    const char *next = memchr(table, '\n', (size_t)(end - table));
    if (next == NULL) { next = end; }
    if (next - table > 2 && table[0] == letter && table[1] == ' ') {
      *length = (size_t)(next - table) - 2;
      return table + 2;
    }
    table = next < end ? next + 1 : end;
  }
  *length = 1;
  return "?";
}

size_t morse_encode(
    const char *table, size_t table_count, const char *text, size_t text_count, char *code, size_t room) {
  size_t used = 0;
  for (size_t index = 0; index < text_count; index += 1) {
    size_t length = 0;
    const char *letter = line_of(table, table_count, text[index], &length);
    if (index > 0) {
      if (used < room) { code[used] = ' '; }
      used += 1;
    }
    if (used <= room && room - used >= length) { memcpy(code + used, letter, length); }
    used += length;
  }
  return used;
}
