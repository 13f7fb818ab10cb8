#pragma once
/* The list that `unzip -Z -l` prints of a zip file, as far as it concerns recordings. The zip file
   may come from anybody, so nothing in the list is trusted. */
#include "agent/base/extern_c.h"
#include "tools/orca/pack/stems.h"

BEGIN_C

#define ZIP_LIST_MAX 20000 /* files */

/* A file of a recording. */
struct zip_file {
  char *path; /* in the zip file: "sub/shop.0001.info" */
  size_t stem_len;
  uint64_t size; /* unpacked, as the zip file says */
};

/* All zero is empty; free it with zip_list_free. */
struct zip_list {
  struct zip_file *files;
  size_t num, capacity;
  struct stems stems; /* the recordings */
};

/* zip_list_take takes a line of the list. Returns false, and appends a message to `why`, if memory
   ran out or a file of a recording must not be unpacked. Such a file is no plain file, it is
   encrypted, or its path leads out of the folder. `zip` is the name of the zip file. */
bool zip_list_take(struct zip_list *l, struct span line, const char *zip, struct builder *why);

/* zip_list_end ends the list: it puts the files in the order of their paths. Returns false, and
   appends a message, if a file is there twice. */
bool zip_list_end(struct zip_list *l, const char *zip, struct builder *why);

void zip_list_free(struct zip_list *l);

END_C
