#include "tools/orca/cmd/view_command.h"

#include <stdio.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/digest/digest.h"
#include "tools/orca/model/unmatched.h"
#include "tools/orca/render/view/view.h"

#define MAX_SIDES 2

/* --- messages ---------------------------------------------------------------------------- */

/* Prints `why` to stderr unless it is empty, and frees it. Returns whether it printed. */
static bool print_and_free(const char *name, struct builder *why) {
  bool has_text = why->len > 0;
  if (has_text) log_line("%s: %.*s", name, (int)why->len, why->data);
  builder_free(why);
  return has_text;
}

void view_command_print_miss(const char *name, const struct matcher *m,
                             const struct threads *threads, bool found) {
  struct builder why = {0};
  if (!m->active) return;
  unmatched_write(&why, m, threads, found);
  print_and_free(name, &why);
}

bool view_command_print_no_method(const char *name, const struct dump *d, const char *pattern) {
  struct builder why = {0};
  unmatched_write_method(&why, d, pattern);
  return print_and_free(name, &why);
}

/* --- reading ----------------------------------------------------------------------------- */

/* Whether nothing matches the filters. A pair or a thread may span a time range without lines. */
static bool is_empty(const struct model *m) {
  const struct recording *r = &m->recording;
  return m->matcher.active && r->num_events + r->samples == 0 &&
         m->threads.num + m->stalls.num + m->locks.num == 0;
}

/* Appends what messages begin with, and a final zero: "hot"; of one of two recordings "html:
   /tmp/shop". */
static void put_name(struct builder *b, const struct call *call, const struct dump *d) {
  builder_string(b, call->name);
  if (call->num > 1) builder_format(b, ": %s", dump_prefix(d));
  builder_char(b, '\0');
}

enum view_read view_command_read_model(const struct call *call, struct view_side *side) {
  const struct filter *filter = &side->args.filter;
  struct model *m = &side->model;
  struct builder name = {0};
  /* is_empty and view_next_question look at parts of the model that the view itself may not show.
   */
  bool needs_all =
      call->command->view.analyses == 0 || filter_is_active(filter) || call->view.is_brief;
  analyses_t set = needs_all ? ALL_ANALYSES : call->command->view.analyses;
  put_name(&name, call, side->open.dump);
  bool good = !name.failed && model_read(m, side->open.dump, filter, set);
  side->is_found = good && !is_empty(m);
  if (good) view_command_print_miss(name.data, &m->matcher, &m->threads, side->is_found);
  if (!good) log_line("%s: out of memory", call->name);
  builder_free(&name);
  if (!good) return VIEW_NO_MEMORY;
  return side->is_found ? VIEW_FOUND : VIEW_NOTHING;
}

/* A digest has no lines that a filter could select. Returns the exit status. */
static int fill_from_digest(const struct call *call, struct view_side *side) {
  struct dump *d = side->open.dump;
  side->is_found = true;
  if (view_args_has_filter(&call->view)) {
    log_line("%s: filters need recordings, and %s is a digest", call->name, dump_prefix(d));
    return MISUSED;
  }
  if (digest_fill(&side->model, d, side->open.digest)) return DONE;
  log_line("%s: out of memory", call->name);
  return WRONG;
}

/* Opens a recording, and reads it unless `show` does. Returns the exit status. */
static int open_side(const struct call *call, struct view_side *side, const char *prefix) {
  const struct view_command *v = &call->command->view;
  struct builder why = {0};
  side->args = call->view;
  side->open.takes_digest = v->append_comparison != NULL;
  if (!dump_command_open(&side->open, prefix)) return MISUSED;
  if (side->open.digest != NULL) return fill_from_digest(call, side);
  struct dump *d = side->open.dump;
  bool ok =
      view_args_resolve(&side->args, d, &why) &&
      (v->get_moment == NULL || view_args_check_moment(d, v->get_moment(call->options), &why));
  print_and_free(call->name, &why);
  if (!ok) return MISUSED;
  if (v->show != NULL) return DONE;
  return view_command_read_model(call, side) == VIEW_NO_MEMORY ? WRONG : DONE;
}

/* --- printing ---------------------------------------------------------------------------- */

/* Prints the view of the recording, or the comparison of both. Returns the exit status. */
static int print_page(const struct call *call, struct view_side *sides) {
  const struct view_command *v = &call->command->view;
  const struct view_args *args = &call->view;
  struct page page;
  /* CSV and JSON contain all rows by default. */
  size_t default_top = args->format == FORMAT_TEXT ? v->top : SIZE_MAX;
  size_t top = args->top > 0 ? args->top : default_top;
  page_start(&page, STDOUT_FILENO, args->format, v->has_several_tables);
  if (args->is_brief) page_make_brief(&page);
  page_put_schema(&page);
  if (call->num == 1) view_source(&page, sides[0].open.dump);
  if (v->append_comparison == NULL) {
    v->append(&page, &sides[0].model, top, call->options);
  } else {
    page.out.failed |=
        !v->append_comparison(&page, &sides[0].model, &sides[1].model, top, call->options);
  }
  if (call->num == 1 && page.is_brief && page_is_text(&page)) {
    view_next_question(&page.out, &sides[0].model, call->name);
  }
  if (page_print(&page)) {
    if (page.missed) return WRONG;
    if (page.has_broken_limit) return BROKEN;
    return v->judge == NULL ? DONE : v->judge(&sides[0].model, call->options);
  }
  log_line("%s: out of memory", call->name);
  return WRONG;
}

/* If nothing matches the filters, prints no text, but empty tables as CSV and JSON. It is enough if
   something in one of two recordings matches. Returns the exit status. */
static int print_result(const struct call *call, struct view_side *sides) {
  if (call->command->view.show != NULL) return call->command->view.show(call, sides);
  bool is_found = sides[0].is_found || sides[1].is_found;
  if (!is_found && call->view.format == FORMAT_TEXT) return WRONG;
  int status = print_page(call, sides);
  return is_found ? status : WRONG;
}

/* Both recordings of a comparison stay open until everything is printed. The faults of the files
   come last. */
static int show_sides(const struct call *call) {
  struct view_side sides[MAX_SIDES] = {0};
  int status = DONE;
  for (size_t i = 0; i < call->num && status == DONE; i++) {
    status = open_side(call, &sides[i], call->operands[i]);
  }
  if (status == DONE) status = print_result(call, sides);
  for (size_t i = call->num; i > 0; i--) {
    struct view_side *side = &sides[i - 1];
    if (side->open.dump == NULL) continue;
    model_free(&side->model);
    status = dump_command_end(call->name, side->open.dump, status);
    dump_command_close(&side->open);
  }
  return status;
}

/* Views of several recordings, one after the other. Returns the first exit status that is not 0,
   but DEADLOCKED before every other one: no fault of another recording may hide it. */
static int show_each(const struct call *call) {
  int status = DONE;
  if (call->view.format != FORMAT_TEXT) {
    log_line("%s: csv and json describe one recording", call->name);
    return MISUSED;
  }
  for (size_t i = 0; i < call->num; i++) {
    struct call one = *call;
    one.operands = call->operands + i;
    one.num = 1;
    printf("%sRecording %s\n", i > 0 ? "\n" : "", one.operands[0]);
    int end = show_sides(&one);
    if (status == DONE || end == DEADLOCKED) status = end;
  }
  return status;
}

int view_command_run(struct call *call) {
  const struct view_command *v = &call->command->view;
  bool is_one_view = v->show != NULL || v->append_comparison != NULL || call->num == 1;
  return is_one_view ? show_sides(call) : show_each(call);
}
