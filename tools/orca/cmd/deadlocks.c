#include "tools/orca/cmd/commands.h"

#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/view_command.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/graph.h"

#define TOP 20

static const char usage[] =
    "usage: orca deadlocks [OPTION...] PREFIX\n"
    "\n"
    "Says which threads wait for each other in a ring, with where each waits and where it got "
    "what\n"
    "the one before it waits for, also while the program still hangs in it; which locks are taken\n"
    "in an order that can deadlock, though it did not; who waits for whom at the end.\n"
    "  --at TIME          who waits for whom then, instead: 2.5, 150ms, -1s (before the end), "
    "90%\n";

struct wish {
  struct time_arg at;
};

static const struct time_arg *moment(const void *arg) { return &((const struct wish *)arg)->at; }

/* The moment is looked for in the recording as a whole, where it is known to be. */
static ticks_t moment_of(const struct model *m, const struct wish *wish) {
  const struct recording *r = &m->recording;
  ticks_t at;
  bool asked = wish->at.kind != TIME_NONE;
  return asked && time_arg_resolve(&wish->at, m->dump, r->start, r->end, &at) ? at
                                                                              : WAIT_AT_THE_END;
}

static void put_graph(struct page *p, const struct wait_graph *g, size_t top) {
  struct builder heading = {0};
  const struct recording *r = &g->model->recording;
  builder_string(&heading, "Who waits for a lock, or for a thread to end, ");
  if (g->at == WAIT_AT_THE_END) {
    builder_string(&heading, r->ended ? "at the end" : "when the last line was written");
  } else {
    builder_string(&heading, "at ");
    unit_ticks(&heading, g->at > r->start ? g->at - r->start : 0);
  }
  builder_char(&heading, '\0');
  view_moment(p, g, heading.failed ? "" : heading.data, top);
  builder_free(&heading);
  view_chain(p, g);
  view_broken_rings(p, g, top);
}

static bool take_step(void *to, const struct step *step) { return wait_graph_take(to, step); }

static void put(struct page *p, struct model *m, size_t top, const void *arg) {
  struct wait_graph graph;
  wait_graph_start(&graph, m, moment_of(m, arg));
  bool good = replay(m, REPLAY_LINES, take_step, &graph) && wait_graph_end(&graph);
  if (good && page_is_text(p)) view_filter(&p->out, m, &p->style);
  if (good) {
    view_deadlocks(p, m);
    view_orders(p, m, top);
    put_graph(p, &graph, top);
  }
  if (good && page_is_text(p)) view_graph_limits(&p->out, m, &p->style);
  p->out.failed |= !good;
  wait_graph_free(&graph);
}

static enum args_took take(void *arg, char **argv, int *at, const char **problem,
                           const char **what) {
  struct wish *wish = arg;
  const char *value = args_value("--at", argv, at);
  if (value == NULL) return ARGS_OTHER;
  if (time_arg_read(value, &wish->at)) return ARGS_TOOK;
  *problem = "--at takes " TIME_ARG_TAKES ", not ";
  *what = value;
  return ARGS_WRONG;
}

int cmd_deadlocks(int argc, char **argv) {
  static const struct view_command command = {.name = "deadlocks",
                                              .usage = usage,
                                              .top = TOP,
                                              .several = true,
                                              .take = take,
                                              .put = put,
                                              .moment = moment};
  struct wish wish = {.at = {.kind = TIME_NONE}};
  return view_command(&command, &wish, argc, argv);
}
