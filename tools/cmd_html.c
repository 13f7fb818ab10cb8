#include "tools/cmd_html.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/base/log.h"
#include "tools/args.h"
#include "tools/html/html.h"
#include "tools/on_dump.h"

static const char usage[] =
    "usage: orca html PREFIX [-o FILE]\n"
    "\n"
    "Writes one page for a browser, which needs nothing else: what hurts in words, a flame graph "
    "of\n"
    "CPU time, of time on the clock, of blocking and waiting, the threads over time and who kept\n"
    "whom waiting, the locks, deadlocks, and the events.\n"
    "PREFIX is that of the files PREFIX.orca, PREFIX.methods, ...; the name of one will do.\n"
    "  -o FILE   where to; - for the standard output (PREFIX.html)\n"
    "Exit status: 0 done, 1 something in the files is broken or FILE cannot be written, 2 wrong "
    "use\n"
    "or no such dump.\n";

/* --- writing ------------------------------------------------------------------------- */

static bool write_out(FILE *out, const struct builder *page) {
  return fwrite(page->data, 1, page->len, out) == page->len;
}

/* A page that is not whole is of no use, but what is left shows how far it came. */
static bool write_file(const char *name, const struct builder *page) {
  FILE *out = fopen(name, "w");
  bool good = out != NULL && write_out(out, page);
  int error = errno;
  if (out != NULL && fclose(out) != 0) {
    if (good) error = errno;
    good = false;
  }
  if (!good) log_line("html: cannot write %s: %s", name, strerror(error));
  return good;
}

/* `name` NULL: PREFIX.html */
static bool write_page(const struct model *m, const char *name, const struct builder *page) {
  struct builder own = {0};
  if (name != NULL && strcmp(name, "-") == 0) return write_out(stdout, page);
  if (name != NULL) return write_file(name, page);
  builder_string(&own, dump_prefix(m->dump));
  builder_string(&own, ".html");
  builder_char(&own, '\0');
  bool good = !own.failed && write_file(own.data, page);
  builder_free(&own);
  return good;
}

static int html(struct dump *d, const void *name) {
  struct model model;
  struct builder page = {0};
  bool made = model_read(&model, d, NULL) && html_write(&page, &model);
  bool good = made && write_page(&model, name, &page);
  model_free(&model);
  builder_free(&page);
  if (!made) log_line("html: needs more memory than there is");
  return good && dump_faults(d)->num == 0 ? DONE : WRONG;
}

/* --- the command line ---------------------------------------------------------------- */

static int misused(const char *problem, const char *what) {
  log_line("html: %s%s", problem, what);
  fputs(usage, stderr);
  return MISUSED;
}

int cmd_html(int argc, char **argv) {
  const char *prefix = NULL, *name = NULL;
  for (int at = 1; at < argc; at++) {
    const char *word = argv[at];
    if (args_is_help(word)) {
      fputs(usage, stdout);
      return DONE;
    }
    if (word[0] == '-') {
      name = args_value("-o", argv, &at);
      if (name == NULL) return misused("no such option, or its value is missing: ", word);
    } else if (prefix != NULL) {
      return misused("one dump at a time, not also ", word);
    } else {
      prefix = word;
    }
  }
  if (prefix == NULL) return misused("which dump? PREFIX is missing", "");
  return on_dump(prefix, html, name);
}
