/* What the agent needs and qemu-user does not have, for a JVM under it: LD_PRELOAD=libunder_qemu.so
   - process_vm_readv, of this process only. A pipe finds out whether an address is mapped: write
     fails with EFAULT if it is not.
   - the signals 63 and 64. qemu accepts handlers of them, but timers of them fail. So they are
     reported as used. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST 4096 /* bytes that fit into any pipe at once */

ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long num_to,
                         const struct iovec *from, unsigned long num_from, unsigned long flags) {
  static _Thread_local int ends[2] = {-1, -1};
  if (pid != getpid() || num_to != 1 || num_from != 1 || flags != 0 || to->iov_len > MOST) {
    errno = EINVAL;
    return -1;
  }
  if (ends[0] < 0 && pipe(ends) != 0) return -1;
  ssize_t n = write(ends[1], from->iov_base, from->iov_len);
  return n < 0 ? n : read(ends[0], to->iov_base, (size_t)n);
}

int sigaction(int number, const struct sigaction *action, struct sigaction *out_old) {
  int (*next)(int, const struct sigaction *, struct sigaction *);
  *(void **)&next = dlsym(RTLD_NEXT, "sigaction");
  int result = next(number, action, out_old);
  if (result == 0 && out_old != NULL && number > 62) out_old->sa_handler = SIG_IGN;
  return result;
}
