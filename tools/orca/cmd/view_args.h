#pragma once
/* The options that all views of a dump have: what of it, how much, in which form. */
#include "tools/orca/cmd/time_arg.h"
#include "tools/orca/model/filter.h"
#include "tools/orca/render/page.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero: nothing was given. What belongs to tables, `format` and `top`, is not for a command
   that makes a file of its own. */
struct view_args {
  struct filter filter; /* its times count from view_args_resolve on */
  struct time_arg from, to, around;
  ticks_t within; /* 0: not given */
  enum format format;
  size_t top; /* 0: not given */
};

enum args_took { ARGS_OTHER, ARGS_TOOK, ARGS_WRONG };

/* view_args_take takes the option argv[*at], with its value, where it is one of these, of the
   filters alone where there are no tables; ARGS_WRONG: `*problem` and `*what`, one behind the
   other, say what is wrong with it. */
enum args_took view_args_take(struct view_args *v, bool tables, char **argv, int *at,
                              const char **problem, const char **what);

/* view_args_check tells whether what was given goes together; `*problem` says what does not. */
bool view_args_check(const struct view_args *v, const char **problem);

/* view_args_has_filter tells whether anything was given that leaves part of a dump out. */
bool view_args_has_filter(const struct view_args *v);

/* view_args_resolve turns the times into those of a dump. False: why is appended to `why`. */
bool view_args_resolve(struct view_args *v, struct dump *d, struct builder *why);

/* view_args_has_moment tells whether a further moment lies within a dump, or none was given. False:
   why is appended to `why`. */
bool view_args_has_moment(struct dump *d, const struct time_arg *t, struct builder *why);

/* What a help says about the filters, and about what belongs to tables. */
extern const char view_args_filter_help[], view_args_table_help[];

#ifdef __cplusplus
}
#endif
