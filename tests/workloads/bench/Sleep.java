package bench;

/** Thread.sleep(0): an event at the entry, one at the exit. */
final class Sleep {
  private Sleep() {}

  public static void main(String[] args) throws Exception {
    Timing.print(args, 2, Sleep::run);
  }

  private static void run(int size) throws InterruptedException {
    for (int i = 0; i < size; i++) Thread.sleep(0);
  }
}
