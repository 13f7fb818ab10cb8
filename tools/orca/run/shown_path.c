#include "tools/orca/run/shown_path.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* Returns the part of `path` from "bazel-out/" on, NULL if Bazel did not build the file. Other than
   bazel-bin, the link bazel-out of the workspace has the files of all configurations. */
static const char *find_built(const char *path) {
  const char *at = strstr(path, "/bazel-out/");
  return at == NULL ? NULL : at + 1;
}

/* The undeclared outputs of the test as the user names them: "app/cart_test/test.outputs". NULL:
   this is no test, or not one of Bazel. */
static const char *find_test_outputs(void) {
  static const char testlogs[] = "/testlogs/";
  const char *folder = getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  const char *built = folder == NULL ? NULL : find_built(folder);
  const char *rest = built == NULL ? NULL : strchr(built + strlen("bazel-out/"), '/');
  bool is_in = rest != NULL && strncmp(rest, testlogs, strlen(testlogs)) == 0;
  return is_in ? rest + strlen(testlogs) : NULL;
}

bool shown_path_is_test(void) { return find_test_outputs() != NULL; }

/* Returns what follows `folder` in a path below it, NULL for other paths. */
static const char *cut_folder(const char *path, const char *folder) {
  size_t len = strlen(folder);
  return strncmp(path, folder, len) == 0 && path[len] == '/' ? path + len + 1 : NULL;
}

static bool append_of_test(struct builder *b, const char *path) {
  const char *outputs = find_test_outputs(), *rest;
  if (outputs == NULL) return false;
  if ((rest = cut_folder(path, getenv("TEST_UNDECLARED_OUTPUTS_DIR"))) != NULL) {
    builder_format(b, "bazel-testlogs/%s/%s", outputs, rest);
  } else if ((rest = find_built(path)) != NULL) {
    builder_string(b, rest);
  }
  return rest != NULL;
}

void shown_path(struct builder *b, const char *path) {
  char here[PATH_MAX];
  if (append_of_test(b, path)) return;
  const char *rest = getcwd(here, sizeof here) == NULL ? NULL : cut_folder(path, here);
  builder_string(b, rest == NULL ? path : rest);
}
