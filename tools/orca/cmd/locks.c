#include "tools/orca/cmd/commands.h"

#include <string.h>

#include "tools/orca/answer/answer.h"
#include "tools/orca/render/view/locks.h"

#define TOP 20

static const char about[] =
    "Prints the contended locks: how often and how long threads were blocked, where, who owned the "
    "lock, and where the owner was meanwhile; then which threads blocked which. Monitors, locks of "
    "java.util.concurrent and semaphores are in one table.\n";

struct locks_options {
  bool by_class, stacks, all;
};

static const struct args_option option_rows[] = {
    {"--by-class", .help = "one row for all locks of the same kind and class",
     .offset = offsetof(struct locks_options, by_class)},
    {"--stack", .help = "with the complete stack of the owner during the longest blocked time",
     .offset = offsetof(struct locks_options, stacks)},
    {"--all", .help = "also locks that no thread waited for; CSV and JSON always have them",
     .offset = offsetof(struct locks_options, all)}};

static void append_tables(struct page *p, const struct view_locks *v, size_t top) {
  size_t before = p->out.len;
  if (page_is_text(p)) view_filter(&p->out, v->model, &p->style);
  size_t start = p->out.len;
  view_locks_of(p, v, top);
  view_contenders(p, v, top);
  if (page_is_text(p) && v->contention->has_given_up) {
    builder_string(&p->out,
                   "\nToo many threads waited at the same time to tell where the holders were.\n");
  }
  if (!page_is_text(p) || p->out.len > start) return;
  if (start > before) builder_char(&p->out, '\n');
  builder_string(&p->out, "No lock was contended, and no acquisition was counted.\n");
}

static void append_locks(struct page *p, struct model *m, size_t top, const void *arg) {
  const struct locks_options *options = arg;
  struct locks merged = {0};
  struct answer a = {0};
  const struct locks *locks = options->by_class ? &merged : &m->locks;
  bool ok = (!options->by_class || locks_by_class(&m->locks, m->dump, &merged)) &&
            answer_read(&a, m, locks);
  struct view_locks view = {.model = m,
                            .locks = locks,
                            .contention = &a.contention,
                            .bounds = options->by_class ? NULL : &a.bounds,
                            .holders = true,
                            .stacks = options->stacks,
                            .all = options->all};
  if (ok) append_tables(p, &view, top);
  p->out.failed |= !ok;
  answer_free(&a);
  locks_free(&merged);
}

const struct command cmd_locks = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct locks_options),
    .run = view_command_run,
    .view = {.top = TOP, .has_several_tables = true, .append = append_locks}};
