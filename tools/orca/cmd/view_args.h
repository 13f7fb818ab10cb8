#pragma once
/* The options that all views of a dump share: filters, and the size and format of tables. */
#include "agent/base/extern_c.h"
#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/time_arg.h"
#include "tools/orca/model/filter.h"
#include "tools/orca/render/page.h"

BEGIN_C

/* All zero: no option was given. `format`, `top` and `is_brief` are only for commands that print
 * tables. */
struct view_args {
  struct filter filter; /* `from` and `to` are set by view_args_resolve */
  struct time_arg from, to, around;
  ticks_t within; /* 0: not given */
  enum format format;
  size_t top;    /* 0: not given */
  bool is_brief; /* for a program that reads text */
};

/* The filters, and the options of tables; their targets are in a struct view_args. */
extern const struct args_options view_args_filters, view_args_tables;

/* view_args_check returns whether the options can be combined. */
bool view_args_check(const struct view_args *v, struct refusal *why);

/* view_args_has_filter returns whether any option selects a part of the dump. */
bool view_args_has_filter(const struct view_args *v);

/* view_args_resolve sets the times of the filter for a dump. On an error it appends the message to
   `why` and returns false. */
bool view_args_resolve(struct view_args *v, struct dump *d, struct builder *why);

/* view_args_check_moment returns whether a moment is within the dump, or was not given. On an error
   it appends the message to `why` and returns false. */
bool view_args_check_moment(struct dump *d, const struct time_arg *t, struct builder *why);

/* For struct args_option: parses a moment. The target is a struct time_arg. */
bool view_args_parse_time(const char *text, void *target);

END_C
