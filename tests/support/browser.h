#pragma once
// A browser without a window that shows one page: Chromium, told what to do over its debugging
// pipe.
#include <string>
#include <vector>

#include "tests/support/json.h"

class Browser {
 public:
  // The browser there is on this machine; "" where there is none.
  static std::string Path();

  // Opens the page of a file and waits until it says that it is ready, with a query and a fragment
  // behind its name such as "#flame". `dark`: what the system would like.
  Browser(const std::string &file, int width = 1200, int height = 800, bool dark = false);
  ~Browser();
  Browser(const Browser &) = delete;
  Browser &operator=(const Browser &) = delete;

  // The value of an expression as a string, behind what it draws.
  std::string Evaluate(const std::string &expression);

  void Click(double x, double y);
  void Drag(double from_x, double from_y, double to_x, double to_y);
  void Wheel(double x, double y, double delta);
  void Move(double x, double y);
  void Key(const std::string &key);  // "Escape", "/", "a"
  void Type(const std::string &text);

  // What the page said on its console that is an error, and exceptions.
  std::vector<std::string> Errors();

 private:
  void Start();
  void Attach(const std::string &url, int width, int height, bool dark);
  Json Call(const std::string &method, const std::string &parameters = "{}");
  Json Read();
  void Note(const Json &event);
  void Mouse(const char *type, double x, double y, const char *more);

  std::string folder_, session_;
  int pid_ = -1, to_ = -1, from_ = -1, id_ = 0;
  std::string read_;
  std::vector<std::string> errors_;
  bool lost_ = false;
};
