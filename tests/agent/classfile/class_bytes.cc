#include "tests/agent/classfile/class_bytes.h"

#include <stdexcept>

std::string U1(uint32_t n) { return std::string(1, static_cast<char>(n)); }
std::string U2(uint32_t n) { return U1(n >> 8) + U1(n); }
std::string U4(uint32_t n) { return U2(n >> 16) + U2(n); }

std::string Bytes(std::initializer_list<int> bytes) {
  std::string s;
  for (int b : bytes) s += static_cast<char>(b);
  return s;
}

struct span MakeSpan(const std::string &s) {
  return {s.data(), s.size()};
}

std::string MakeText(struct span s) { return {s.data, s.len}; }

std::string TakeBytes(struct builder *b) {
  std::string out(b->data == nullptr ? "" : b->data, b->len);
  builder_free(b);
  return out;
}

std::string CodeBytes::Attribute(const std::string &name) const {
  for (const auto &attribute : attributes) {
    if (attribute.first == name) return attribute.second;
  }
  return "";
}

/* --- making ------------------------------------------------------------------------ */

ClassMaker::ClassMaker(int version) : version_(version) {
  this_ = Class("Made");
  super_ = Class("java/lang/Object");
}

uint32_t ClassMaker::Add(const std::string &entry, uint32_t numbers) {
  auto known = known_.find(entry);
  if (known != known_.end()) return known->second;
  pool_ += entry;
  uint32_t index = pool_count_;
  pool_count_ += numbers;
  return known_[entry] = index;
}

uint32_t ClassMaker::Utf8(const std::string &text) {
  return Add(U1(1) + U2(static_cast<uint32_t>(text.size())) + text);
}

uint32_t ClassMaker::Class(const std::string &name) { return Add(U1(7) + U2(Utf8(name))); }

uint32_t ClassMaker::Long(uint64_t n) {
  return Add(U1(5) + U4(static_cast<uint32_t>(n >> 32)) + U4(static_cast<uint32_t>(n)), 2);
}

uint32_t ClassMaker::Method(const std::string &class_name, const std::string &name,
                            const std::string &descriptor) {
  uint32_t class_index = Class(class_name);
  uint32_t type = Add(U1(12) + U2(Utf8(name)) + U2(Utf8(descriptor)));
  return Add(U1(10) + U2(class_index) + U2(type));
}

void ClassMaker::FillPool(uint32_t count) {
  for (; pool_count_ < count; pool_count_++) pool_ += U1(3) + U4(0x40000000 + pool_count_);
}

void ClassMaker::AddField(const std::string &name, const std::string &descriptor) {
  fields_ += U2(0) + U2(Utf8(name)) + U2(Utf8(descriptor)) + U2(1);
  fields_ += U2(Utf8("Synthetic")) + U4(0);
  num_fields_++;
}

std::string ClassMaker::Attribute(const std::string &name, const std::string &body) {
  return U2(Utf8(name)) + U4(static_cast<uint32_t>(body.size())) + body;
}

void ClassMaker::AddMember(uint32_t flags, const std::string &name, const std::string &descriptor,
                           const NamedBodies &attributes) {
  methods_ += U2(flags) + U2(Utf8(name)) + U2(Utf8(descriptor));
  methods_ += U2(static_cast<uint32_t>(attributes.size()));
  for (const auto &a : attributes) methods_ += Attribute(a.first, a.second);
  num_methods_++;
}

void ClassMaker::AddMethod(uint32_t flags, const std::string &name, const std::string &descriptor,
                           const CodeBytes &code, const NamedBodies &more) {
  std::string body = U2(code.max_stack) + U2(code.max_locals) +
                     U4(static_cast<uint32_t>(code.code.size())) + code.code +
                     U2(static_cast<uint32_t>(code.handlers.size()));
  for (const Handler &h : code.handlers)
    body += U2(h.start) + U2(h.end) + U2(h.handler) + U2(h.type);
  body += U2(static_cast<uint32_t>(code.attributes.size()));
  for (const auto &a : code.attributes) body += Attribute(a.first, a.second);
  NamedBodies attributes = {{"Code", body}, {"Deprecated", ""}};
  attributes.insert(attributes.end(), more.begin(), more.end());
  AddMember(flags, name, descriptor, attributes);
}

void ClassMaker::AddMethodWithoutCode(uint32_t flags, const std::string &name,
                                      const std::string &descriptor,
                                      const NamedBodies &attributes) {
  AddMember(flags, name, descriptor, attributes);
}

