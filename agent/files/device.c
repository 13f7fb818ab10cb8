#include "agent/files/device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/base/os_thread.h"
#include "agent/base/semaphore.h"

/* The thread that asks and the one that waits share it. The last of them frees it. */
struct question {
  struct semaphore answered;
  unsigned parties; /* atomic */
  char *folder;
};

static void leave(struct question *q) {
  if (__atomic_sub_fetch(&q->parties, 1, __ATOMIC_ACQ_REL) > 0) return;
  free(q->folder);
  free(q);
}

/* AT_STATX_FORCE_SYNC: a network file system asks its server, whatever it knows. Glibc has statx
   since 2.28 and Linux since 4.11, and the agent runs with older ones. */
static void *ask(void *arg) {
  struct question *q = arg;
  struct statx answer;
  long result =
      syscall(SYS_statx, AT_FDCWD, q->folder, AT_STATX_FORCE_SYNC, STATX_BASIC_STATS, &answer);
  if (result != 0 && errno == ENOSYS) (void)access(q->folder, F_OK);
  semaphore_post(&q->answered);
  leave(q);
  return NULL;
}

static struct question *new_question(const char *path) {
  struct question *q = memory_new_zeroed(1, sizeof *q);
  const char *slash = strrchr(path, '/');
  if (q == NULL) return NULL;
  q->folder = memory_new_text(slash == NULL ? "." : path);
  if (q->folder == NULL) {
    free(q);
    return NULL;
  }
  if (slash != NULL) q->folder[slash == path ? 1 : slash - path] = '\0';
  q->parties = 2;
  semaphore_init(&q->answered, 0);
  return q;
}

bool device_answers(const char *path, uint64_t limit_ns) {
  struct question *q = new_question(path);
  if (q == NULL) return true;
  if (os_thread_start(ask, q, "orca-device") != 0) {
    leave(q);
    leave(q);
    return true;
  }
  bool answers = semaphore_wait(&q->answered, clock_monotonic_ns() + limit_ns);
  leave(q);
  return answers;
}
