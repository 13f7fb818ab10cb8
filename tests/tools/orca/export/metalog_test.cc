#include "tests/tools/orca/export/exported.h"

namespace {

TEST(Metalog, WritesClassesThenMethods) {
  EXPECT_EQ(Exported().ExportAs("metalog"),
            "Ljava/lang/Object;,Object.java\n"
            "Ljava/lang/Thread;,Thread.java\n"
            "Ljava/util/concurrent/Semaphore;,Semaphore.java\n"
            "Lcom/acme/OrderService;,OrderService.java\n"
            "Lcom/acme/Inventory;,Inventory.java\n"
            "Ljava/util/HashMap;,HashMap.java\n"
            "Lsun/nio/ch/EPoll;,EPoll.java\n"
            "00000001,wait,(J)V,Ljava/lang/Object;,-1\n"
            "00000002,notifyAll,()V,Ljava/lang/Object;,-1\n"
            "00000003,sleep,(J)V,Ljava/lang/Thread;,-1\n"
            "00000004,join,()V,Ljava/lang/Thread;,-1\n"
            "00000005,acquire,()V,Ljava/util/concurrent/Semaphore;,1,00000000,0000013E\n"
            "00000006,release,()V,Ljava/util/concurrent/Semaphore;,1,00000000,000001B0\n"
            "00000010,price,()V,Lcom/acme/OrderService;,2,00000000,00000058,00000010,0000005A\n"
            "00000011,run,()V,Lcom/acme/OrderService;,1,00000000,00000014\n"
            "00000012,reserve,()V,Lcom/acme/Inventory;,1,00000000,0000002A\n"
            "00000013,get,()V,Ljava/util/HashMap;,1,00000000,0000023B\n"
            "00000014,wait,()I,Lsun/nio/ch/EPoll;,-1\n");
}

TEST(Metalog, HandlesEmptyTablesAndRepeatedClasses) {
  Exported e;
  e.files().Write(DUMP_CLASSES,
                  "100.0000000000,000000C1,La\\u002Cb;,\n"
                  "100.0000000001,000000C1,La\\u002Cb;,Later.java\n");
  e.files().Write(DUMP_METHODS,
                  "100.0000000000,00000001,x,()V,000000C1,0\n"
                  "100.0000000001,00000002,y,()V,000000C9,-1\n");
  EXPECT_EQ(e.ExportAs("metalog"),
            "La\\u002Cb;,\n"
            "00000001,x,()V,La\\u002Cb;,-1\n"
            "00000002,y,()V,,-1\n");
}

}  // namespace
