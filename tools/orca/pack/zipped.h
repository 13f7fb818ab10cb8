#pragma once
/* Reads a recording in a zip file, such as the outputs.zip of a test of Bazel, by the program
   unzip. The zip file may hold other files too, and may come from anybody, so nothing in it is
   trusted:
   - its list is read first (zip_list.h), and only files of one recording are unpacked;
   - each file is read from a pipe and written here, up to the size in the list;
   - the temporary folder must have room for them. */
#include "agent/base/extern_c.h"
#include "tools/orca/pack/stems.h"
#include "tools/orca/pack/unpacked.h"

BEGIN_C

/* zipped_is_zip returns whether this is an existing regular file that begins like a zip file or has
   the name of one. */
bool zipped_is_zip(const char *name);

/* zipped_list adds the stems of the recordings in a zip file, as zipped_open takes them. On an
   error it appends a message to `why` and returns false. */
bool zipped_list(const char *zip, struct stems *out, struct builder *why);

/* zipped_open unpacks a recording into a new temporary folder. `recording` is its stem in the zip
   file, or the name of one of its files; NULL: the only one. `stem` receives the stem and a NUL. On
   an error, also if there is not exactly one, it appends a message to `why` and returns false.
   Otherwise call unpacked_remove. */
bool zipped_open(struct unpacked *u, const char *zip, const char *recording, struct builder *stem,
                 struct builder *why);

END_C
