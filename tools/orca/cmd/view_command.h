#pragma once
/* Runs a command that shows one recording, compares two, or makes a file of one: reads it, prints
   the page, and returns the exit status. */
#include "agent/base/extern_c.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/cmd/view_args.h"
#include "tools/orca/model/model.h"

BEGIN_C

struct call;

/* One of the recordings of a view. */
struct view_side {
  struct open_dump open;
  struct view_args args; /* with the times resolved for this recording */
  struct model model;    /* view_command_run frees it */
  bool is_found;         /* something in the recording matches the filters */
};

/* The functions get the struct of the command's own options as `options`. A view has exactly one of
   append, show and append_comparison. */
struct view_command {
  size_t top;              /* rows of a table as text, unless --top is given */
  bool has_several_tables; /* see struct page */
  bool has_no_tables;      /* the command does not know --top and --format */
  analyses_t analyses;     /* the parts of the model that the view shows; 0: all */

  /* Appends the view of one recording to the page. */
  void (*append)(struct page *p, struct model *m, size_t top, const void *options);

  /* Appends a comparison of two recordings, or digests, to the page. Returns false if memory ran
     out. */
  bool (*append_comparison)(struct page *p, const struct model *a, const struct model *b,
                            size_t top, const void *options);

  /* Shows a recording, or as many as the call has operands, without a page. Returns the exit
     status; view_command_run adds the faults of the files. */
  int (*show)(const struct call *call, struct view_side *sides);

  /* Returns a moment besides those of the filters, which must be within the recording. NULL: none.
   */
  const struct time_arg *(*get_moment)(const void *options);

  /* Returns the exit status of `append` once the page is printed. NULL: 0. */
  int (*judge)(const struct model *m, const void *options);
};

/* view_command_run opens the recordings that the operands name, runs the view of the command, and
   returns the exit status. If the operands can be several recordings, each gets a view, under its
   name. For struct command. */
int view_command_run(struct call *call);

enum view_read { VIEW_FOUND, VIEW_NOTHING, VIEW_NO_MEMORY };

/* view_command_read_model is model_read for a `show`, and sets `is_found`. Unless it returns
   VIEW_FOUND, it prints the reason to stderr, and the command must return 1 and make no file; with
   two recordings, it is enough if something in one of them matches. */
enum view_read view_command_read_model(const struct call *call, struct view_side *side);

/* view_command_print_miss prints to stderr which filters match nothing in the recording. `found`:
   something matches all filters. */
void view_command_print_miss(const char *name, const struct matcher *m,
                             const struct threads *threads, bool found);

/* view_command_print_no_method prints to stderr that no method of the recording matches a pattern.
   Returns false if one does. */
bool view_command_print_no_method(const char *name, const struct dump *d, const char *pattern);

END_C
