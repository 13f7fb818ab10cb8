#pragma once
/* The messages of a client: lines that come from a file descriptor. While a command runs for one of
   them, the inbox looks into those that have arrived meanwhile for its cancellation. */
#include <json-c/json.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

#define INBOX_MAX_LINE ((size_t)1 << 20)    /* longer messages are refused */
#define INBOX_MAX_WAITING ((size_t)4 << 20) /* bytes that are read ahead */

/* All zero, with `in` set, is new; inbox_free frees its memory. */
struct inbox {
  int in;               /* the caller's */
  struct builder bytes; /* that were read */
  size_t at;            /* of the next line in `bytes` */
  bool has_ended;       /* nothing more comes */
};

enum inbox_line { INBOX_LINE, INBOX_LONG_LINE, INBOX_END };

/* inbox_next waits for the next line and sets `*out` to it, without its end; it is valid until the
   inbox reads again. A line that is too long is skipped. INBOX_END: the input has ended, or memory
   ran out (bytes.failed). */
enum inbox_line inbox_next(struct inbox *inbox, struct span *out);

/* inbox_has_cancelled reads what has arrived, without waiting, and returns whether a message in it
   cancels the request with this id (notifications/cancelled). */
bool inbox_has_cancelled(struct inbox *inbox, struct json_object *id);

void inbox_free(struct inbox *inbox);

END_C
