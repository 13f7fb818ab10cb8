package bugs;

/** The start of an application fails and exits under the lock that its shutdown hook needs. */
public class ExitUnderLock {
  static class Context {
    final Object startStop = new Object();
    boolean running;

    void refresh(boolean licensed) {
      synchronized (startStop) {
        if (!licensed) {
          System.out.println("no license");
          System.exit(3);
        }
        running = true;
      }
    }

    void close() {
      synchronized (startStop) {
        running = false;
        System.out.println("closed");
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Context context = new Context();
    Runtime.getRuntime().addShutdownHook(new Thread(context::close, "context-closer"));
    Thread.sleep(500);
    context.refresh(false);
  }
}
