// A plugin's source, so that the demonstration has something real to pack.
#include <time.h>

int clock_plugin_hour(void) {
  time_t now = time(0);
  struct tm local;
  return localtime_r(&now, &local) ? local.tm_hour : -1;
}
