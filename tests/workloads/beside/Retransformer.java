package beside;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.Semaphore;

/** Another agent, which has tracked classes transformed, into what they are. */
public final class Retransformer implements ClassFileTransformer {
    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
            ProtectionDomain domain, byte[] bytes) {
        return bytes;
    }

    /** Before the program begins, and again while it runs. */
    public static void premain(String options, Instrumentation jvm) throws Exception {
        jvm.addTransformer(new Retransformer(), true);
        jvm.retransformClasses(Thread.class, Semaphore.class);
        Thread again = new Thread(() -> repeat(jvm), "retransformer");
        again.setDaemon(true);
        again.start();
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
