package bugs;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Run with -XX:MaxDirectMemorySize=48m: each request has a direct buffer, which only a collection frees. */
public class DirectBuffers {
  static final Map<Integer, String> catalogue = new HashMap<>();

  static int serve(int request) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    buffer.putInt(0, request);
    return buffer.getInt(0);
  }

  public static void main(String[] args) {
    for (int i = 0; i < 300_000; i++) catalogue.put(i, "article " + i);
    long end = System.nanoTime() + 3_000_000_000L, sum = 0;
    int requests = 0;
    while (System.nanoTime() < end) sum += serve(requests++);
    System.out.println("requests " + requests + ", sum " + sum + ", articles " + catalogue.size());
  }
}
