package bugs;

import java.util.ArrayList;
import java.util.List;

/** A static initializer asks for a lock, whose owner needs the class; and one joins a thread that needs the class. */
public class DriverInit {
  static class Registry {
    private final List<String> names = new ArrayList<>();

    synchronized void register(String name) {
      names.add(name);
    }

    synchronized String load() {
      pause(300);
      return Driver.name();
    }
  }

  static final Registry registry = new Registry();

  static class Driver {
    static {
      pause(100);
      registry.register("driver");
    }

    static String name() {
      return "driver";
    }
  }

  static class Pool {
    static final List<String> sizes = new ArrayList<>();

    static {
      Thread warmer = new Thread(Pool::warm, "warmer");
      warmer.start();
      try {
        warmer.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    static void warm() {
      sizes.add("warm");
    }
  }

  static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static void startPool() {
    System.out.println(Pool.sizes.size());
  }

  public static void main(String[] args) throws Exception {
    Thread loader = new Thread(() -> System.out.println(registry.load()), "loader");
    Thread opener = new Thread(() -> System.out.println(Driver.name()), "opener");
    Thread starter = new Thread(DriverInit::startPool, "starter");
    loader.start();
    Thread.sleep(100);
    opener.start();
    starter.start();
    loader.join();
    opener.join();
    starter.join();
  }
}
