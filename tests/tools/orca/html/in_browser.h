#pragma once
// What the tests of the page in a browser share.
#include <stdlib.h>

#include <string>
#include <vector>

#include "tests/support/browser.h"

// Clicks on the middle of the first element that matches the selector and contains the text.
inline void ClickOn(Browser *b, const std::string &selector, const std::string &text = "") {
  std::string found = "[...document.querySelectorAll('" + selector +
                      "')].find((e) => e.textContent.includes('" + text +
                      "'))?.getBoundingClientRect()";
  std::string x = b->Evaluate("(() => { const r = " + found +
                              "; return r === undefined ? '' : r.x + r.width / 2; })()");
  std::string y = b->Evaluate("(() => { const r = " + found +
                              "; return r === undefined ? '' : r.y + r.height / 2; })()");
  ASSERT_NE(x, "") << "no element " << selector << " contains " << text;
  b->Click(atof(x.c_str()), atof(y.c_str()));
}

inline std::string Text(Browser *b, const std::string &selector) {
  return b->Evaluate("document.querySelector('" + selector + "').innerText");
}

inline void ExpectNoErrors(Browser *b) {
  std::vector<std::string> errors = b->Errors();
  EXPECT_TRUE(errors.empty()) << errors[0];
}
