#include "tools/orca/model/state/pseudo.h"

static const char *const pseudo_names[NUM_PSEUDOS] = {
#define PSEUDO(id, text) text,
#include "tools/orca/model/state/pseudo.def"
};

void pseudo_put_name(struct builder *b, const struct dump *d, uint32_t method) {
  size_t depth = dump_coverage(d)->depth;
  if (method != pseudo_method(PSEUDO_DEEPER) || depth == SIZE_MAX) {
    builder_string(b, pseudo_names[method - PSEUDO_FIRST_ID]);
    return;
  }
  builder_string(b, "(deeper than ");
  text_decimal(b, (int64_t)depth);
  builder_char(b, ')');
}
