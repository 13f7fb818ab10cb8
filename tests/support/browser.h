#pragma once
// Shows one page in a Chromium without a window, and controls it over the pipe of the DevTools
// protocol.
#include <string>
#include <vector>

#include "tests/support/json.h"

class Browser {
 public:
  // Returns the path of the browser on this machine; "" if there is none.
  static std::string Path();

  // Opens a page and waits until its script sets data-ready. `file` is a path, optionally followed
  // by a query and a fragment ("#flame"). `dark` selects the preferred color scheme.
  Browser(const std::string &file, int width = 1200, int height = 800, bool dark = false);
  ~Browser();
  Browser(const Browser &) = delete;
  Browser &operator=(const Browser &) = delete;

  // Returns the value of a JavaScript expression as a string. Waits until pending drawing is done.
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
  void Start();
  void Attach(const std::string &url, int width, int height, bool dark);
  Json Call(const std::string &method, const std::string &parameters = "{}");
  Json ReadMessage();
  void AddError(const Json &event);
  void Mouse(const char *type, double x, double y, const char *more);

  std::string folder_, session_;
  int pid_ = -1, to_ = -1, from_ = -1, id_ = 0;
  std::string read_;
  std::vector<std::string> errors_;
  bool is_lost_ = false;
};
