#pragma once
/* Runs a command that shows one dump, compares two, or makes a file of one: parses its options,
   reads the dump, prints the page, and returns the exit status. */
#include "agent/base/extern_c.h"
#include "tools/orca/cmd/view_args.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* The functions get the struct of the command's own options as `options`. A command has exactly one
   of append_view, show_dump and append_comparison. With show_dump it may have show_two. */
struct view_command {
  const char *name;
  const char *usage;           /* the lines of the help before its options; long ones are wrapped */
  struct args_options options; /* of the command itself; the targets are in its struct of options */
  size_t top;                  /* rows of a table as text, unless --top is given */
  bool has_several_tables;     /* see struct page */
  analyses_t analyses;         /* the parts of the model that the view shows; 0: all */

  /* Appends the view of one dump to the page. */
  void (*append_view)(struct page *p, struct model *m, size_t top, const void *options);

  /* Shows one dump without a page. The times of the filter are set. Returns the exit status;
     view_command_run adds the faults of the files. */
  int (*show_dump)(struct dump *d, const struct view_args *args, const void *options);

  /* Appends a comparison of two dumps, or digests, to the page. Returns false if memory ran out. */
  bool (*append_comparison)(struct page *p, const struct model *a, const struct model *b,
                            size_t top, const void *options);

  bool has_no_tables; /* the command does not know --top and --format */

  /* Checks the options before the dump is opened, like view_args_take. NULL: no check. */
  enum args_result (*check_options)(const void *options, const struct view_args *args,
                                    const char **problem, const char **subject);

  /* Returns a moment besides those of the filters, which must be within the recording. NULL: none.
   */
  const struct time_arg *(*get_moment)(const void *options);

  /* Shows two dumps like show_dump, with the filter of each. NULL: the command takes one dump. */
  int (*show_two)(struct dump *const dumps[2], const struct view_args args[2], const void *options);

  /* Returns the exit status of append_view once the page is printed. NULL: 0. */
  int (*judge)(const struct model *m, const void *options);
};

/* view_command_run runs the command. argv[0] is its name. Options may precede and follow the
   prefix. Returns the exit status: 0 success, 1 a file is broken or nothing matches the filters, 2
   wrong use or no such dump; or that of `judge`. */
int view_command_run(const struct view_command *c, void *options, int argc, char **argv);

enum view_read { VIEW_FOUND, VIEW_NOTHING, VIEW_NO_MEMORY };

/* view_command_read_model is model_read for a `show_dump`. Unless it returns VIEW_FOUND, it prints
   the reason to stderr, and the command must return 1 and make no file. In a `show_two` it is
   enough if something in one of the dumps matches; `name` is then the text of
   view_command_put_side. The caller frees the model in any case. */
enum view_read view_command_read_model(const char *name, struct model *m, struct dump *d,
                                       const struct view_args *args);

/* view_command_put_side appends what messages about one of two dumps begin with, "html: /tmp/shop",
   and a final zero. */
void view_command_put_side(struct builder *b, const char *name, const struct dump *d);

/* view_command_print_miss prints to stderr which filters match nothing in the dump. `found`:
   something matches all filters. */
void view_command_print_miss(const char *name, const struct matcher *m,
                             const struct threads *threads, bool found);

/* view_command_print_no_method prints to stderr that no method of the dump matches a pattern.
   Returns false if one does. */
bool view_command_print_no_method(const char *name, const struct dump *d, const char *pattern);

/* view_command_run_on runs the command on the dump with this prefix and with these options. */
int view_command_run_on(const struct view_command *c, void *options, const char *prefix,
                        const struct view_args *args);

END_C
