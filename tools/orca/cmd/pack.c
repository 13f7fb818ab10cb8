#include <string.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/cmd/output_file.h"
#include "tools/orca/pack/archive.h"

static const char about[] =
    "Packs all files of a recording into one compressed file, for example to mail it. Every "
    "command that takes a PREFIX also takes this file. tar xzf unpacks it. The file says with "
    "which command line the JVM was started, and names classes, methods and threads of the "
    "program.\n";

struct pack_options {
  const char *file; /* NULL: PREFIX.tar.gz */
};

static const struct args_option option_rows[] = {
    {"-o", "FILE", "output file; - for the standard output (default: PREFIX.tar.gz)",
     args_parse_text, offsetof(struct pack_options, file), NULL}};

/* --- writing ----------------------------------------------------------------------- */

struct packing {
  const struct dump *dump;
  struct archive_size size;
  struct builder why;
};

static bool write_archive(struct output *o, void *arg) {
  struct packing *p = arg;
  if (archive_write(o, p->dump, &p->size, &p->why)) return true;
  builder_char(&p->why, '\0');
  if (p->why.len > 1 && !p->why.failed) o->problem = p->why.data;
  return false;
}

static void print_size(const char *file, const struct archive_size *size) {
  printf("the pack is %s: %zu files, %.1f MB, packed %.1f MB\n", file, size->files,
         (double)size->bytes / 1e6, (double)size->packed_bytes / 1e6);
}

static int pack_into(struct dump *d, const char *file) {
  struct packing p = {.dump = d};
  if (strcmp(file, "-") == 0 && isatty(STDOUT_FILENO)) {
    log_line("pack: -o FILE is needed, because a terminal cannot show the pack");
    return MISUSED;
  }
  int status = output_file_write("pack", &d, 1, file, write_archive, &p);
  if (status == DONE && strcmp(file, "-") != 0) print_size(file, &p.size);
  builder_free(&p.why);
  return status;
}

static int pack_dump(struct dump *d, const void *arg) {
  const struct pack_options *options = arg;
  struct builder name = {0};
  builder_format(&name, "%s.tar.gz%c", dump_prefix(d), '\0');
  if (name.failed) log_line("pack: out of memory");
  int status =
      name.failed ? WRONG : pack_into(d, options->file == NULL ? name.data : options->file);
  builder_free(&name);
  return status;
}

static int run_pack(struct call *call) {
  return dump_command_run(call->operands[0], pack_dump, call->options);
}

const struct command cmd_pack = {
    .about = about,
    COMMAND_OPTIONS(option_rows, struct pack_options),
    .statuses =
        "0 success, 1 the files could not be packed or the output could not be written "
        "completely, 2 wrong use or no such files.",
    .run = run_pack};
