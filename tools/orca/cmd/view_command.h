#pragma once
/* A command that shows a dump, or two, or makes a file of one: its options, the reading, the page,
   the exit status. */
#include "tools/orca/cmd/view_args.h"
#include "tools/orca/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct view_command {
  const char *name;
  const char *usage; /* less what all views have in common */
  size_t top;        /* rows of a table for a person where --top does not say */
  bool several;      /* tables: see struct page */

  /* Takes an option of its own as view_args_take does; NULL: it has none. */
  enum args_took (*take)(void *wish, char **argv, int *at, const char **problem, const char **what);
  /* Puts the view; `wish` is the command's own. */
  void (*put)(struct page *p, struct model *m, size_t top, const void *wish);
  /* Or shows the dump by itself, and gives the exit status but for broken files. The times that are
     asked for are resolved. */
  int (*show)(struct dump *d, const struct view_args *args, const void *wish);

  /* Or puts what two dumps are beside each other; then the command takes two. False: no memory. */
  bool (*put_two)(struct page *p, const struct model *a, const struct model *b, size_t top,
                  const void *wish);

  bool no_tables; /* neither --top nor --format are for it */
  /* Whether all that was given goes together, before the dump is looked for; ARGS_WRONG as above.
     NULL: it does. */
  enum args_took (*check)(const void *wish, const struct view_args *args, const char **problem,
                          const char **what);
  /* A moment that is asked for besides those of the filters, which has to lie within the recording.
     NULL: there is none. */
  const struct time_arg *(*moment)(const void *wish);
};

/* view_command runs it; argv[0] is its name, and options may stand on both sides of the prefix.
   Gives the exit status: 0 done, 1 the files are broken somewhere or nothing is what is asked for,
   2 wrong use or no such dump. */
int view_command(const struct view_command *c, void *wish, int argc, char **argv);

enum view_read { VIEW_FOUND, VIEW_NOTHING, VIEW_NO_MEMORY };

/* view_command_read is model_read for a command that shows the dump by itself. Where nothing is
   what is asked for, or memory ran out, that is said on stderr, and the exit status is to be 1,
   with no file made. model_free in any case. */
enum view_read view_command_read(const char *name, struct model *m, struct dump *d,
                                 const struct view_args *args);

/* view_command_say_miss says on stderr what of the filters means nothing in the dump; `found`:
   something is what is asked for. */
void view_command_say_miss(const char *name, const struct matcher *m, const struct threads *threads,
                           bool found);

/* view_command_say_no_method says on stderr that no method of a dump is meant by a pattern; false
   where one is. */
bool view_command_say_no_method(const char *name, const struct dump *d, const char *pattern);

/* view_command_on does the same on the dump of a prefix, with these options. */
int view_command_on(const struct view_command *c, const void *wish, const char *prefix,
                    const struct view_args *args);

#ifdef __cplusplus
}
#endif
