#pragma once
/* Functions of output_lines.c that output.c calls. */
#include "agent/writer/output.h"

/* output_write_record makes the line of a record and releases what the record owns. */
void output_write_record(struct output *o, const struct record *r);

/* output_write_definitions writes the definitions that `box` contains now. */
void output_write_definitions(struct output *o, enum file file, struct outbox *box);
