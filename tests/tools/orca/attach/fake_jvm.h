#pragma once
/* A process that looks like a HotSpot JVM from outside: it has a file libjvm.so mapped, handles
   SIGQUIT, and then opens the attach socket, if it finds its .attach_pid file. */
#include <sys/types.h>

#include <string>
#include <vector>

#include "tools/orca/attach/bounded_wait.h"
#include "tools/orca/attach/target.h"

struct FakeJvmPlan {
  /* What it is. */
  std::string library = "libjvm.so"; /* that is mapped; "": none */
  std::string agent;                 /* and another, such as "liborca.so" */
  std::string root;                  /* chroot there first; for root only */
  bool inside = false;               /* its folder is in /tmp there, too */
  bool handler = true;               /* for SIGQUIT; without one it dies of it */
  int late_ms = 0;                   /* all that comes only after this time */
  uid_t uid = 0;                     /* whose it is; needs root */
  /* What it does. */
  bool opens = true;              /* the socket, when asked to */
  int deaf_quits = 0;             /* so many SIGQUITs it does not hear */
  int socket_owner = -1;          /* another user than it should be; needs root */
  std::vector<std::string> early; /* answers to the first requests, instead of: */
  std::string answer = "0\nreturn code: 0\n";
  int byte_ms = 0;     /* pause before each byte of the answer */
  bool silent = false; /* takes the request and says nothing */
  std::string reply;   /* what goes into the file behind reply= */
};

class FakeJvm {
 public:
  explicit FakeJvm(const FakeJvmPlan &plan = {});
  ~FakeJvm();
  FakeJvm(const FakeJvm &) = delete;
  FakeJvm &operator=(const FakeJvm &) = delete;

  pid_t Pid() const { return pid_; }
  const std::string &Folder() const { return folder_; } /* its working directory */
  std::string Socket() const;                           /* where it opens one */
  std::string Trigger() const;                          /* the file that asks for it */

  /* The last request, its NULs as '|'. */
  std::string Request() const;
  int NumQuits() const; /* SIGQUITs that it got */

  /* How it ended: -1 while it runs. */
  int Ended();

 private:
  std::string folder_;
  std::string root_;
  pid_t pid_ = 0;
  bool running_ = true;
  int status_ = 0;
};

/* How long is waited, in milliseconds: so long that what has to come does, on a busy machine too;
   and where a test is about time that runs out. */
constexpr struct patience kPatient = {/*young=*/20000, /*wake=*/20000, /*answer=*/20000};
constexpr struct patience kSoonGrownUp = {400, 20000, 20000};
constexpr struct patience kSoonAwake = {20000, 4000, 20000};
constexpr struct patience kSoonAnswered = {20000, 20000, 400};

/* A target with what it takes to talk to it. */
class OpenTarget {
 public:
  explicit OpenTarget(pid_t pid, const struct patience &patience = kPatient);
  ~OpenTarget();
  OpenTarget(const OpenTarget &) = delete;
  OpenTarget &operator=(const OpenTarget &) = delete;

  bool good;
  struct target t;
  struct bounded_wait w;
  struct refusal why = {""};
};

/* CanBeOthers tells whether we are root, and one that may become other users and change its root.
 */
bool CanBeOthers();

/* Exists tells whether a path is there, be it a dangling link. */
bool Exists(const std::string &path);
std::string ReadFile(const std::string &path);
void WriteFile(const std::string &path, const std::string &text);
std::string MakeFolder(); /* that is removed at the end of the test program: under $TEST_TMPDIR */
