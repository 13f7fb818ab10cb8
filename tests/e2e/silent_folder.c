/* A library for LD_PRELOAD with which the folder $ORCA_SILENT_FOLDER does not answer statx, as a
   network file system whose server is away. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((visibility("default"))) long syscall(long number, ...) {
  long (*real)(long, ...);
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  const char *folder = getenv("ORCA_SILENT_FOLDER");
  while (number == SYS_statx && folder != NULL && strcmp((const char *)a[1], folder) == 0) pause();
  *(void **)&real = dlsym(RTLD_NEXT, "syscall");
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
