package family;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that starts JVMs: two at the same time, then another one. It exits with the number of
 * those that failed.
 *
 * <p>With the arguments "child NAME MILLISECONDS" it uses so much CPU time, and starts nothing. A further
 * argument is a file for which it waits. If the variable FAMILY_FOLDER is set, each JVM lives until there
 * is a recording of it in this folder.
 */
final class Parent {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Object MONITOR = new Object();
    private static final long HARD_MILLIS = 1500;

    private Parent() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            work(Long.parseLong(args[2]));
            while (args.length > 3 && !new File(args[3]).exists()) {
                Thread.sleep(10);
            }
            awaitRecording();
            System.out.println("child " + args[1] + " is done");
            return;
        }
        List<Process> children = new ArrayList<>();
        children.add(startChild("hard", HARD_MILLIS));
        children.add(startChild("easy", 50));
        int failures = 0;
        while (children.stream().anyMatch(Process::isAlive)) {
            causeEvents();
        }
        children.add(startChild("late", 50));
        awaitRecording();
        for (Process child : children) {
            failures += child.waitFor() == 0 ? 0 : 1;
        }
        System.out.println(failures + " children failed");
        System.exit(failures);
    }

    private static Process startChild(String name, long millis) throws Exception {
        String java = System.getProperty("java.home") + "/bin/java";
        String classes = System.getProperty("java.class.path");
        return new ProcessBuilder(
                        java, "-XX:-UsePerfData", "-cp", classes, "family.Parent", "child", name, "" + millis)
                .inheritIO()
                .start();
    }

    /**
     * With a small maxsize, the recording of the parent begins new sets of files all the time. It stops at
     * a fifth of the CPU time of the child "hard", which has to be the one that worked most.
     */
    private static void causeEvents() throws InterruptedException {
        if (THREADS.getCurrentThreadCpuTime() < HARD_MILLIS * 1000000 / 5) {
            for (int i = 0; i < 50; i++) {
                synchronized (MONITOR) {
                    MONITOR.notifyAll();
                }
            }
            Thread.sleep(1);
        } else {
            Thread.sleep(20); // uses hardly any CPU time, also if the child needs long
        }
    }

    private static void awaitRecording() throws Exception {
        String folder = System.getenv("FAMILY_FOLDER");
        String name = ManagementFactory.getRuntimeMXBean().getName(); // PID@HOST
        while (folder != null && !hasRecording(new File(folder), "pid=" + name.split("@")[0])) {
            Thread.sleep(10);
        }
    }

    private static boolean hasRecording(File folder, String line) throws Exception {
        for (File file : folder.listFiles()) {
            if (file.getName().endsWith(".info") && Files.readAllLines(file.toPath()).contains(line)) {
                return true;
            }
        }
        return false;
    }

    private static void work(long millis) {
        while (THREADS.getCurrentThreadCpuTime() < millis * 1000000) {
            Math.sin(THREADS.hashCode());
        }
    }
}
