/* rewrite_tool HOOK IN OUT [N]: inserts hooks into every method of every class file under the
   folder IN. Writes the changed files to the same paths under OUT. With N it rewrites only one of N
   class files. HOOK is the internal name of the class with the hooks, which is not rewritten.

   Prints the number of classes and methods for each result, and a line for each refused method.
   The exit status is 1 if a file could not be read or written, and 2 after a usage error. */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "agent/classfile/weave.h"
#include "tests/agent/classfile/falsehoods.h"

static struct {
  const char *hook, *in, *out;
  unsigned long one_of;
  size_t num_classes, num_changed, num_faults;
  size_t methods[NUM_WEAVE_STATUSES];
  const char *file; /* the current one */
  struct falsehoods falsehoods;
} run;

#define ACC_STATIC 0x0008

static bool is_special(const struct weave_method *m) { return m->name.data[0] == '<'; }

static bool can_have_shortcut(const struct weave_method *m) {
  char returns = m->descriptor.data[m->descriptor.len - 1];
  return !is_special(m) && (returns == 'V' || returns == 'Z') &&
         m->descriptor.data[m->descriptor.len - 2] == ')';
}

/* Selects every kind of hook that the method can have. */
static bool choose_all_hooks(void *context, const struct weave_method *m,
                             struct weave_hooking *out) {
  (void)context;
  *out = (struct weave_hooking){.id = (int32_t)(run.num_classes % 100000),
                                .enter = ENTER_LOCAL_ZERO,
                                .exit = EXIT_VALUE,
                                .monitors = true};
  if (m->access & ACC_STATIC) return true;
  out->at_entry = (struct weave_static){run.hook, "count"};
  if (is_special(m)) out->at_returns = (struct weave_static){run.hook, "made"};
  if (can_have_shortcut(m)) out->shortcut = falsehoods_for(&run.falsehoods, m);
  return true;
}

static void count_status(void *context, const struct weave_method *m, enum weave_status status) {
  (void)context;
  run.methods[status]++;
  if (status == WEAVE_WOVEN || status == WEAVE_NO_CODE) return;
  printf("refused: %s %.*s%.*s: %s\n", run.file, (int)m->name.len, m->name.data,
         (int)m->descriptor.len, m->descriptor.data, weave_status_text(status));
}

static void report_fault(const char *path) {
  fprintf(stderr, "rewrite_tool: %s: %s\n", path, strerror(errno));
  run.num_faults++;
}

static bool read_file(const char *path, size_t size, struct builder *out) {
  FILE *f = fopen(path, "rb");
  char *room = builder_room(out, size);
  bool good = f != NULL && room != NULL && fread(room, 1, size, f) == size;
  if (good) out->len += size;
  if (f != NULL) fclose(f);
  return good;
}

static void make_folders(char *path) {
  for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = '\0';
    mkdir(path, 0777);
    *slash = '/';
  }
}

static bool write_file(const char *path, const struct builder *bytes) {
  FILE *f = fopen(path, "wb");
  if (f == NULL) return false;
  bool good = fwrite(bytes->data, 1, bytes->len, f) == bytes->len;
  return fclose(f) == 0 && good;
}

static void write_out(const char *file, const struct builder *bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", run.out, file);
  make_folders(path);
  if (!write_file(path, bytes)) report_fault(path);
}

/* Writes the class with the shortcuts' callees to the folder of java.base. */
static void write_falsehoods(void) {
  char file[128];
  struct builder bytes = {0};
  snprintf(file, sizeof file, "java.base/%s.class", run.falsehoods.class_name);
  falsehoods_put(&run.falsehoods, &bytes);
  write_out(file, &bytes);
  builder_free(&bytes);
  falsehoods_next(&run.falsehoods);
}

static void begin_falsehoods(void) {
  if (falsehoods_begin(&run.falsehoods)) return;
  write_falsehoods();
  falsehoods_begin(&run.falsehoods);
}

static void rewrite_class(const struct builder *in) {
  const struct weave_hooks hooks = {run.hook,       "enter",          "exit",       "thrown",
                                    "monitorEnter", "monitorEntered", "monitorExit"};
  const struct weave_chooser chooser = {choose_all_hooks, count_status, NULL};
  struct builder out = {0};
  run.num_classes++;
  begin_falsehoods();
  enum weave_status status = weave_class((struct span){in->data, in->len}, &hooks, &chooser, &out);
  if (status == WEAVE_WOVEN) {
    run.num_changed++;
    write_out(run.file, &out);
  } else if (status != WEAVE_ABSENT) {
    printf("refused: %s: %s\n", run.file, weave_status_text(status));
  }
  builder_free(&out);
}

static bool ends_with(const char *text, const char *end) {
  size_t len = strlen(text), end_len = strlen(end);
  return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* Is it the class with the hooks: ".../java/lang/Hook.class"? */
static bool is_hook(const char *path) {
  char end[512];
  snprintf(end, sizeof end, "%s.class", run.hook);
  return ends_with(path, end);
}

/* Is it one of the rewritten classes? The same classes are rewritten in every run. */
static bool is_in_sample(const char *path) {
  unsigned long hash = 0;
  for (; *path != '\0'; path++) hash = hash * 31 + (unsigned char)*path;
  return hash % run.one_of == 0;
}

static int visit_file(const char *path, const struct stat *info, int type, struct FTW *where) {
  (void)where;
  if (type != FTW_F || !ends_with(path, ".class") || is_hook(path)) return 0;
  struct builder in = {0};
  run.file = path + strlen(run.in) + 1;
  if (!is_in_sample(run.file)) return 0;
  if (read_file(path, (size_t)info->st_size, &in)) {
    rewrite_class(&in);
  } else {
    report_fault(path);
  }
  builder_free(&in);
  return 0;
}

int main(int argc, char **argv) {
  run.one_of = argc == 5 ? strtoul(argv[4], NULL, 10) : 1;
  if (argc < 4 || argc > 5 || run.one_of == 0) {
    fprintf(stderr, "usage: rewrite_tool HOOK IN OUT [N]\n");
    return 2;
  }
  run.hook = argv[1];
  run.in = argv[2];
  run.out = argv[3];
  if (nftw(run.in, visit_file, 64, FTW_PHYS) != 0) report_fault(run.in);
  write_falsehoods();
  printf("%zu classes, %zu changed\n", run.num_classes, run.num_changed);
  for (int s = 0; s < NUM_WEAVE_STATUSES; s++) {
    if (run.methods[s] == 0) continue;
    printf("%9zu methods: %s\n", run.methods[s], weave_status_text((enum weave_status)s));
  }
  return run.num_faults == 0 ? 0 : 1;
}
