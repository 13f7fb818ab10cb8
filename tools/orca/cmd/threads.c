#include "tools/orca/cmd/commands.h"

#include "tools/orca/cmd/view_command.h"
#include "tools/orca/render/view/process.h"
#include "tools/orca/render/view/threads.h"

#define TOP 40
#define SPANS_A_STEP 8 /* so that a step tells well enough which state took most of it */

static const char usage[] =
    "usage: orca threads [OPTION...] PREFIX\n"
    "\n"
    "Says what the threads did with their time: how long each lived, ran, was blocked, waited and\n"
    "slept, how often, and when. Calls that block are exact; what lies between them is known by\n"
    "the samples.\n";

static bool take(void *to, const struct step *step) { return timeline_take(to, step); }

static void put(struct page *p, struct model *m, size_t top, const void *wish) {
  struct timeline timeline = {0};
  size_t shown = m->threads.num < top ? m->threads.num : top;
  size_t spans = shown * view_lanes_steps(&p->style) * SPANS_A_STEP;
  (void)wish;
  bool good = timeline_start(&timeline, m, top, spans) &&
              replay(m, REPLAY_LINES, take, &timeline) && timeline_end(&timeline);
  if (good && page_is_text(p)) view_filter(&p->out, m, &p->style);
  bool whole = good && m->process.known && p->format != FORMAT_CSV; /* which has one table */
  if (whole) view_owners(p, m);
  if (good) view_thread_states(p, m, &timeline);
  if (whole) view_tasks(p, m, top);
  if (good && page_is_text(p)) view_lanes(&p->out, m, &p->style, &timeline);
  p->out.failed |= !good;
  timeline_free(&timeline);
}

int cmd_threads(int argc, char **argv) {
  static const struct view_command command = {
      .name = "threads", .usage = usage, .top = TOP, .put = put};
  return view_command(&command, NULL, argc, argv);
}
