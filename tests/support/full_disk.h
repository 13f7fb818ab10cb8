#pragma once
// Simulates a full disk for this process.
#include <signal.h>
#include <sys/resource.h>

// Limits the size of files to `bytes` until the object is destroyed. Beyond that, a write is short
// or fails with EFBIG.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    handler_ = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    struct rlimit limit = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk &) = delete;
  FullDisk &operator=(const FullDisk &) = delete;

 private:
  struct rlimit before_;
  void (*handler_)(int);
};
