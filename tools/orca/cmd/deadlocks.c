#include "tools/orca/cmd/commands.h"

#include "tools/orca/answer/answer.h"
#include "tools/orca/cmd/fail_if.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/findings.h"
#include "tools/orca/render/view/graph.h"

#define TOP 20

static const char about[] =
    "Prints deadlocks, also of a program that still hangs: the threads of each cycle, where each "
    "waits, who holds the lock, and where the holder acquired it. Then threads that hang or are "
    "stuck for another reason, lock orders that can deadlock, and who waits for whom at the end.\n";

struct deadlocks_options {
  struct time_arg at;
  bool fails_if_deadlock;
};

static const struct args_option option_rows[] = {
    {"--at", "TIME",
     "who waits for whom at this time instead: 2.5, 150ms, 90%, -1s (before the end)",
     view_args_parse_time, offsetof(struct deadlocks_options, at),
     "--at takes " TIME_ARG_EXAMPLES ", not "},
    FAIL_IF_ROW(struct deadlocks_options, fails_if_deadlock)};

static int judge_deadlocks(const struct model *m, const void *arg) {
  return fail_if_judge(m, ((const struct deadlocks_options *)arg)->fails_if_deadlock);
}

static const struct time_arg *get_graph_time(const void *arg) {
  return &((const struct deadlocks_options *)arg)->at;
}

static void append_graph(struct page *p, const struct wait_graph *g, size_t top) {
  struct builder heading = {0};
  const struct recording *r = &g->model->recording;
  builder_string(&heading, "Who waits for a lock, or for a thread to end, ");
  if (g->at == WAIT_AT_THE_END) {
    builder_string(&heading,
                   r->ended && !r->went_on ? "at the end" : "when the last line was written");
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

static void append_stopped(struct page *p, struct model *m) {
  struct answer a;
  p->out.failed |= !answer_read_stopped(&a, m);
  view_stopped(p, &a);
  answer_free(&a);
}

static bool add_step(void *to, const struct step *step) { return wait_graph_take(to, step); }

static void append_deadlocks(struct page *p, struct model *m, size_t top, const void *arg) {
  const struct deadlocks_options *options = arg;
  const struct recording *r = &m->recording;
  struct wait_graph graph;
  ticks_t at;
  /* view_command_run has checked that the time is in the recording. */
  if (options->at.kind == TIME_NONE ||
      !time_arg_resolve(&options->at, m->dump, r->start, r->end, &at)) {
    at = WAIT_AT_THE_END;
  }
  wait_graph_start(&graph, m, at);
  bool ok = replay(m, REPLAY_LINES, add_step, &graph) && wait_graph_end(&graph);
  if (ok && page_is_text(p)) view_filter(&p->out, m, &p->style);
  if (ok) {
    view_deadlocks(p, m);
    if (page_is_text(p)) append_stopped(p, m);
    view_hang(p, m, top);
    view_orders(p, m, top);
    append_graph(p, &graph, top);
  }
  if (ok && page_is_text(p)) view_graph_limits(&p->out, m, &p->style);
  p->out.failed |= !ok;
  wait_graph_free(&graph);
}

const struct command cmd_deadlocks = {.about = about,
                                      COMMAND_OPTIONS(option_rows, struct deadlocks_options),
                                      .statuses = FAIL_IF_STATUSES,
                                      .run = view_command_run,
                                      .view = {.top = TOP,
                                               .has_several_tables = true,
                                               .append = append_deadlocks,
                                               .get_moment = get_graph_time,
                                               .judge = judge_deadlocks}};
