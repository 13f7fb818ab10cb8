#pragma once
/* Class files for tests: a maker, and a reader that shares no code with the rewriter's. */
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agent/base/bytes.h"

/* Numbers, most significant byte first: U2(1) is "\0\1". */
std::string U1(uint32_t n);
std::string U2(uint32_t n);
std::string U4(uint32_t n);

/* A string of these bytes: Bytes({0x2a, 0xb1}). */
std::string Bytes(std::initializer_list<int> bytes);

struct span MakeSpan(const std::string &s);
std::string MakeText(struct span s);

/* Returns the bytes of a builder and empties the builder. */
std::string TakeBytes(struct builder *b);

struct Handler {
  uint32_t start, end, handler, type;
  bool operator==(const Handler &o) const {
    return start == o.start && end == o.end && handler == o.handler && type == o.type;
  }
};

struct CodeBytes {
  uint32_t max_stack = 0, max_locals = 0;
  std::string code;
  std::vector<Handler> handlers;
  std::vector<std::pair<std::string, std::string>> attributes; /* name and body, in order */

  /* Returns the body of an attribute; "" if there is none of this name. */
  std::string Attribute(const std::string &name) const;
};

/* The names and bodies of attributes. */
using NamedBodies = std::vector<std::pair<std::string, std::string>>;

/* Makes a class file of the class "Made", whose superclass is "java/lang/Object". */
class ClassMaker {
 public:
  explicit ClassMaker(int version = 52);

  /* These find or add an entry of the constant pool and return its number. */
  uint32_t Utf8(const std::string &text);
  uint32_t Class(const std::string &name);
  uint32_t Method(const std::string &class_name, const std::string &name,
                  const std::string &descriptor);
  uint32_t Long(uint64_t n);
  /* Adds entries to the constant pool until constant_pool_count is `count`. */
  void FillPool(uint32_t count);

  void AddField(const std::string &name, const std::string &descriptor);
  void AddMethod(uint32_t flags, const std::string &name, const std::string &descriptor,
                 const CodeBytes &code, const NamedBodies &more = {});
  void AddMethodWithoutCode(uint32_t flags, const std::string &name, const std::string &descriptor,
                            const NamedBodies &attributes = {});
  void AddAttribute(const std::string &name, const std::string &body);

  void set_super(uint32_t super_class) { super_ = super_class; }
  std::string Make() const;

 private:
  uint32_t Add(const std::string &entry, uint32_t numbers = 1);
  std::string Attribute(const std::string &name, const std::string &body);
  void AddMember(uint32_t flags, const std::string &name, const std::string &descriptor,
                 const NamedBodies &attributes);

  int version_;
  uint32_t pool_count_ = 1, num_fields_ = 0, num_methods_ = 0, num_attributes_ = 0, this_, super_;
  std::map<std::string, uint32_t> known_;
  std::string pool_, fields_, methods_, attributes_;
};

/* The parts of a class file. */
struct ClassParts {
  std::vector<std::string> pool;            /* entry i with its tag; "": no entry has number i */
  std::map<std::string, CodeBytes> methods; /* by name and descriptor: "run()V" */

  std::string Text(uint32_t index) const;       /* of a Utf8 entry */
  std::string ClassName(uint32_t index) const;  /* "java/lang/Object" */
  std::string MethodName(uint32_t index) const; /* "Hook.enter(Ljava/lang/Object;I)V" */
};

/* Reads the parts of a class file. Throws an exception if it is malformed. */
ClassParts ReadParts(const std::string &class_file);
