#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "CMutants.h"

// The numbers that the files of the core have, with room for many more.
enum { count = 1 << 18 };
static unsigned char unseen[count];
unsigned char *signet_mutants_seen = unseen;
int signet_mutant = -1;

// SIGNET_MUTANTS_SEEN names a file of that many bytes, which has what was reached even after a crash.
__attribute__((constructor)) static void choose(void) {
  const char *number = getenv("SIGNET_MUTANT"), *path = getenv("SIGNET_MUTANTS_SEEN");
  if (number) signet_mutant = atoi(number);
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *shared = mmap(0, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared != MAP_FAILED) signet_mutants_seen = shared;
  close(file);
}
