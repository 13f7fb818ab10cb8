import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Loads, links and so verifies every class in some folders, without running their code. Prints a line
 * for each class that could not be linked, and the totals. The line starts with "fault" if the class
 * file is wrong, and with "missing" if another class is missing.
 *
 * <p>{@code LinkAll modules FOLDER}: each folder in FOLDER contains the classes of a module of this
 * JVM. The JVM must load the modules from there (--patch-module).
 *
 * <p>{@code LinkAll jars NAMES FOLDER...}: each folder in NAMES is named like a jar, and contains a file
 * for each of its classes to link. The classes themselves, and those that they need, are in the folders
 * of this name in the first FOLDER, or the next one.
 */
public final class LinkAll {
  private int linked;
  private int faults;
  private final Map<String, Integer> missing = new TreeMap<>();

  private LinkAll() {}

  /** Finds a class in one jar first, then in all jars. */
  private static final class JarLoader extends URLClassLoader {
    JarLoader(URL[] jar, ClassLoader all) {
      super(jar, all);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null) return known;
        if (findResource(name.replace('.', '/') + ".class") == null) {
          return super.loadClass(name, resolve);
        }
        return findClass(name);
      }
    }
  }

  private static List<Path> listFolders(String root) throws IOException {
    try (Stream<Path> found = Files.list(Paths.get(root))) {
      return found.filter(Files::isDirectory).sorted().collect(Collectors.toList());
    }
  }

  private static List<String> listClassNames(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      return found
          .map(file -> folder.relativize(file).toString())
          .filter(file -> file.endsWith(".class") && !file.startsWith("META-INF"))
          .filter(file -> !file.endsWith("module-info.class"))
          .map(file -> file.substring(0, file.length() - 6).replace(File.separatorChar, '.'))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  /** HotSpot links a class before it lists its constructors. */
  private static void link(String name, ClassLoader loader) throws ClassNotFoundException {
    Class.forName(name, false, loader).getDeclaredConstructors();
  }

  private void tryToLink(String name, ClassLoader loader) {
    try {
      link(name, loader);
      linked++;
    } catch (VerifyError | ClassFormatError e) {
      faults++;
      System.out.println("fault " + name + ": " + e);
    } catch (LinkageError | ClassNotFoundException | TypeNotPresentException e) {
      missing.merge(e.getClass().getSimpleName(), 1, Integer::sum);
      System.out.println("missing " + name + ": " + e.getClass().getSimpleName());
    }
  }

  private void linkModules(String root) throws IOException {
    for (Path module : listFolders(root)) {
      for (String name : listClassNames(module)) tryToLink(name, ClassLoader.getSystemClassLoader());
    }
  }

  /** Returns the folders of the jar, those of the first root first. */
  private static URL[] findJar(Path name, List<String> roots) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String root : roots) {
      Path folder = Paths.get(root).resolve(name);
      if (Files.isDirectory(folder)) urls.add(folder.toUri().toURL());
    }
    return urls.toArray(new URL[0]);
  }

  private void linkJars(String names, List<String> roots) throws IOException {
    Set<Path> jars = new TreeSet<>();
    for (String root : roots) {
      for (Path jar : listFolders(root)) jars.add(jar.getFileName());
    }
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) Collections.addAll(urls, findJar(jar, roots));
    ClassLoader all = new URLClassLoader(urls.toArray(new URL[0]));
    for (Path folder : listFolders(names)) {
      ClassLoader loader = new JarLoader(findJar(folder.getFileName(), roots), all);
      for (String name : listClassNames(folder)) tryToLink(name, loader);
    }
  }

  /** Makes a class that every verifier rejects: it returns an int from an empty stack. */
  private static byte[] makeBrokenClass() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0xCAFEBABE);
    out.writeInt(52);
    out.writeShort(8);
    String[] texts = {"Broken", "java/lang/Object", "run", "()I", "Code"};
    for (String text : texts) {
      out.writeByte(1);
      out.writeUTF(text);
    }
    out.write(new byte[] {7, 0, 1, 7, 0, 2}); // the classes, 6 and 7
    out.write(new byte[] {0, 0x21, 0, 6, 0, 7, 0, 0, 0, 0, 0, 1}); // one method
    out.write(new byte[] {0, 9, 0, 3, 0, 4, 0, 1, 0, 5, 0, 0, 0, 13});
    out.write(new byte[] {0, 1, 0, 0, 0, 0, 0, 1, (byte) 0xAC, 0, 0, 0, 0});
    out.writeShort(0);
    return bytes.toByteArray();
  }

  /** Makes sure that this JVM verifies classes; otherwise every class would pass. */
  private static void checkThatLinkingVerifies() throws Exception {
    byte[] broken = makeBrokenClass();
    ClassLoader loader =
        new ClassLoader() {
          @Override
          protected Class<?> findClass(String name) {
            return defineClass(name, broken, 0, broken.length);
          }
        };
    try {
      link("Broken", loader);
      throw new Error("a broken class was linked: this JVM does not verify");
    } catch (VerifyError expected) {
      // the JVM verifies
    }
  }

  private static Object readCount(String field) throws ReflectiveOperationException {
    return Class.forName("java.lang.RewriteHook").getField(field).get(null);
  }

  public static void main(String[] args) throws Exception {
    checkThatLinkingVerifies();
    LinkAll all = new LinkAll();
    if (args[0].equals("modules")) {
      all.linkModules(args[1]);
    } else {
      all.linkJars(args[1], Arrays.asList(args).subList(2, args.length));
    }
    System.out.printf(
        "%d linked, %d with another class missing %s, %d verify errors; %s entries, %s returns (%s"
            + " with a value), %s exceptions, %s + %s at monitors, %s calls, %s objects%n",
        all.linked, all.missing.values().stream().mapToInt(n -> n).sum(), all.missing, all.faults,
        readCount("entered"), readCount("left"), readCount("values"), readCount("thrown"),
        readCount("locks"), readCount("unlocks"), readCount("counted"), readCount("made"));
  }
}
