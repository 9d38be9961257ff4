// Parts of the system that Swift's own modules leave out on Linux: kinds of file systems, extended attributes, the environment, and the calls that led to a function.
#if defined(__linux__)
#include <sys/vfs.h>
#include <sys/xattr.h>
// Swift refuses a variable that other threads may change.
extern char **environ;
static inline char **signet_environment(void) { return environ; }
#endif
#if defined(__GLIBC__)
#include <execinfo.h>
#endif
