#include "tools/orca/model/state/activity.h"

const char *const activity_names[NUM_ACTIVITIES] = {
#define ACTIVITY(id, name, meaning) name,
#include "tools/orca/model/state/activity.def"
};

const char *const activity_meanings[NUM_ACTIVITIES] = {
#define ACTIVITY(id, name, meaning) meaning,
#include "tools/orca/model/state/activity.def"
};

/* --- calls -------------------------------------------------------------------------------- */

enum activity activity_of_group(enum event_group group) {
  static const enum activity of_group[NUM_GROUPS] = {
#define GROUP(id, name, state, holds) ACTIVITY_##state,
#include "agent/event/event.def"
  };
  return of_group[group];
}

enum activity activity_of_call(enum event_kind begin) {
  return activity_of_group(event_infos[begin].group);
}

bool activity_can_run_inside(enum event_kind begin) {
  enum event_group group = event_infos[begin].group;
  return group == GROUP_FUTURE || group == GROUP_BARRIER || group == GROUP_EXECUTOR;
}

/* --- samples ------------------------------------------------------------------------------ */

/* Native methods that wait, in JDK 8 to 26. */
static const struct {
  const char *class_signature, *method;
  enum activity activity;
} waiting_methods[] = {
    {"Lsun/nio/ch/EPoll;", "wait", ACTIVITY_IO},
    {"Lsun/nio/ch/EPollArrayWrapper;", "epollWait", ACTIVITY_IO},
    {"Lsun/nio/ch/Net;", "poll", ACTIVITY_IO},
    {"Lsun/nio/ch/Net;", "accept", ACTIVITY_IO},
    {"Lsun/nio/ch/ServerSocketChannelImpl;", "accept0", ACTIVITY_IO},
    {"Lsun/nio/ch/SocketDispatcher;", "read0", ACTIVITY_IO},
    {"Lsun/nio/ch/UnixDispatcher;", "read0", ACTIVITY_IO},
    {"Lsun/nio/ch/FileDispatcherImpl;", "read0", ACTIVITY_IO},
    {"Lsun/nio/ch/DatagramChannelImpl;", "receive0", ACTIVITY_IO},
    {"Lsun/nio/ch/DatagramDispatcher;", "read0", ACTIVITY_IO},
    {"Lsun/nio/fs/LinuxWatchService;", "poll", ACTIVITY_IO},
    {"Ljava/net/SocketInputStream;", "socketRead0", ACTIVITY_IO},
    {"Ljava/net/PlainSocketImpl;", "socketAccept", ACTIVITY_IO},
    {"Ljava/net/PlainDatagramSocketImpl;", "receive0", ACTIVITY_IO},
    {"Lsun/nio/ch/Net;", "connect0", ACTIVITY_IO},
    {"Lsun/nio/ch/SocketDispatcher;", "write0", ACTIVITY_IO},
    {"Lsun/nio/ch/UnixDispatcher;", "write0", ACTIVITY_IO},
    {"Lsun/nio/ch/FileDispatcherImpl;", "write0", ACTIVITY_IO},
    {"Lsun/nio/ch/FileDispatcherImpl;", "force0", ACTIVITY_IO},
    {"Lsun/nio/ch/FileDispatcherImpl;", "lock0", ACTIVITY_IO},
    {"Lsun/nio/ch/UnixFileDispatcherImpl;", "read0", ACTIVITY_IO},
    {"Lsun/nio/ch/UnixFileDispatcherImpl;", "write0", ACTIVITY_IO},
    {"Lsun/nio/ch/UnixFileDispatcherImpl;", "force0", ACTIVITY_IO},
    {"Lsun/nio/ch/UnixFileDispatcherImpl;", "lock0", ACTIVITY_IO},
    {"Lsun/nio/ch/UnixDomainSockets;", "connect0", ACTIVITY_IO},
    {"Lsun/nio/ch/UnixDomainSockets;", "accept0", ACTIVITY_IO},
    {"Ljava/net/SocketOutputStream;", "socketWrite0", ACTIVITY_IO},
    {"Ljava/net/PlainSocketImpl;", "socketConnect", ACTIVITY_IO},
    {"Ljava/net/Inet4AddressImpl;", "lookupAllHostAddr", ACTIVITY_IO},
    {"Ljava/net/Inet6AddressImpl;", "lookupAllHostAddr", ACTIVITY_IO},
    {"Ljava/net/Inet4AddressImpl;", "getHostByAddr", ACTIVITY_IO},
    {"Ljava/net/Inet6AddressImpl;", "getHostByAddr", ACTIVITY_IO},
    {"Ljava/io/FileDescriptor;", "sync", ACTIVITY_IO},
    {"Ljava/io/FileDescriptor;", "sync0", ACTIVITY_IO},
    {"Ljava/io/FileInputStream;", "readBytes", ACTIVITY_IO},
    {"Ljava/io/FileInputStream;", "read0", ACTIVITY_IO},
    {"Ljava/io/FileInputStream;", "open0", ACTIVITY_IO},
    {"Ljava/io/FileOutputStream;", "open0", ACTIVITY_IO},
    {"Ljava/io/FileOutputStream;", "writeBytes", ACTIVITY_IO},
    {"Ljava/io/RandomAccessFile;", "readBytes", ACTIVITY_IO},
    {"Ljava/io/RandomAccessFile;", "readBytes0", ACTIVITY_IO},
    {"Ljava/io/RandomAccessFile;", "writeBytes", ACTIVITY_IO},
    {"Ljava/io/RandomAccessFile;", "writeBytes0", ACTIVITY_IO},
    {"Ljava/lang/ProcessHandleImpl;", "waitForProcessExit0", ACTIVITY_IO},
    {"Ljava/lang/UNIXProcess;", "waitForProcessExit", ACTIVITY_IO},
    {"Ljava/lang/VirtualThread;", "takeVirtualThreadListToUnblock", ACTIVITY_WAITS},
    {"Ljava/lang/ref/Reference;", "waitForReferencePendingList", ACTIVITY_WAITS},
    {"Ljava/lang/Object;", "wait", ACTIVITY_WAITS},
    {"Ljava/lang/Object;", "wait0", ACTIVITY_WAITS},
    {"Ljdk/internal/misc/Unsafe;", "park", ACTIVITY_PARKED},
    {"Lsun/misc/Unsafe;", "park", ACTIVITY_PARKED},
    {"Ljava/lang/Thread;", "sleep", ACTIVITY_SLEEPS},
    {"Ljava/lang/Thread;", "sleep0", ACTIVITY_SLEEPS},
    {"Ljava/lang/Thread;", "sleepNanos0", ACTIVITY_SLEEPS},
};

