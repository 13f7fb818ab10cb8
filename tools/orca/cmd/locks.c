#include "tools/orca/cmd/commands.h"

#include <string.h>

#include "tools/orca/cmd/view_command.h"
#include "tools/orca/render/view/locks.h"

#define TOP 20

static const char usage[] =
    "usage: orca locks [OPTION...] PREFIX\n"
    "\n"
    "Says which locks threads had to wait for, how often and how long, where, who held them and\n"
    "where those were meanwhile, and which threads stood in the way of which. Monitors, locks of\n"
    "java.util.concurrent and semaphores stand in one table.\n"
    "  --by-class         all locks of a sort and class as one\n"
    "  --stack            with the whole stack of the holder, where it was longest\n";

struct wish {
  bool by_class, stacks;
};

static void put_all(struct page *p, const struct view_locks *v, size_t top) {
  size_t before = p->out.len;
  if (page_is_text(p)) view_filter(&p->out, v->model, &p->style);
  size_t start = p->out.len;
  view_locks_of(p, v, top);
  view_contenders(p, v, top);
  if (!page_is_text(p) || p->out.len > start) return;
  if (start > before) builder_char(&p->out, '\n');
  builder_string(&p->out, "No lock was waited for, and none was counted.\n");
}

static void put(struct page *p, struct model *m, size_t top, const void *arg) {
  const struct wish *wish = arg;
  struct locks by_class = {0};
  struct contention contention = {0};
  const struct locks *locks = wish->by_class ? &by_class : &m->locks;
  bool good = (!wish->by_class || locks_by_class(&m->locks, m->dump, &by_class)) &&
              contention_read(&contention, m, locks);
  if (good) put_all(p, &(struct view_locks){m, locks, &contention, wish->stacks}, top);
  p->out.failed |= !good;
  contention_free(&contention);
  locks_free(&by_class);
}

static enum args_took take(void *arg, char **argv, int *at, const char **problem,
                           const char **what) {
  struct wish *wish = arg;
  (void)problem, (void)what;
  bool by_class = strcmp(argv[*at], "--by-class") == 0, stacks = strcmp(argv[*at], "--stack") == 0;
  wish->by_class |= by_class;
  wish->stacks |= stacks;
  return by_class || stacks ? ARGS_TOOK : ARGS_OTHER;
}

int cmd_locks(int argc, char **argv) {
  static const struct view_command command = {
      .name = "locks", .usage = usage, .top = TOP, .several = true, .take = take, .put = put};
  struct wish wish = {false, false};
  return view_command(&command, &wish, argc, argv);
}
