#include <stdbool.h>

// Which mutants were reached, a byte for each number, and which one is switched on.
extern unsigned char *signet_mutants_seen;
extern int signet_mutant;

static inline bool signet_mutant_is_on(int number) {
  signet_mutants_seen[number] = 1;
  return number == signet_mutant;
}
