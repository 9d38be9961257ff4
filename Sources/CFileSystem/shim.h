// What kind of file system a file lies on: Swift's own modules leave this out on Linux.
#if defined(__linux__)
#include <sys/vfs.h>
#endif
