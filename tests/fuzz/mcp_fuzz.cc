// Reads arbitrary bytes as a message of a client of `orca mcp`. The server must not crash; an
// answer is one line of JSON; and no value of a client becomes an option of a command.
#include <json-c/json.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/orca/mcp/server.h"

namespace {

void Require(bool condition, const char *failure) {
  if (condition) return;
  fprintf(stderr, "%s\n", failure);
  abort();
}

int Run(void *, char **words, const struct capture_stop *, struct builder *out) {
  Require(words[0] != nullptr && words[0][0] != '-' && words[0][0] != '\0', "no command is run");
  for (int i = 1; words[i] != nullptr; i++) {
    bool is_option = words[i][0] == '-';
    Require(!is_option || strncmp(words[i], "--", 2) == 0, "a value became an option");
    builder_string(out, words[i]);
    builder_char(out, '\n');
  }
  return 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A copy of exactly this size lets AddressSanitizer detect reads past the end.
  char *bytes = static_cast<char *>(malloc(size + (size == 0)));
  memcpy(bytes, data, size);
  struct server server = {Run, nullptr, nullptr, -1};
  struct builder out = {};
  server_answer(&server, {bytes, size}, &out);
  Require(!out.failed, "out of memory");
  if (out.len > 0) {
    Require(memchr(out.data, '\n', out.len) == out.data + out.len - 1, "the answer is no line");
    builder_char(&out, '\0');
    struct json_object *answer = json_tokener_parse(out.data);
    Require(json_object_is_type(answer, json_type_object), "the answer is no JSON");
    json_object_put(answer);
  }
  builder_free(&out);
  free(bytes);
  return 0;
}
