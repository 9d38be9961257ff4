// Parts of the system that Swift's own modules leave out on Linux: kinds of file systems, and the calls that led to a function.
#if defined(__linux__)
#include <sys/vfs.h>
#endif
#if defined(__GLIBC__)
#include <execinfo.h>
#endif
