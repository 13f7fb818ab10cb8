#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/cmd/output_file.h"
#include "tools/orca/collect/answer.h"
#include "tools/orca/pack/stems.h"
#include "tools/orca/pack/zipped.h"

#define TOP 20

static const char about[] =
    "Reads the recordings that all tests of a build of Bazel left, and answers once for all of "
    "them: deadlocks, lock-order inversions, the locks with the longest blocked time, the critical "
    "sections that were held longest, lost events, and which tests left no recording. FILE is what "
    "bazel test wrote with the option of the same name.\n";

struct collect_options {
  const char *events, *html;
  bool as_json;
  size_t top;
};

static const struct args_option option_rows[] = {
    {"--build_event_json_file", "FILE", "the build events of bazel test", args_parse_text,
     offsetof(struct collect_options, events), NULL},
    {"--html", "FILE", "also write a page for a browser", args_parse_text,
     offsetof(struct collect_options, html), NULL},
    {"--top", "N", "rows of each table (default: 20)", args_parse_count,
     offsetof(struct collect_options, top), "--top takes a number from 1, not "},
    {"--format", "FORMAT", "text or json: of the standard output", args_parse_json,
     offsetof(struct collect_options, as_json), ARGS_JSON_PROBLEM}};

/* --- recordings ----------------------------------------------------------------------- */

/* Adds a recording. One that cannot be read, or has faults, proves nothing: it is counted. Returns
   false if memory ran out. */
static bool add_recording(struct collection *c, size_t test, const char *name) {
  struct open_dump open;
  struct model model = {0};
  bool good = true, is_read = dump_command_open(&open, name);
  if (is_read) {
    good = model_read(&model, open.dump, NULL, ALL_ANALYSES);
    is_read = !good || dump_command_end("collect", open.dump, DONE) == DONE;
    if (good && is_read) good = collection_add(c, test, name, &model);
    model_free(&model);
    dump_command_close(&open);
  }
  if (!is_read) c->unreadable++;
  if (!is_read) c->tests[test].unreadable++;
  return good;
}

static bool add_recordings(struct collection *c, size_t test, const char *place,
                           const struct stems *stems) {
  struct builder name = {0};
  bool good = true;
  for (size_t i = 0; good && i < stems->num; i++) {
    name.len = 0;
    builder_format(&name, "%s/%s%c", place, stems->names[i], '\0');
    good = !name.failed && add_recording(c, test, name.data);
  }
  builder_free(&name);
  return good;
}

/* A zip file that cannot be read counts as a recording that cannot be read. */
static bool add_zip(struct collection *c, size_t test, const char *zip) {
  struct stems stems = {0};
  struct builder why = {0};
  bool is_read = zipped_list(zip, &stems, &why), good = !why.failed;
  if (!is_read && good) {
    log_line("collect: %.*s", (int)why.len, why.data);
    c->unreadable++;
    c->tests[test].unreadable++;
  }
  if (is_read) good = add_recordings(c, test, zip, &stems);
  stems_free(&stems);
  builder_free(&why);
  return good;
}

static bool add_folder(struct collection *c, size_t test, const char *folder) {
  struct stems stems = {0};
  bool good = stems_read(&stems, folder) && add_recordings(c, test, folder, &stems);
  stems_free(&stems);
  return good;
}

static bool add_output(struct collection *c, size_t test, const struct test_output *output) {
  struct stat st;
  if (output->path == NULL || stat(output->path, &st) != 0) {
    c->tests[test].elsewhere++;
    return true;
  }
  return S_ISDIR(st.st_mode) ? add_folder(c, test, output->path) : add_zip(c, test, output->path);
}

static bool add_outputs(struct collection *c, const struct build_events *build) {
  for (size_t i = 0; i < build->num; i++) {
    for (size_t k = 0; k < build->tests[i].num; k++) {
      if (!add_output(c, i, &build->tests[i].outputs[k])) return false;
    }
  }
  collection_end(c);
  return true;
}

/* --- the answer ----------------------------------------------------------------------- */

struct answer {
  void (*write)(struct builder *b, const struct collection *c, const struct answer_context *x);
  const struct collection *collection;
  struct answer_context context;
};

static bool write_answer(struct output *o, void *arg) {
  const struct answer *a = arg;
  a->write(&o->text, a->collection, &a->context);
  return !o->text.failed;
}

static int write_answers(const struct collection *c, const struct collect_options *options) {
  struct answer answer = {answer_html, c, {options->events, options->top}};
  int status = DONE;
  if (options->html != NULL) {
    status = output_file_write("collect", NULL, 0, options->html, write_answer, &answer);
  }
  answer.write = options->as_json ? answer_json : answer_text;
  if (status == DONE) {
    status = output_file_write("collect", NULL, 0, "-", write_answer, &answer);
  }
  return status == DONE && c->unreadable > 0 ? WRONG : status;
}

/* --- the command ----------------------------------------------------------------- */

/* Prints the reason and returns false if the events cannot be read. */
static bool read_events(struct build_events *build, const char *name) {
  struct builder why = {0};
  FILE *in = fopen(name, "re");
  if (in == NULL) builder_string(&why, strerror(errno));
  bool good = in != NULL && build_events_read(build, in, &why);
  if (!good && why.failed) log_line("collect: out of memory");
  if (!good && !why.failed) log_line("collect: %s: %.*s", name, (int)why.len, why.data);
  if (in != NULL) fclose(in);
  builder_free(&why);
  return good;
}

static int run_collect(struct call *call) {
  const struct collect_options *options = call->options;
  struct build_events build = {0};
  struct collection collection = {0};
  int status = read_events(&build, options->events) ? DONE : MISUSED;
  if (status == DONE) {
    bool good = collection_start(&collection, &build) && add_outputs(&collection, &build);
    if (!good) log_line("collect: out of memory");
    status = good ? write_answers(&collection, options) : WRONG;
  }
  collection_free(&collection);
  build_events_free(&build);
  return status;
}

static bool check_options(const struct call *call, struct refusal *why) {
  const struct collect_options *options = call->options;
  return options->events != NULL ||
         refuse(why, "which build? --build_event_json_file=FILE is missing");
}

const struct command cmd_collect = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct collect_options, .top = TOP),
    .statuses =
        "0 done, 1 a recording cannot be read (the others are in the answer), 2 wrong use, "
        "or the build events cannot be read.",
    .check = check_options,
    .run = run_collect};
