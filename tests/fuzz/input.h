#pragma once
// The input of a fuzz target as the files of a dump. A piece up to a byte 0xFF is a file, in the
// order of file.def; such a byte is in no UTF-8, so a good dump is cut where it must be.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "tools/orca/dump/dump.h"

// One folder for all inputs; its files are written over, and go away in the end.
inline const std::string &InputPrefix() {
  static std::string gone;
  static const std::string prefix = [] {
    const char *shm = "/dev/shm", *tmp = getenv("TEST_TMPDIR");
    if (tmp == nullptr) tmp = access(shm, W_OK) == 0 ? shm : "/tmp";
    std::string folder = std::string(tmp) + "/dump_fuzz_XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) abort();
    gone = folder;
    atexit([] {
      for (const char *suffix : dump_suffixes) unlink((gone + "/f" + suffix).c_str());
      rmdir(gone.c_str());
    });
    return folder + "/f";
  }();
  return prefix;
}

inline void WriteInputFile(const std::string &path, const char *bytes, size_t len) {
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0 || write(fd, bytes, len) != static_cast<ssize_t>(len)) abort();
  close(fd);
}

inline void WriteInput(struct span rest) {
  for (const char *suffix : dump_suffixes) {
    struct span piece = {"", 0};
    span_cut(&rest, '\xFF', &piece);
    WriteInputFile(InputPrefix() + suffix, piece.data, piece.len);
  }
}
