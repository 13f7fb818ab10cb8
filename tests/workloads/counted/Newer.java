package counted;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Methods that only newer JDKs have, called by reflection. */
final class Newer {
    private Newer() {}

    /** Returns the feature version of this Java: 8, 11, 25. */
    static int javaVersion() {
        String version = System.getProperty("java.specification.version");
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }

    /** Returns the public method, or null if this JDK has none. */
    static Method find(Class<?> owner, String name, Class<?>... parameters) {
        try {
            return owner.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    static Object call(Method method, Object receiver, Object... arguments) throws Exception {
        try {
            return method.invoke(receiver, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception) {
                throw (Exception) e.getCause();
            }
            throw e;
        }
    }
}
