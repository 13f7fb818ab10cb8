#include <stdio.h>
#include <string.h>

#include "agent/base/log.h"
#include "tools/orca/budget/measure/measure.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/cmd/output_file.h"
#include "tools/orca/digest/digest.h"

static const char about[] =
    "Stores what orca diff and orca budget need of a recording in one small file of text, for "
    "example as the baseline of a nightly build. Both take the file in the place of a PREFIX. It "
    "has the sums of the 300 methods, locks and waits with the longest times, and the figures of "
    "budgets, but no events, no samples, and of stacks the 8 innermost frames. It also has the "
    "command line of the JVM.\n";

struct digest_options {
  const char *file; /* NULL: PREFIX.digest */
};

static const struct args_option option_rows[] = {
    {"-o", "FILE", "output file; - for the standard output (default: PREFIX.digest)",
     args_parse_text, offsetof(struct digest_options, file), NULL}};

/* --- writing ---------------------------------------------------------------------------- */

struct digesting {
  const struct model *model;
  const struct figures *figures;
};

static bool write_digest(struct output *o, void *arg) {
  const struct digesting *d = arg;
  return digest_write(&o->text, d->model, d->figures);
}

/* The default is the name of the recording with a suffix. Returns the exit status. */
static int write_file(struct dump *d, const struct digest_options *options,
                      struct digesting *digesting) {
  struct builder name = {0};
  builder_format(&name, "%s.digest%c", dump_prefix(d), '\0');
  const char *file = options->file != NULL ? options->file : name.data;
  int status =
      name.failed ? WRONG : output_file_write("digest", &d, 1, file, write_digest, digesting);
  if (name.failed) log_line("digest: out of memory");
  if (status == DONE && strcmp(file, "-") != 0) printf("the digest is %s\n", file);
  builder_free(&name);
  return status;
}

/* A recording with faults proves nothing, so it gets no digest. */
static int digest_dump(struct dump *d, const void *arg) {
  struct model model = {0};
  struct figures figures = {0};
  bool good = model_read(&model, d, NULL, ALL_ANALYSES) && measure_run(&figures, &model);
  if (!good) log_line("digest: out of memory");
  int status = good ? dump_command_end("digest", d, DONE) : WRONG;
  if (status == DONE) {
    status = write_file(d, arg, &(struct digesting){&model, &figures});
  }
  figures_free(&figures);
  model_free(&model);
  return status;
}

static int run_digest(struct call *call) {
  return dump_command_run(call->operands[0], digest_dump, call->options);
}

const struct command cmd_digest = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct digest_options),
    .statuses =
        "0 success, 1 a file of the recording is broken or the output could not be written "
        "completely, 2 wrong use or no such files.",
    .run = run_digest};
