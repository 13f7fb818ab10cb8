#pragma once
/* A server of the Model Context Protocol (modelcontextprotocol.io) over two streams: each message
   is one line of JSON-RPC 2.0. Its tools are those of tool.def. It trusts nothing that a client
   sends.
 */
#include <stdio.h>

#include "agent/base/extern_c.h"
#include "tools/orca/mcp/capture.h"
#include "tools/orca/mcp/inbox.h"

BEGIN_C

/* server_run runs a command line of orca, words[0] is the command, and appends what it prints to
   stdout and stderr to `out`. Returns what capture_run returns. */
typedef int server_run(void *arg, char **words, const struct capture_stop *stop,
                       struct builder *out);

struct server {
  server_run *run;
  void *arg;
  struct inbox
      *inbox; /* of later messages; NULL: no request can be cancelled. server_serve sets it */
  int out;    /* where the answers go; only with an inbox */
};

/* server_answer answers a message: appends one line to `out`, or nothing if it needs no answer or
   is cancelled. */
void server_answer(const struct server *s, struct span message, struct builder *out);

/* server_serve answers messages from the file descriptor `in` until it ends. A request is given up
   when it is cancelled, or when nobody reads `out` any more. False if an answer could not be
   written or memory ran out. */
bool server_serve(const struct server *s, int in, FILE *out);

END_C
