#include "agent/other_agent.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

struct library {
  size_t number; /* counted down */
  char path[PATH_MAX];
};

/* Ends at the library of this number. The program itself and the vDSO have no path. */
static int find_library(struct dl_phdr_info *info, size_t size, void *arg) {
  struct library *l = arg;
  (void)size;
  if (info->dlpi_name == NULL || strchr(info->dlpi_name, '/') == NULL) return 0;
  if (l->number-- > 0) return 0;
  snprintf(l->path, sizeof l->path, "%s", info->dlpi_name);
  return 1;
}

/* The JVM loads agents so that dlsym(RTLD_DEFAULT, …) does not see them. */
static bool ask_library(const char *path, struct other_agent *out) {
  jint(JNICALL * ask)(void);
  void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (library == NULL) return false;
  *(void **)&ask = dlsym(library, "orca_is_in_charge");
  bool is_other = ask != NULL && ask != orca_is_in_charge && ask() != 0;
  if (is_other) {
    *(void **)&out->attach = dlsym(library, "Agent_OnAttach");
    snprintf(out->path, sizeof out->path, "%s", path);
  }
  dlclose(library);
  return is_other && out->attach != NULL;
}

/* The callback of dl_iterate_phdr must not call dlopen, hence a call for each library. */
bool other_agent_find(struct other_agent *out) {
  for (size_t i = 0;; i++) {
    struct library library = {.number = i};
    if (dl_iterate_phdr(find_library, &library) == 0) return false;
    if (ask_library(library.path, out)) return true;
  }
}
