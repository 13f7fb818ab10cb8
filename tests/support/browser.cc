#include "tests/support/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>

namespace {

constexpr int kTimeout = 60000;  // milliseconds; an answer normally takes much less

std::string QuoteText(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    char escape[8];
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20) {
      snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned char>(c));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

// Chromium reads commands from descriptor 3 and writes answers to descriptor 4.
[[noreturn]] void ExecBrowser(const std::string &path, const std::string &folder, int in, int out) {
  int high_in = fcntl(in, F_DUPFD, 10), high_out = fcntl(out, F_DUPFD, 10);
  dup2(high_in, 3);
  dup2(high_out, 4);
  int null = open("/dev/null", O_RDWR);
  dup2(null, 1);
  dup2(null, 2);
  close(high_in);
  close(high_out);
  std::string profile = "--user-data-dir=" + folder;
  setenv("HOME", folder.c_str(), 1);
  unsetenv("LD_PRELOAD");
  execl(path.c_str(), path.c_str(), "--headless", "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run",
        "--disable-renderer-backgrounding", "--remote-debugging-pipe", profile.c_str(),
        static_cast<char *>(nullptr));
  _exit(127);
}

// The text of an event that reports an error of a page; "" for other events.
std::string ErrorOf(const Json &event) {
  const std::string &method = event["method"].text;
  const Json &p = event["params"];
  if (method == "Runtime.exceptionThrown") {
    const Json &details = p["exceptionDetails"];
    return details["text"].text +
           (details.Has("exception") && details["exception"].Has("description")
                ? details["exception"]["description"].text
                : "");
  }
  if (method == "Log.entryAdded" && p["entry"]["level"].text == "error") {
    return p["entry"]["text"].text;
  }
  return method == "Runtime.consoleAPICalled" && p["type"].text == "error" ? "console.error" : "";
}

// The process. All pages of a test program share it, because its start takes longer than most
// tests.
class Chromium {
 public:
  static Chromium &Running() {
    static std::unique_ptr<Chromium> running;
    if (running == nullptr || running->is_lost_) running = std::make_unique<Chromium>();
    return *running;
  }

  Chromium() {
    std::string folder = testing::TempDir() + "/browser_XXXXXX";
    if (mkdtemp(folder.data()) != nullptr) folder_ = folder;
    Start();
  }

  ~Chromium() {
    close(to_);
    close(from_);
    kill(-pid_, SIGKILL);  // the process group that Start made
    waitpid(pid_, nullptr, 0);
    if (!folder_.empty()) {
      [[maybe_unused]] int status = system(("rm -rf '" + folder_ + "'").c_str());
    }
  }

  Chromium(const Chromium &) = delete;
  Chromium &operator=(const Chromium &) = delete;

  // `session` selects the page; "": the browser itself.
  Json Call(const std::string &session, const std::string &method, const std::string &parameters);

  bool IsLost() const { return is_lost_; }
  const std::vector<std::string> &Errors(const std::string &session) { return errors_[session]; }

 private:
  void Start();
  Json ReadMessage();

  std::string folder_, read_;
  int pid_ = -1, to_ = -1, from_ = -1, id_ = 0;
  std::map<std::string, std::vector<std::string>> errors_;  // by session
  bool is_lost_ = false;
};

void Chromium::Start() {
  int commands[2], answers[2];
  ASSERT_EQ(pipe2(commands, O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(answers, O_CLOEXEC), 0);
  signal(SIGPIPE, SIG_IGN);
  pid_ = fork();
  if (pid_ == 0) {
    setpgid(0, 0);
    ExecBrowser(Browser::Path(), folder_, commands[0], answers[1]);
  }
  close(commands[0]);
  close(answers[1]);
  to_ = commands[1];
  from_ = answers[0];
}

Json Chromium::ReadMessage() {
  size_t end;
  while ((end = read_.find('\0')) == std::string::npos && !is_lost_) {
    struct pollfd waiting = {from_, POLLIN, 0};
    char piece[65536];
    ssize_t n = poll(&waiting, 1, kTimeout) == 1 ? read(from_, piece, sizeof piece) : -1;
    if (n > 0) read_.append(piece, static_cast<size_t>(n));
    is_lost_ = n <= 0;
  }
  if (is_lost_) return {};
  std::string message = read_.substr(0, end);
  read_.erase(0, end + 1);
  return ReadJson(message);
}

Json Chromium::Call(const std::string &session, const std::string &method,
                    const std::string &parameters) {
  std::string message = R"({"id":)" + std::to_string(++id_) + R"(,"method":)" + QuoteText(method) +
                        R"(,"params":)" + parameters;
  if (!session.empty()) message += R"(,"sessionId":)" + QuoteText(session);
  message += '}';
  message += '\0';
  if (write(to_, message.data(), message.size()) != static_cast<ssize_t>(message.size())) {
    is_lost_ = true;
  }
  while (!is_lost_) {
    Json answer = ReadMessage();
    if (answer.Has("id") && answer["id"].text == std::to_string(id_)) {
      EXPECT_FALSE(answer.Has("error")) << method << ": " << answer["error"]["message"].text;
      return answer.Has("result") ? answer["result"] : Json{};
    }
    if (!answer.Has("method") || !answer.Has("sessionId")) continue;
    std::string error = ErrorOf(answer);
    if (!error.empty()) errors_[answer["sessionId"].text].push_back(error);
  }
  ADD_FAILURE() << "the browser does not answer to " << method;
  return {};
}

// Waits until the page has set data-ready and its pending drawing is done.
constexpr char kReady[] = R"JS(new Promise((done) => {
  const isReady = () => document.documentElement?.dataset.ready === "true";
  const look = () => isReady() ? requestAnimationFrame(() => setTimeout(() => done("yes")))
    : performance.now() > 30000 ? done("no") : setTimeout(look, 5);
  look();
}))JS";

}  // namespace

