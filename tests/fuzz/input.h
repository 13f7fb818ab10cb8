#pragma once
// Writes the input of a fuzz target to the files of a dump. A byte 0xFF ends each file; the files
// have the order of agent/event/file.def. Valid UTF-8 contains no such byte.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tools/orca/dump/dump.h"

// Returns the prefix of the files. All inputs use the same files, which are deleted at exit.
inline const std::string &InputPrefix() {
  static std::filesystem::path deleted_at_exit;
  static const std::string prefix = [] {
    const char *shm = "/dev/shm", *tmp = getenv("TEST_TMPDIR");
    if (tmp == nullptr) tmp = access(shm, W_OK) == 0 ? shm : "/tmp";
    std::string folder = std::string(tmp) + "/dump_fuzz_XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) abort();
    deleted_at_exit = folder;
    atexit([] { std::filesystem::remove_all(deleted_at_exit); });
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

// Deletes what commands have written, so that the next input does not depend on it.
inline void RemoveOtherFiles() {
  const std::filesystem::path prefix = InputPrefix();
  for (const auto &file : std::filesystem::directory_iterator(prefix.parent_path())) {
    bool is_input = false;
    for (const char *suffix : dump_suffixes) is_input |= file.path() == prefix.string() + suffix;
    if (!is_input) std::filesystem::remove(file.path());
  }
}
