package bench;

/** Calls Thread.sleep(0), which causes two events: at its entry and at its exit. */
final class Sleep {
  private Sleep() {}

  public static void main(String[] args) throws Exception {
    Timing.print(args, 2, Sleep::run);
  }

  private static void run(int size) throws InterruptedException {
    for (int i = 0; i < size; i++) Thread.sleep(0);
  }
}