std::string Browser::Path() {
  for (const char *path :
       {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"}) {
    if (access(path, X_OK) == 0) return path;
  }
  return "";
}

Browser::Browser(const std::string &file, int width, int height, bool dark) {
  Chromium &chromium = Chromium::Running();
  context_ = chromium.Call("", "Target.createBrowserContext", "{}")["browserContextId"].text;
  std::string target = chromium
                           .Call("", "Target.createTarget",
                                 R"({"url":"about:blank","newWindow":true,"browserContextId":)" +
                                     QuoteText(context_) + "}")["targetId"]
                           .text;
  session_ = chromium
                 .Call("", "Target.attachToTarget",
                       R"({"flatten":true,"targetId":)" + QuoteText(target) + "}")["sessionId"]
                 .text;
  Call("Runtime.enable");
  Call("Log.enable");
  Call("Page.enable");
  Call("Emulation.setFocusEmulationEnabled", R"({"enabled":true})");
  Call("Emulation.setDeviceMetricsOverride", R"({"deviceScaleFactor":1,"mobile":false,"width":)" +
                                                 std::to_string(width) + R"(,"height":)" +
                                                 std::to_string(height) + "}");
  Call("Emulation.setEmulatedMedia",
       std::string(R"({"features":[{"name":"prefers-color-scheme","value":")") +
           (dark ? "dark" : "light") + "\"}]}");
  Open(file);
}

Browser::~Browser() {
  Chromium &chromium = Chromium::Running();
  chromium.Call("", "Target.disposeBrowserContext",
                R"({"browserContextId":)" + QuoteText(context_) + "}");
}

void Browser::Open(const std::string &file) {
  // With a query of its own, an address that differs only in its fragment is a new page too.
  size_t at = std::min(file.find('#'), file.size());
  std::string url =
      "file://" + file.substr(0, at) + "?" + std::to_string(++num_opened_) + file.substr(at);
  Call("Page.navigate", R"({"url":)" + QuoteText(url) + "}");
  Json ready =
      Call("Runtime.evaluate",
           R"({"awaitPromise":true,"returnByValue":true,"expression":)" + QuoteText(kReady) + "}");
  bool is_ready =
      ready.Has("result") && ready["result"].Has("value") && ready["result"]["value"].text == "yes";
  EXPECT_TRUE(is_ready) << "the page is not ready: " << url;
}

Json Browser::Call(const std::string &method, const std::string &parameters) {
  return Chromium::Running().Call(session_, method, parameters);
}

std::string Browser::Evaluate(const std::string &expression) {
  std::string script =
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => "
      "setTimeout(done)))).then(() => (" +
      expression + ")).then(String)";
  Json answer =
      Call("Runtime.evaluate",
           R"({"awaitPromise":true,"returnByValue":true,"expression":)" + QuoteText(script) + "}");
  if (!answer.Has("result")) return "";
  if (answer.Has("exceptionDetails")) {
    const Json &details = answer["exceptionDetails"];
    bool has_text = details.Has("exception") && details["exception"].Has("description");
    ADD_FAILURE() << (has_text ? details["exception"]["description"].text : "exception") << "\nin "
                  << expression;
  }
  return answer["result"].Has("value") ? answer["result"]["value"].text : "";
}

void Browser::Mouse(const char *type, double x, double y, const char *more) {
  Call("Input.dispatchMouseEvent", std::string(R"({"type":")") + type + R"(","x":)" +
                                       std::to_string(x) + R"(,"y":)" + std::to_string(y) + more +
                                       "}");
}

void Browser::Move(double x, double y) { Mouse("mouseMoved", x, y, ""); }

void Browser::Click(double x, double y) { Drag(x, y, x, y); }

void Browser::Drag(double from_x, double from_y, double to_x, double to_y) {
  Move(from_x, from_y);
  Mouse("mousePressed", from_x, from_y, R"(,"button":"left","buttons":1,"clickCount":1)");
  Mouse("mouseMoved", to_x, to_y, R"(,"button":"left","buttons":1)");
  Mouse("mouseReleased", to_x, to_y, R"(,"button":"left","clickCount":1)");
}

void Browser::Wheel(double x, double y, double delta) {
  Mouse("mouseWheel", x, y, (R"(,"deltaX":0,"deltaY":)" + std::to_string(delta)).c_str());
}

void Browser::Key(const std::string &key) {
  std::string text = key.size() == 1 ? R"(,"text":)" + QuoteText(key) : "";
  Call("Input.dispatchKeyEvent", R"({"type":"keyDown","key":)" + QuoteText(key) + text + "}");
  Call("Input.dispatchKeyEvent", R"({"type":"keyUp","key":)" + QuoteText(key) + "}");
}

void Browser::Type(const std::string &text) {
  Call("Input.insertText", R"({"text":)" + QuoteText(text) + "}");
}

std::vector<std::string> Browser::Errors() {
  Evaluate("0");  // reads all earlier messages
  return Chromium::Running().Errors(session_);
}
