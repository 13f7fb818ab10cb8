// A fuzz target that stores each input as a file in the folder $FUZZ_SEEDS.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int number = 0;
  const char *folder = getenv("FUZZ_SEEDS");
  if (folder == nullptr) {
    fprintf(stderr, "FUZZ_SEEDS has to be the folder for the inputs\n");
    abort();
  }
  std::string path = std::string(folder) + "/seed-" + std::to_string(++number);
  FILE *file = fopen(path.c_str(), "wb");
  if (file == nullptr || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
    perror(path.c_str());
    abort();
  }
  return 0;
}
