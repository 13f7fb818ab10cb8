package usecases;

/** Prints the facts of a use case that its test checks: a line "fact NAME VALUE" for each. */
final class Facts {
    private Facts() {
    }

    static void say(String name, Object value) {
        System.out.println("fact " + name + " " + value);
    }

    /** Returns the place of the caller as views show it: "Main.run:12". */
    static String here() {
        StackTraceElement caller = new Throwable().getStackTrace()[1];
        String name = caller.getClassName();
        return name.substring(name.lastIndexOf('.') + 1) + "." + caller.getMethodName() + ":"
                + caller.getLineNumber();
    }

    static void join(Thread... threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static Thread start(String name, Runnable run) {
        Thread thread = new Thread(run, name);
        thread.start();
        return thread;
    }

    static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
