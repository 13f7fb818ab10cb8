#include <stdio.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/render/view/view.h"
#include "tools/orca/render/view/whatif.h"

#define MAX_EDITS (NUM_EDIT_KINDS * EDITS_OF_KIND)

static const char about[] =
    "Predicts how much faster the program would be with an edit: it plays the recording again, "
    "with and without the edits, and says what limits the speed then. With several edits, all are "
    "made. Without an edit it says what limits the speed now.\n"
    "LOCK is a class, class@hash, hash or title, as for --lock. METHOD is a pattern such as price, "
    "OrderService.* or 'com.acme.*.price'. POOL is what the names of its threads begin with: "
    "pool-2, worker-….\n";

struct whatif_options {
  struct edit_texts edits[NUM_EDIT_KINDS];
  const char *work; /* NULL: the end of main */
  bool makes_plan;
};

static bool parse_edit(const char *text, void *target) {
  struct edit_texts *texts = target;
  if (texts->num == EDITS_OF_KIND) return false;
  texts->texts[texts->num++] = text;
  return true;
}

#define EDIT(id, key, value, parts, amount, form, words, help)                     \
  {"--" key,                                                                       \
   value,                                                                          \
   help,                                                                           \
   parse_edit,                                                                     \
   offsetof(struct whatif_options, edits) + EDIT_##id * sizeof(struct edit_texts), \
   "--" key " can be given 16 times, not also with "},

static const struct args_option option_rows[] = {
#include "tools/orca/causal/whatif/edit.def"
    {"--plan", NULL,
     "the edit that gains most, then the best one on top of it, and so on, until none gains 3 %",
     NULL, offsetof(struct whatif_options, makes_plan), NULL},
    {"--work", "METHOD",
     "measure from the first call of this method, which the option track has to record, to the end "
     "of "
     "the last one; otherwise until main ends, or for a service the time for as much work as was "
     "recorded",
     args_parse_text, offsetof(struct whatif_options, work), NULL}};

/* --- edits -------------------------------------------------------------------------------- */

struct edits {
  struct edit rows[MAX_EDITS];
  size_t num;
};

/* Returns whether all edits can be parsed. */
static bool check_edits(const struct whatif_options *options, struct refusal *why) {
  for (unsigned kind = 0; kind < NUM_EDIT_KINDS; kind++) {
    for (size_t i = 0; i < options->edits[kind].num; i++) {
      struct edit e;
      const struct edit_info *info = &edit_infos[kind];
      const char *given = options->edits[kind].texts[i];
      bool is_good = edit_parse(&e, (enum edit_kind)kind, given);
      edit_free(&e);
      if (!is_good) return refuse(why, "--%s %s, not %s", info->key, info->form, given);
    }
  }
  return true;
}

static bool check_options(const struct call *call, struct refusal *why) {
  const struct whatif_options *options = call->options;
  bool has_edits = false;
  for (unsigned kind = 0; kind < NUM_EDIT_KINDS; kind++) has_edits |= options->edits[kind].num > 0;
  if (!check_edits(options, why)) return false;
  if (options->makes_plan && has_edits) {
    return refuse(why, "--plan finds the edits itself, so it takes no other edit");
  }
  return !view_args_has_filter(&call->view) ||
         refuse(why, "the simulation needs the whole recording, so there are no filters");
}

static bool add_edits(const struct whatif_options *options, struct edits *edits) {
  bool good = true;
  for (unsigned kind = 0; kind < NUM_EDIT_KINDS; kind++) {
    for (size_t i = 0; i < options->edits[kind].num; i++) {
      good &= edit_parse(&edits->rows[edits->num++], (enum edit_kind)kind,
                         options->edits[kind].texts[i]);
    }
  }
  return good;
}

/* Prints what does not exist. Returns false then, or when memory ran out. */
static bool apply_edits(const struct whatif *w, struct edits *edits, struct edited *edited) {
  struct builder why = {0};
  enum edit_result result = edited_start(edited, &w->script) ? EDIT_DONE : EDIT_NO_MEMORY;
  for (size_t i = 0; i < edits->num && result == EDIT_DONE; i++) {
    result = edited_add(edited, &w->script, &edits->rows[i], &why);
  }
  if (result == EDIT_NO_MATCH) log_line("whatif: %.*s", (int)why.len, why.data);
  if (result == EDIT_NO_MEMORY) log_line("whatif: out of memory");
  builder_free(&why);
  return result == EDIT_DONE;
}

/* --- the command -------------------------------------------------------------------------- */

static int print_page(const struct view_whatif *v, const struct view_args *args) {
  struct page page;
  page_start(&page, STDOUT_FILENO, args->format, false);
  if (args->is_brief) page_make_brief(&page);
  page_put_schema(&page);
  view_whatif(&page, v);
  if (page.is_brief && page_is_text(&page)) {
    view_next_question(&page.out, v->whatif->trace.model, "whatif");
  }
  if (!page_print(&page)) {
    log_line("whatif: out of memory");
    return WRONG;
  }
  bool is_refused = v->whatif->refusal != REFUSAL_NONE ||
                    (v->prediction != NULL && v->prediction->refusal != REFUSAL_NONE);
  return is_refused ? WRONG : DONE;
}

static int predict(const struct whatif *w, struct edits *edits, const struct view_args *args) {
  struct edited edited = {0};
  struct prediction prediction = {0};
  struct view_whatif view = {w, edits->rows, edits->num, NULL, NULL};
  int status = WRONG;
  if (w->refusal != REFUSAL_NONE) {
    status = print_page(&view, args);
  } else if (apply_edits(w, edits, &edited)) {
    bool good = whatif_predict(w, &edited.changes, true, &prediction);
    view.prediction = &prediction;
    if (good) status = print_page(&view, args);
    if (!good) log_line("whatif: out of memory");
  }
  edited_free(&edited);
  return status;
}

static int make_plan(const struct whatif *w, const struct view_args *args) {
  struct plan plan = {0};
  int status = WRONG;
  if (w->refusal == REFUSAL_NONE && !plan_make(&plan, w)) {
    log_line("whatif: out of memory");
  } else {
    status = print_page(&(struct view_whatif){w, NULL, 0, NULL, &plan}, args);
  }
  plan_free(&plan);
  return status;
}

static int run_whatif(struct model *m, const struct view_args *args,
                      const struct whatif_options *options) {
  if (options->work != NULL && view_command_print_no_method("whatif", m->dump, options->work))
    return WRONG;
  struct edits edits = {.num = 0};
  struct whatif w = {0};
  int status = WRONG;
  bool good = add_edits(options, &edits) && whatif_start(&w, m, options->work);
  if (!good) {
    log_line("whatif: out of memory");
  } else if (options->work != NULL && w.refusal == REFUSAL_NONE && w.script.goal != GOAL_CALLS) {
    log_line("whatif: no call of %s was recorded; record with track=", options->work);
  } else {
    status = options->makes_plan ? make_plan(&w, args) : predict(&w, &edits, args);
  }
  whatif_free(&w);
  for (size_t i = 0; i < edits.num; i++) edit_free(&edits.rows[i]);
  return status;
}

static int show_whatif(const struct call *call, struct view_side *sides) {
  return view_command_read_model(call, sides) == VIEW_FOUND
             ? run_whatif(&sides->model, &sides->args, call->options)
             : WRONG;
}

const struct command cmd_whatif = {.about = about,
                                   COMMAND_OPTIONS(option_rows, struct whatif_options),
                                   .check = check_options,
                                   .run = view_command_run,
                                   .view = {.show = show_whatif}};
