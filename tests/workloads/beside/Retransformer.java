package beside;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.Semaphore;

/** A second agent. It retransforms classes that Orca hooks, without changing their bytes. */
public final class Retransformer implements ClassFileTransformer {
    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
            ProtectionDomain domain, byte[] bytes) {
        return bytes;
    }

    /** Retransforms before the program starts, and repeatedly while it runs. */
    public static void premain(String options, Instrumentation jvm) throws Exception {
        jvm.addTransformer(new Retransformer(), true);
        jvm.retransformClasses(Thread.class, Semaphore.class);
        Thread repeater = new Thread(() -> repeat(jvm), "retransformer");
        repeater.setDaemon(true);
        repeater.start();
    }

    private static void repeat(Instrumentation jvm) {
        try {
            for (int i = 0; i < 5; i++) {
                Thread.sleep(20);
                jvm.retransformClasses(Thread.class, Semaphore.class);
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
