package bugs;

import java.util.HashMap;
import java.util.Map;

/** Run with -Xmx72m (serial collector on a small machine): a build whose model nearly fills the heap. */
public class HeapFull {
  static final Map<Integer, String> model = new HashMap<>();

  static int resolve(int module) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 40; i++) text.append("dependency ").append(module + i).append(';');
    return text.toString().hashCode();
  }

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 520_000; i++) model.put(i, "module " + i);
    System.out.println("model complete");
    long end = System.nanoTime() + 6_000_000_000L;
    int modules = 0;
    int sum = 0;
    while (System.nanoTime() < end) {
      sum += resolve(modules++);
      model.put(modules % 520_000, "module " + sum);
    }
    long gc = 0;
    long count = 0;
    for (var bean : java.lang.management.ManagementFactory.getGarbageCollectorMXBeans()) {
      gc += bean.getCollectionTime();
      count += bean.getCollectionCount();
    }
    System.out.println("modules " + modules + ", collections " + count + ", " + gc + " ms");
  }
}
