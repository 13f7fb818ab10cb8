#include "tools/orca/pack/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

static void remove_folder(const char *path) {
  DIR *folder = opendir(path);
  if (folder == NULL) return;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    unlinkat(dirfd(folder), entry->d_name, 0);
  }
  closedir(folder);
  rmdir(path);
}

/* Starts the process that waits for the end of this one and removes the folder. In a session of its
   own it gets no Ctrl-C. It must not keep a pipe open from which another program reads. */
static bool start_remover(struct temporary *t) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  t->remover = fork();
  if (t->remover == 0) {
    char byte;
    setsid();
    dup2(ends[0], STDIN_FILENO);
    close_range(STDIN_FILENO + 1, ~0U, 0);
    while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR) continue;
    remove_folder(t->folder);
    _exit(0);
  }
  close(ends[0]);
  t->lifeline = ends[1];
  if (t->remover < 0) close(ends[1]);
  return t->remover > 0;
}

bool temporary_make(struct temporary *t, struct builder *why) {
  const char *parent = getenv("TMPDIR");
  struct builder path = {0};
  *t = (struct temporary){0};
  if (parent == NULL || parent[0] == '\0') parent = "/tmp";
  builder_format(&path, "%s/orca-XXXXXX%c", parent, '\0');
  t->folder = path.data;
  if (!path.failed && mkdtemp(t->folder) != NULL) {
    if (start_remover(t)) return true;
    rmdir(t->folder);
  }
  builder_format(why, "no temporary folder can be made in %s: %s", parent, strerror(errno));
  builder_free(&path);
  t->folder = NULL;
  return false;
}

void temporary_remove(struct temporary *t) {
  if (t->folder == NULL) return;
  close(t->lifeline);
  while (waitpid(t->remover, NULL, 0) != t->remover && errno == EINTR) continue;
  free(t->folder);
  *t = (struct temporary){0};
}

uint64_t temporary_room(const struct temporary *t) {
  struct statvfs room;
  return statvfs(t->folder, &room) == 0 ? (uint64_t)room.f_bavail * room.f_frsize : 0;
}