void ClassMaker::AddAttribute(const std::string &name, const std::string &body) {
  attributes_ += Attribute(name, body);
  num_attributes_++;
}

std::string ClassMaker::Make() const {
  return U4(0xCAFEBABE) + U4(static_cast<uint32_t>(version_)) + U2(pool_count_) + pool_ + U2(0x21) +
         U2(this_) + U2(super_) + U2(0) + U2(num_fields_) + fields_ + U2(num_methods_) + methods_ +
         U2(num_attributes_) + attributes_;
}

/* --- reading ------------------------------------------------------------------------- */

namespace {

class Reader {
 public:
  explicit Reader(const std::string &bytes) : bytes_(bytes) {}

  std::string Take(size_t n) {
    if (bytes_.size() - at_ < n) throw std::runtime_error("the class file is cut off");
    at_ += n;
    return bytes_.substr(at_ - n, n);
  }

  uint32_t TakeNumber(size_t bytes) {
    uint32_t n = 0;
    for (char c : Take(bytes)) n = n << 8 | static_cast<uint8_t>(c);
    return n;
  }

  bool IsDone() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

std::string TakeEntry(Reader *in) {
  static const size_t sizes[] = {0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2};
  uint32_t tag = in->TakeNumber(1);
  if (tag == 1) {
    uint32_t length = in->TakeNumber(2);
    return U1(1) + U2(length) + in->Take(length);
  }
  return U1(tag) + in->Take(sizes[tag]);
}

CodeBytes TakeCode(const ClassParts &c, const std::string &body) {
  Reader in(body);
  CodeBytes code;
  code.max_stack = in.TakeNumber(2);
  code.max_locals = in.TakeNumber(2);
  code.code = in.Take(in.TakeNumber(4));
  for (uint32_t left = in.TakeNumber(2); left > 0; left--) {
    uint32_t start = in.TakeNumber(2), end = in.TakeNumber(2), handler = in.TakeNumber(2);
    code.handlers.push_back({start, end, handler, in.TakeNumber(2)});
  }
  for (uint32_t left = in.TakeNumber(2); left > 0; left--) {
    std::string name = c.Text(in.TakeNumber(2));
    code.attributes.emplace_back(name, in.Take(in.TakeNumber(4)));
  }
  if (!in.IsDone()) throw std::runtime_error("a Code attribute is too long");
  return code;
}

void TakeMembers(Reader *in, ClassParts *c) {
  for (uint32_t left = in->TakeNumber(2); left > 0; left--) {
    in->TakeNumber(2);
    std::string name = c->Text(in->TakeNumber(2));
    name += c->Text(in->TakeNumber(2));
    for (uint32_t attributes = in->TakeNumber(2); attributes > 0; attributes--) {
      std::string attribute = c->Text(in->TakeNumber(2)), body = in->Take(in->TakeNumber(4));
      if (attribute == "Code") c->methods[name] = TakeCode(*c, body);
    }
  }
}

uint32_t ReadOperand(const std::string &entry, size_t at) {
  return static_cast<uint32_t>(static_cast<uint8_t>(entry.at(at)) << 8 |
                               static_cast<uint8_t>(entry.at(at + 1)));
}

}  // namespace

std::string ClassParts::Text(uint32_t index) const { return pool.at(index).substr(3); }

std::string ClassParts::ClassName(uint32_t index) const {
  return Text(ReadOperand(pool.at(index), 1));
}

std::string ClassParts::MethodName(uint32_t index) const {
  const std::string &method = pool.at(index), &type = pool.at(ReadOperand(method, 3));
  return ClassName(ReadOperand(method, 1)) + "." + Text(ReadOperand(type, 1)) +
         Text(ReadOperand(type, 3));
}

ClassParts ReadParts(const std::string &class_file) {
  Reader in(class_file);
  ClassParts c;
  in.Take(8);
  uint32_t count = in.TakeNumber(2);
  c.pool.emplace_back();
  while (c.pool.size() < count) {
    c.pool.push_back(TakeEntry(&in));
    if (c.pool.back()[0] == 5 || c.pool.back()[0] == 6) c.pool.emplace_back();
  }
  in.Take(6);
  in.Take(2 * in.TakeNumber(2));
  TakeMembers(&in, &c);
  TakeMembers(&in, &c);
  for (uint32_t left = in.TakeNumber(2); left > 0; left--) {
    in.TakeNumber(2);
    in.Take(in.TakeNumber(4));
  }
  if (!in.IsDone()) throw std::runtime_error("the class file is too long");
  return c;
}
