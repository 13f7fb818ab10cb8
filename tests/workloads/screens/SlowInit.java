package screens;

/** Requests that wait for the static initializer of a class, which one of them runs. */
public final class SlowInit {
  static final class Config {
    static final int PORT = load();

    private static int load() {
      try {
        Thread.sleep(2500);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return 80;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Thread[] requests = new Thread[5];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = new Thread(SlowInit::serve, "request-" + (i + 1));
      requests[i].start();
    }
    for (Thread request : requests) request.join();
  }

  private static void serve() {
    if (Config.PORT == 0) throw new IllegalStateException();
  }
}
