#pragma once
/* A process that looks like a HotSpot JVM: it maps a file libjvm.so and handles SIGQUIT. On SIGQUIT
   it opens the attach socket if its .attach_pid file exists. */
#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tools/orca/attach/bounded_wait.h"
#include "tools/orca/attach/target.h"

struct FakeJvmPlan {
  /* The process. */
  std::string library = "libjvm.so"; /* file to map; "": none */
  std::string agent;                 /* second file to map: "liborca.so" */
  std::string root;                  /* chroot to this folder; needs root */
  bool inside = false;               /* its working directory is in /tmp of that root */
  bool handler = true;               /* it handles SIGQUIT */
  int late_ms = 0;                   /* time before it maps files and handles SIGQUIT */
  uid_t uid = 0;                     /* its user; needs root */
  /* The attach protocol. */
  bool opens = true;              /* it opens the socket */
  int deaf_quits = 0;             /* number of SIGQUITs to ignore first */
  int socket_owner = -1;          /* a wrong owner of the socket; needs root */
  std::vector<std::string> early; /* answers to the first requests */
  std::string answer = "0\nreturn code: 0\n";
  int byte_ms = 0;     /* pause before each byte of the answer */
  bool silent = false; /* it reads the request and sends no answer */
  std::string reply;   /* text for the file of reply=, in which {PID} becomes its pid */
};

class FakeJvm {
 public:
  explicit FakeJvm(const FakeJvmPlan &plan = {});
  ~FakeJvm();
  FakeJvm(const FakeJvm &) = delete;
  FakeJvm &operator=(const FakeJvm &) = delete;

  pid_t Pid() const { return pid_; }
  const std::string &Folder() const { return folder_; } /* its working directory */
  std::string Socket() const;                           /* path of the attach socket */
  std::string AttachFile() const;                       /* path of the .attach_pid file */

  /* The last request, with '|' for NUL. */
  std::string Request() const;
  int NumQuits() const; /* SIGQUITs received so far */

  /* The wait status; -1 while the process runs. */
  int WaitStatus();

 private:
  std::string folder_;
  std::string root_;
  pid_t pid_ = 0;
  bool running_ = true;
  int status_ = 0;
};

/* Time limits in milliseconds. The long ones never expire, even on a busy machine. The short ones
   are for tests of one limit that expires. */
constexpr struct wait_limits kLongLimits = {/*startup=*/60000, /*socket=*/60000, /*answer=*/60000};
constexpr struct wait_limits kShortStartup = {400, 60000, 60000};
constexpr struct wait_limits kShortSocketWait = {60000, 4000, 60000};
constexpr struct wait_limits kShortAnswer = {60000, 60000, 400};

/* An open target and its wait. */
class OpenTarget {
 public:
  explicit OpenTarget(pid_t pid, const struct wait_limits &limits = kLongLimits);
  ~OpenTarget();
  OpenTarget(const OpenTarget &) = delete;
  OpenTarget &operator=(const OpenTarget &) = delete;

  bool good;
  struct target t;
  struct bounded_wait w;
  struct refusal why = {""};
};

/* Whether the test runs as root and may change its user and its root directory. */
bool CanChangeUser();

/* Whether a path exists; a dangling link does. */
bool Exists(const std::string &path);
void WriteFile(const std::string &path, const std::string &text);
std::string MakeFolder(); /* in $TEST_TMPDIR, which the test runner removes */
