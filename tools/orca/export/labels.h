#pragma once
/* The labels of a recording: who it is among many. The user gives them as `--label host=web-1`. In
   the tables of --format=tsv each label is a column. The first columns are always host, service,
   version and run; the user's other labels follow in the order in which they were given. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

#define LABELS_MAX 32 /* the first four included */

enum { LABEL_HOST, LABEL_SERVICE, LABEL_VERSION, LABEL_RUN, NUM_FIXED_LABELS };

struct label {
  struct span key, value; /* `value.data` NULL: not given */
};

/* LABELS_NONE is the first four labels, without values. The texts are the caller's. */
struct labels {
  struct label rows[LABELS_MAX];
  size_t num;
  bool has_values; /* at least one was given */
};

#define LABEL_KEY(text)                  \
  {                                      \
    {text, sizeof text - 1}, { NULL, 0 } \
  }
#define LABELS_NONE                                                                    \
  {                                                                                    \
    {LABEL_KEY("host"), LABEL_KEY("service"), LABEL_KEY("version"), LABEL_KEY("run")}, \
        NUM_FIXED_LABELS, false                                                        \
  }

/* labels_add adds "key=value". The key consists of a-z, 0-9 and _, and begins with a letter; the
   value can be any text. It returns NULL, or the reason why it does not take the text: "the key is
   ...". `text` must outlive the labels. */
const char *labels_add(struct labels *l, const char *text);

END_C
