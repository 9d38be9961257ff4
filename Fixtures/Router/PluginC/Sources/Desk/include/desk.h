/// What the module desk offers as the service `desk.greeter`: those who want it need this header, and nothing else of the desk.
#ifndef DESK_H
#define DESK_H

#include <stddef.h>
#include <stdint.h>

typedef struct desk_greeter {
  /// Bytes of this structure.
  uint32_t size;
  /// Writes the greeting, without an end, and gives its bytes; 0 when there is no room for it.
  size_t (*greet)(const char *name, size_t count, int64_t age, char *text, size_t room);
} desk_greeter;

#endif