enum activity activity_of_top(const struct dump *d, uint32_t method) {
  const struct method_line *m = dump_method(d, method);
  const struct class_line *c = m == NULL ? NULL : dump_class(d, m->class_id);
  for (size_t i = 0; c != NULL && i < sizeof waiting_methods / sizeof *waiting_methods; i++) {
    if (span_is(m->name, waiting_methods[i].method) &&
        span_is(c->signature, waiting_methods[i].class_signature)) {
      return waiting_methods[i].activity;
    }
  }
  return ACTIVITY_RUNS;
}

enum activity activity_of_sample(enum thread_state state, enum activity top, int64_t cpu_ns) {
  switch (state) {
    case STATE_RUNNABLE:
      return top == ACTIVITY_RUNS && cpu_ns == 0 ? ACTIVITY_RUNNABLE : top;
    case STATE_NATIVE:
      return top == ACTIVITY_RUNS && cpu_ns == 0 ? ACTIVITY_NO_CALL : top;
    case STATE_BLOCKED:
      return ACTIVITY_BLOCKED;
    case STATE_WAITING:
    case STATE_TIMED_WAITING:
      return ACTIVITY_WAITS;
    case STATE_PARKED:
    case STATE_TIMED_PARKED:
      return ACTIVITY_PARKED;
    case STATE_SLEEPING:
      return ACTIVITY_SLEEPS;
    case STATE_UNMOUNTED:
      return ACTIVITY_NO_CALL;
    default:
      return ACTIVITY_HIDDEN;
  }
}
