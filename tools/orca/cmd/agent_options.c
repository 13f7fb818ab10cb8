#include "tools/orca/cmd/agent_options.h"

#include <stdio.h>

#include "agent/base/log.h"
#include "agent/event/event.h"
#include "agent/options/options.h"
#include "tools/orca/cmd/commands.h"

static const char usage[] =
    "usage: orca run -o PREFIX[,key=value...] -- COMMAND [ARGUMENT...]\n"
    "       orca attach PID PREFIX[,key=value...]\n"
    "       java -agentpath:/path/of/liborca.so=PREFIX[,key=value...] CLASS\n"
    "\n"
    "The options of a recording, each with its default.\n";

static void put_option(struct builder *b, const struct option_info *info) {
  static const char *const changers[] = {
      [CHANGER_NOBODY] = "",
      [CHANGER_SET] = "; orca set can change it",
      [CHANGER_TRIGGER] = "; orca set and triggers can change it"};
  struct builder name = {0}, help = {0};
  builder_format(&name, "%s=%s%c", info->key, info->fallback, '\0');
  builder_format(&help, "%s%s\ntakes %s%c", info->meaning, changers[info->changer], info->takes,
                 '\0');
  const struct args_option row = {.name = name.data, .help = help.data};
  if (!name.failed && !help.failed) args_put_help(b, &(struct args_options){&row, 1});
  b->failed |= name.failed || help.failed;
  builder_free(&name);
  builder_free(&help);
}

static void put_groups(struct builder *b) {
  args_put_text(b, "The groups of the option events:\n");
  for (int group = 0; group < NUM_GROUPS; group++) {
    const struct args_option row = {.name = group_infos[group].name,
                                    .help = group_infos[group].holds};
    args_put_help(b, &(struct args_options){&row, 1});
  }
}

int agent_options_print(void) {
  struct builder b = {0};
  args_put_text(&b, usage);
  for (int key = 0; key < NUM_OPTIONS; key++) put_option(&b, &option_infos[key]);
  put_groups(&b);
  bool ok = !b.failed;
  if (ok) fwrite(b.data, 1, b.len, stdout);
  if (!ok) log_line("help: out of memory");
  builder_free(&b);
  return ok ? DONE : WRONG;
}
