#include "tools/orca/run/shown_path.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* Returns the part of `path` after "/bazel-out/CONFIGURATION/FOLDER/", NULL if it has no such part.
 */
static const char *find_in_outputs(const char *path, const char *folder) {
  static const char outputs[] = "/bazel-out/";
  const char *at = strstr(path, outputs);
  const char *rest = at == NULL ? NULL : strchr(at + strlen(outputs), '/');
  size_t len = strlen(folder);
  bool is_in = rest != NULL && strncmp(rest + 1, folder, len) == 0 && rest[1 + len] == '/';
  return is_in ? rest + len + 2 : NULL;
}

/* The undeclared outputs of the test as the user names them: "app/cart_test/test.outputs". */
static const char *find_test_outputs(void) {
  const char *folder = getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  return folder == NULL ? NULL : find_in_outputs(folder, "testlogs");
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
  } else if ((rest = find_in_outputs(path, "bin")) != NULL) {
    builder_format(b, "bazel-bin/%s", rest);
  }
  return rest != NULL;
}

void shown_path(struct builder *b, const char *path) {
  char here[PATH_MAX];
  if (append_of_test(b, path)) return;
  const char *rest = getcwd(here, sizeof here) == NULL ? NULL : cut_folder(path, here);
  builder_string(b, rest == NULL ? path : rest);
}
