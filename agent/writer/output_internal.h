#pragma once
/* Between output.c and output_lines.c. */
#include "agent/writer/output.h"

/* output_record makes a line of a record, with which what it owns goes. */
void output_record(struct output *o, const struct record *r);

/* output_definitions makes lines of what is in the box by now. */
void output_definitions(struct output *o, enum file file, struct outbox *box);
