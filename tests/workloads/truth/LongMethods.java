package truth;

/** Long methods without a loop, too large to be inlined: nothing polls inside. */
final class LongMethods {
  private static final long M = 6364136223846793005L;

  private LongMethods() {}

  public static void main(String[] args) throws Exception {
    Shares.print(args, LongMethods.class, LongMethods::run, "first", "second", "third");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.more()) {
      for (int i = 0; i < 5000; i++) x = first(x);
      shares.lap(0);
      for (int i = 0; i < 3000; i++) x = second(x);
      shares.lap(1);
      for (int i = 0; i < 2000; i++) x = third(x);
      shares.lap(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long first(long x) {
    x = x * M + 1; x = x * M + 2; x = x * M + 3; x = x * M + 4; x = x * M + 5; x = x * M + 6;
    x = x * M + 7; x = x * M + 8; x = x * M + 9; x = x * M + 10; x = x * M + 11; x = x * M + 12;
    x = x * M + 13; x = x * M + 14; x = x * M + 15; x = x * M + 16; x = x * M + 17; x = x * M + 18;
    x = x * M + 19; x = x * M + 20; x = x * M + 21; x = x * M + 22; x = x * M + 23; x = x * M + 24;
    x = x * M + 25; x = x * M + 26; x = x * M + 27; x = x * M + 28; x = x * M + 29; x = x * M + 30;
    x = x * M + 31; x = x * M + 32; x = x * M + 33; x = x * M + 34; x = x * M + 35; x = x * M + 36;
    x = x * M + 37; x = x * M + 38; x = x * M + 39; x = x * M + 40; x = x * M + 41; x = x * M + 42;
    x = x * M + 43; x = x * M + 44; x = x * M + 45; x = x * M + 46; x = x * M + 47; x = x * M + 48;
    x = x * M + 49; x = x * M + 50; x = x * M + 51; x = x * M + 52; x = x * M + 53; x = x * M + 54;
    x = x * M + 55; x = x * M + 56; x = x * M + 57; x = x * M + 58; x = x * M + 59; x = x * M + 60;
    x = x * M + 61; x = x * M + 62; x = x * M + 63; x = x * M + 64; x = x * M + 65; x = x * M + 66;
    x = x * M + 67; x = x * M + 68; x = x * M + 69; x = x * M + 70; x = x * M + 71; x = x * M + 72;
    x = x * M + 73; x = x * M + 74; x = x * M + 75; x = x * M + 76; x = x * M + 77; x = x * M + 78;
    x = x * M + 79; x = x * M + 80; x = x * M + 81; x = x * M + 82; x = x * M + 83; x = x * M + 84;
    x = x * M + 85; x = x * M + 86; x = x * M + 87; x = x * M + 88; x = x * M + 89; x = x * M + 90;
    x = x * M + 91; x = x * M + 92; x = x * M + 93; x = x * M + 94; x = x * M + 95; x = x * M + 96;
    x = x * M + 97; x = x * M + 98; x = x * M + 99; x = x * M + 100; x = x * M + 101; x = x * M + 102;
    x = x * M + 103; x = x * M + 104; x = x * M + 105; x = x * M + 106; x = x * M + 107; x = x * M + 108;
    x = x * M + 109; x = x * M + 110; x = x * M + 111; x = x * M + 112; x = x * M + 113; x = x * M + 114;
    x = x * M + 115; x = x * M + 116; x = x * M + 117; x = x * M + 118; x = x * M + 119; x = x * M + 120;
    return x;
  }

  private static long second(long x) {
    x = x * M + 1; x = x * M + 2; x = x * M + 3; x = x * M + 4; x = x * M + 5; x = x * M + 6;
    x = x * M + 7; x = x * M + 8; x = x * M + 9; x = x * M + 10; x = x * M + 11; x = x * M + 12;
    x = x * M + 13; x = x * M + 14; x = x * M + 15; x = x * M + 16; x = x * M + 17; x = x * M + 18;
    x = x * M + 19; x = x * M + 20; x = x * M + 21; x = x * M + 22; x = x * M + 23; x = x * M + 24;
    x = x * M + 25; x = x * M + 26; x = x * M + 27; x = x * M + 28; x = x * M + 29; x = x * M + 30;
    x = x * M + 31; x = x * M + 32; x = x * M + 33; x = x * M + 34; x = x * M + 35; x = x * M + 36;
    x = x * M + 37; x = x * M + 38; x = x * M + 39; x = x * M + 40; x = x * M + 41; x = x * M + 42;
    x = x * M + 43; x = x * M + 44; x = x * M + 45; x = x * M + 46; x = x * M + 47; x = x * M + 48;
    x = x * M + 49; x = x * M + 50; x = x * M + 51; x = x * M + 52; x = x * M + 53; x = x * M + 54;
    x = x * M + 55; x = x * M + 56; x = x * M + 57; x = x * M + 58; x = x * M + 59; x = x * M + 60;
    x = x * M + 61; x = x * M + 62; x = x * M + 63; x = x * M + 64; x = x * M + 65; x = x * M + 66;
    x = x * M + 67; x = x * M + 68; x = x * M + 69; x = x * M + 70; x = x * M + 71; x = x * M + 72;
    x = x * M + 73; x = x * M + 74; x = x * M + 75; x = x * M + 76; x = x * M + 77; x = x * M + 78;
    x = x * M + 79; x = x * M + 80; x = x * M + 81; x = x * M + 82; x = x * M + 83; x = x * M + 84;
    x = x * M + 85; x = x * M + 86; x = x * M + 87; x = x * M + 88; x = x * M + 89; x = x * M + 90;
    x = x * M + 91; x = x * M + 92; x = x * M + 93; x = x * M + 94; x = x * M + 95; x = x * M + 96;
    x = x * M + 97; x = x * M + 98; x = x * M + 99; x = x * M + 100; x = x * M + 101; x = x * M + 102;
    x = x * M + 103; x = x * M + 104; x = x * M + 105; x = x * M + 106; x = x * M + 107; x = x * M + 108;
    x = x * M + 109; x = x * M + 110; x = x * M + 111; x = x * M + 112; x = x * M + 113; x = x * M + 114;
    x = x * M + 115; x = x * M + 116; x = x * M + 117; x = x * M + 118; x = x * M + 119; x = x * M + 120;
    return x;
  }

  private static long third(long x) {
    x = x * M + 1; x = x * M + 2; x = x * M + 3; x = x * M + 4; x = x * M + 5; x = x * M + 6;
    x = x * M + 7; x = x * M + 8; x = x * M + 9; x = x * M + 10; x = x * M + 11; x = x * M + 12;
    x = x * M + 13; x = x * M + 14; x = x * M + 15; x = x * M + 16; x = x * M + 17; x = x * M + 18;
    x = x * M + 19; x = x * M + 20; x = x * M + 21; x = x * M + 22; x = x * M + 23; x = x * M + 24;
    x = x * M + 25; x = x * M + 26; x = x * M + 27; x = x * M + 28; x = x * M + 29; x = x * M + 30;
    x = x * M + 31; x = x * M + 32; x = x * M + 33; x = x * M + 34; x = x * M + 35; x = x * M + 36;
    x = x * M + 37; x = x * M + 38; x = x * M + 39; x = x * M + 40; x = x * M + 41; x = x * M + 42;
    x = x * M + 43; x = x * M + 44; x = x * M + 45; x = x * M + 46; x = x * M + 47; x = x * M + 48;
    x = x * M + 49; x = x * M + 50; x = x * M + 51; x = x * M + 52; x = x * M + 53; x = x * M + 54;
    x = x * M + 55; x = x * M + 56; x = x * M + 57; x = x * M + 58; x = x * M + 59; x = x * M + 60;
    x = x * M + 61; x = x * M + 62; x = x * M + 63; x = x * M + 64; x = x * M + 65; x = x * M + 66;
    x = x * M + 67; x = x * M + 68; x = x * M + 69; x = x * M + 70; x = x * M + 71; x = x * M + 72;
    x = x * M + 73; x = x * M + 74; x = x * M + 75; x = x * M + 76; x = x * M + 77; x = x * M + 78;
    x = x * M + 79; x = x * M + 80; x = x * M + 81; x = x * M + 82; x = x * M + 83; x = x * M + 84;
    x = x * M + 85; x = x * M + 86; x = x * M + 87; x = x * M + 88; x = x * M + 89; x = x * M + 90;
    x = x * M + 91; x = x * M + 92; x = x * M + 93; x = x * M + 94; x = x * M + 95; x = x * M + 96;
    x = x * M + 97; x = x * M + 98; x = x * M + 99; x = x * M + 100; x = x * M + 101; x = x * M + 102;
    x = x * M + 103; x = x * M + 104; x = x * M + 105; x = x * M + 106; x = x * M + 107; x = x * M + 108;
    x = x * M + 109; x = x * M + 110; x = x * M + 111; x = x * M + 112; x = x * M + 113; x = x * M + 114;
    x = x * M + 115; x = x * M + 116; x = x * M + 117; x = x * M + 118; x = x * M + 119; x = x * M + 120;
    return x;
  }
}
