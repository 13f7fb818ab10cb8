// Reads arbitrary bytes as the list of a zip file. What is taken must stay in the folder into which
// it is unpacked.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tools/orca/pack/zip_list.h"

namespace {

void Require(bool condition, const char *failure) {
  if (condition) return;
  fprintf(stderr, "%s\n", failure);
  abort();
}

void TestFile(const struct zip_list &l, const struct zip_file &file) {
  std::string path = std::string("/") + file.path + "/", stem(file.path, file.stem_len);
  bool is_known = false;
  Require(path.find("//") == std::string::npos, "a path is absolute or has an empty name");
  Require(path.find("/../") == std::string::npos, "a path leads out of the folder");
  Require(!stem.empty() && stem.back() != '/', "a stem is empty");
  for (size_t i = 0; i < l.stems.num; i++) is_known |= stem == l.stems.names[i];
  Require(is_known, "a file belongs to no recording");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A copy of exactly this size lets AddressSanitizer detect reads past the end.
  char *bytes = static_cast<char *>(malloc(size + (size == 0)));
  memcpy(bytes, data, size);
  struct zip_list l = {};
  struct builder why = {};
  struct span rest = {bytes, size}, line;
  bool ok = true;
  while (ok && span_cut(&rest, '\n', &line)) ok = zip_list_take(&l, line, "o.zip", &why);
  ok = ok && zip_list_end(&l, "o.zip", &why);
  Require(ok == (why.len == 0), "a refusal has no message");
  for (size_t i = 0; i < l.num; i++) TestFile(l, l.files[i]);
  if (l.stems.num > 0) stems_put_choice(&l.stems, "o.zip", &why);
  builder_free(&why);
  zip_list_free(&l);
  free(bytes);
  return 0;
}
