#pragma once
/* Reads a file that `orca pack` made. The file may come from anybody, so nothing in it is trusted:
   - its names are read first, and it is refused unless each is a plain file of one recording;
   - it is unpacked only if the temporary folder has room for it. */
#include <sys/types.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A recording in a temporary folder that only this user can read. All zero: none. */
struct unpacked {
  char *folder;
  char *prefix;  /* of the recording in the folder */
  pid_t remover; /* the process that removes the folder */
  int lifeline;  /* file descriptor; the remover starts when it is closed */
};

/* unpacked_is_pack returns whether this is an existing regular file that is compressed by gzip or
   has the name of a pack. */
bool unpacked_is_pack(const char *name);

/* unpacked_stem_len returns the length of the name of a pack without ".tar.gz" or ".tgz". */
size_t unpacked_stem_len(const char *name);

/* unpacked_open unpacks the file into a new folder in $TMPDIR or /tmp. On an error it appends a
   message to `why` and returns false. Otherwise call unpacked_remove. The folder is also removed if
   this process ends without that call, even by SIGKILL. */
bool unpacked_open(struct unpacked *u, const char *name, struct builder *why);
void unpacked_remove(struct unpacked *u);

#ifdef __cplusplus
}
#endif
