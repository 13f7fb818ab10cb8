#pragma once
// Shows a page in a Chromium without a window, and controls it over the pipe of the DevTools
// protocol. All pages of a test program share one process; each has a storage of its own.
#include <string>
#include <vector>

#include "tests/support/json.h"

class Browser {
 public:
  // Returns the path of the browser on this machine; "" if there is none.
  static std::string Path();

  // Opens a page and waits until its script sets data-ready. `file` is a path, optionally followed
  // by a fragment ("#flame"). `dark` selects the preferred color scheme.
  Browser(const std::string &file, int width = 1200, int height = 800, bool dark = false);
  ~Browser();
  Browser(const Browser &) = delete;
  Browser &operator=(const Browser &) = delete;

  // Loads another page, or the same page at another address, as a new browser would: this is
  // faster.
  void Open(const std::string &file);

  // Returns the value of a JavaScript expression as a string. Waits until pending drawing is done,
  // and for the expression itself if it is a promise.
  std::string Evaluate(const std::string &expression);

  void Click(double x, double y);
  void Drag(double from_x, double from_y, double to_x, double to_y);
  void Wheel(double x, double y, double delta);
  void Move(double x, double y);
  void Key(const std::string &key);  // "Escape", "/", "a"
  void Type(const std::string &text);

  // Returns all errors on the console of the page, and all uncaught exceptions.
  std::vector<std::string> Errors();

 private:
  Json Call(const std::string &method, const std::string &parameters = "{}");
  void Mouse(const char *type, double x, double y, const char *more);

  std::string context_, session_;
  int num_opened_ = 0;
};
