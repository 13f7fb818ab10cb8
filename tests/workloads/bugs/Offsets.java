package bugs;

/** A class that makes an instance of its subclass while it is initialized; two threads begin at both ends. */
public class Offsets {
  abstract static class Offset {
    static final int WIDTH = size();
    static final Offset EMPTY = new EmptyOffset();

    static int size() {
      try {
        Thread.sleep(300);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return 4;
    }

    abstract int first();
  }

  static class EmptyOffset extends Offset {
    static int made;

    EmptyOffset() {
      made++;
    }

    @Override
    int first() {
      return -1;
    }
  }

  static class RangeOffset extends Offset {
    @Override
    int first() {
      return WIDTH;
    }
  }

  static void compress() {
    System.out.println("compress " + Offset.EMPTY.first());
  }

  static void slice() {
    System.out.println("slice " + new EmptyOffset().first());
  }

  static void range() {
    System.out.println("range " + new RangeOffset().first());
  }

  public static void main(String[] args) throws Exception {
    Thread compress = new Thread(Offsets::compress, "compress");
    Thread slice = new Thread(Offsets::slice, "slice");
    Thread range = new Thread(Offsets::range, "range");
    compress.start();
    Thread.sleep(100);
    slice.start();
    Thread.sleep(400);
    range.start();
    compress.join();
    slice.join();
    range.join();
  }
}
