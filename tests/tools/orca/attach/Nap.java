/** Does nothing for two minutes; says when it begins to. */
public class Nap {
  public static void main(String[] args) throws InterruptedException {
    System.out.println("napping");
    Thread.sleep(120_000);
  }
}
