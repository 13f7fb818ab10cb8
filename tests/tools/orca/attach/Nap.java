/** Prints "napping" and then sleeps for two minutes. */
public class Nap {
  public static void main(String[] args) throws InterruptedException {
    System.out.println("napping");
    Thread.sleep(120_000);
  }
}
