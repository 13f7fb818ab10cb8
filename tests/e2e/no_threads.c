/* A library for LD_PRELOAD whose pthread_create fails with EAGAIN, as it does when the process may
   start no further thread. The file $ORCA_NO_THREADS says for whom: "agent" for threads that
   liborca starts itself, "others" for all others, "all" for all; without the file, for none. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_agent(void *(*start)(void *)) {
  Dl_info info;
  return dladdr((void *)start, &info) != 0 && strstr(info.dli_fname, "liborca") != NULL;
}

static int is_refused(void *(*start)(void *)) {
  char who[16] = "";
  const char *path = getenv("ORCA_NO_THREADS");
  FILE *file = path == NULL ? NULL : fopen(path, "re");
  if (file == NULL) return 0;
  if (fscanf(file, "%15s", who) != 1) who[0] = '\0';
  fclose(file);
  return strcmp(who, "all") == 0 || (strcmp(who, "agent") == 0 && is_agent(start)) ||
         (strcmp(who, "others") == 0 && !is_agent(start));
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attr,
                                                          void *(*start)(void *), void *arg) {
  int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
  return is_refused(start) ? EAGAIN : real(thread, attr, start, arg);
}
