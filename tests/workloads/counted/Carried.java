package counted;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * A virtual thread that only computes, so that it never leaves its carrier. It begins when the file BEGIN exists, and
 * ends when the file END exists.
 */
final class Carried {
    private static volatile boolean isOver;
    private static long rounds;

    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        await(Paths.get(args[0]));
        Thread thread = Virtual.start("burner", Carried::compute);
        System.out.println("burner " + Spelling.hash(thread));
        await(Paths.get(args[1]));
        isOver = true;
        thread.join();
        System.out.println("rounds " + rounds);
    }

    private static void await(Path file) throws InterruptedException {
        while (!Files.exists(file)) {
            Thread.sleep(5);
        }
    }

    private static void compute() {
        while (!isOver) {
            rounds++;
        }
    }
}
