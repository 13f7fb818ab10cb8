#include "tools/orca/causal/path/path_stretches.h"

#include "gtest/gtest.h"

namespace {

// A path from 0 to 100: thread 1 runs up to 50, thread 2 up to 52, thread 1 sleeps up to 100.
class PathStretches : public testing::Test {
 protected:
  PathStretches() {
    pieces_[0] = {52, 100, 1, 0, 0, PATH_SLEEPS, 0};
    pieces_[1] = {50, 52, 2, 0, 0, PATH_RUNS, 0};
    pieces_[2] = {0, 50, 1, 0, 0, PATH_RUNS, 0};
    path_.pieces = pieces_;
    path_.num_pieces = 3;
  }
  std::string Draw(size_t most) {
    struct path_stretch *rows;
    size_t num;
    EXPECT_TRUE(path_stretches(&path_, most, &rows, &num));
    std::string text;
    for (size_t i = 0; i < num; i++) {
      text += std::to_string(rows[i].begin) + "-" + std::to_string(rows[i].end) + ":" +
              std::to_string(rows[i].piece) + " ";
    }
    free(rows);
    return text;
  }
  struct path_piece pieces_[3];
  struct path path_ = {};
};

TEST_F(PathStretches, JoinEqualNeighbors) { EXPECT_EQ(Draw(100), "0-50:2 50-52:1 52-100:0 "); }

TEST_F(PathStretches, HaveWhatIsOnThePathForMostOfTheirTime) {
  EXPECT_EQ(Draw(9), "0-48:2 48-100:0 ");  // of 12 each; thread 2 is in none for most of it
  EXPECT_EQ(Draw(1), "0-100:2 ");
}

TEST_F(PathStretches, OfNoPathAreNone) {
  path_.num_pieces = 0;
  EXPECT_EQ(Draw(10), "");
}

}  // namespace
