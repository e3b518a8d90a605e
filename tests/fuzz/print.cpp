// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/print.h"

#include <bit>
#include <cmath>
#include <cstdio>

#include "fuzz/collective.h"
#include "fuzz/image.h"
#include "fuzz/sub_group.h"
#include "fuzz/value.h"

namespace weft::fuzz {
namespace {

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  std::string print() {
    text_ = "#pragma OPENCL FP_CONTRACT OFF\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    for (const Structure& structure : program_.structs) {
      text_ += "struct " + structure.name + " {\n";
      for (const Structure::Field& field : structure.fields)
        text_ += "  " + declaration(field.type, field.name) + ";\n";
      text_ += "};\n";
    }
    for (const Variable& variable : program_.variables) {
      if (variable.kind != VariableKind::Table) continue;
      text_ += "constant " + declaration(variable.type, variable.name) + " = {";
      for (size_t i = 0; i < variable.initial.size(); ++i)
        text_ += (i ? ", " : "") + lane(variable.type.scalar, variable.initial[i]);
      text_ += "};\n";
    }
    for (const Variable& variable : program_.variables)
      if (variable.kind == VariableKind::Global)
        text_ += "global " + declaration(variable.type, variable.name) + ";\n";
    for (const Variable& sampler : program_.variables)
      if (sampler.kind == VariableKind::Sampler && !sampler.isArgument)
        text_ +=
            "constant sampler_t " + sampler.name + " = " + samplerText(sampler.initial[0]) + ";\n";
    // Helpers call those that stand after them.
    for (size_t f = program_.functions.size(); f-- > 0;) function(f);
    return std::move(text_);
  }

 private:
  static std::string name(Type type, const Program& program) {
    if (type.lanes == 0) return "void";
    if (type.structure >= 0)
      return "struct " + program.structs[static_cast<size_t>(type.structure)].name;
    return scalarName(type.scalar) + (type.lanes > 1 ? std::to_string(type.lanes) : "");
  }
  std::string name(Type type) const { return name(type, program_); }

  static const char* spaceName(Space space) {
    static constexpr std::array kNames{"private", "local", "global", "constant"};
    return kNames[static_cast<size_t>(space)];
  }

  std::string declaration(Type type, const std::string& variable) const {
    if (type.pointer)
      return std::string(spaceName(type.space)) + " " + name(type.element()) + "* " + variable;
    return name(type) + " " + variable + (type.array ? "[" + std::to_string(type.array) + "]" : "");
  }

  static std::string object(const Variable& variable) {
    if (variable.kind == VariableKind::Sampler || variable.isSampler)
      return "sampler_t " + variable.name;
    return std::string(variable.image.accessName()) + " " + variable.image.typeName() + " " +
           variable.name;
  }

  /// What is not written to is const.
  std::string declaration(const Variable& variable) const {
    if (variable.type.isObject) return object(variable);
    if (variable.isArgument)
      return declaration(variable.type.element().pointerTo(Space::Local), variable.name);
    const bool isConst =
        variable.type.pointer && variable.type.space == Space::Global && !variable.written;
    const bool isAlone = program_.restrictPointers && variable.kind == VariableKind::Buffer;
    return (isConst ? "const " : "") + std::string(variable.isVolatile ? "volatile " : "") +
           declaration(variable.type, (isAlone ? "restrict " : "") + variable.name);
  }

  std::string groupSize() const {
    const unsigned size = program_.subGroupSize;
    const std::string subGroups =
        size == 0 ? ""
                  : "__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) + "))) ";
    if (!program_.requiresGroupSize) return subGroups;
    const auto& local = program_.shape.local;
    return subGroups + "__attribute__((reqd_work_group_size(" + std::to_string(local[0]) + ", " +
           std::to_string(local[1]) + ", " + std::to_string(local[2]) + "))) ";
  }

  void function(size_t index) {
    const Function& function = program_.functions[index];
    if (index == 0)
      text_ += "kernel " + groupSize() + "void ";
    else
      text_ +=
          (function.keptApart ? "__attribute__((noinline)) " : "") + name(function.result) + " ";
    text_ += function.name + "(";
    for (size_t i = 0; i < function.parameters.size(); ++i) {
      const Variable& parameter = variable(function.parameters[i]);
      text_ += (i ? ", " : "") + declaration(parameter);
    }
    text_ += ") {\n";
    indent_ = 1;
    if (index == 0)
      for (const Variable& local : program_.variables)
        if (local.kind == VariableKind::Local && !local.isArgument)
          line("local " + declaration(local.type, local.name) + ";");
    body(function.body);
    text_ += "}\n";
  }

  void line(const std::string& text) {
    text_ += std::string(static_cast<size_t>(indent_) * 2, ' ') + text + "\n";
  }
  void body(const Body& statements) {
    for (const StmtPtr& statement : statements) print(*statement);
  }
  void block(const std::string& head, const Body& statements) {
    line(head + "{");
    ++indent_;
    body(statements);
    --indent_;
  }

  const Variable& variable(int ref) const { return program_.variables[static_cast<size_t>(ref)]; }

  /// A statement of a for loop's head, without its semicolon.
  std::string simple(const Stmt& statement) const {
    switch (statement.kind) {
      case StmtKind::Declare:
        return declared(statement);
      case StmtKind::Assign:
        return text(*statement.exprs[0]) + " " +
               (statement.compound ? operatorOf(statement.op) : "") + "= " +
               text(*statement.exprs[1]);
      default:
        return text(*statement.exprs[0]);
    }
  }

  std::string declared(const Stmt& statement) const {
    const Variable& target = variable(statement.ref);
    std::string result = declaration(target);
    const bool isPlain = target.type.array == 0 && target.type.structure < 0;
    if (isPlain && !statement.exprs.empty()) return result + " = " + text(*statement.exprs[0]);
    if (target.type.array != 0 && !statement.exprs.empty()) {
      result += " = {";
      for (size_t i = 0; i < statement.exprs.size(); ++i)
        result += (i ? ", " : "") + text(*statement.exprs[i]);
      return result + "}";
    }
    if (target.type.structure >= 0 && !statement.exprs.empty())
      return result + " = " + text(*statement.exprs[0]);
    return result;
  }

  void print(const Stmt& statement) {
    const auto first = [&] { return text(*statement.exprs[0]); };
    switch (statement.kind) {
      case StmtKind::Block:
        block("", statement.body);
        return line("}");
      case StmtKind::Declare:
      case StmtKind::Assign:
      case StmtKind::Evaluate:
        return line(simple(statement) + ";");
      case StmtKind::VStore:
        return line("vstore" + std::to_string(statement.exprs[0]->type.lanes) + "(" + first() +
                    ", " + text(*statement.exprs[1]) + ", " + text(*statement.exprs[2]) + ");");
      case StmtKind::WriteImage:
        return writeImage(statement);
      case StmtKind::Merge:
        return merge(statement);
      case StmtKind::If:
        block("if (" + first() + ") ", statement.body);
        if (statement.otherwise.empty()) return line("}");
        block("} else ", statement.otherwise);
        return line("}");
      case StmtKind::For:
        block("for (" + (statement.init.empty() ? "" : simple(*statement.init[0])) + "; " +
                  first() + "; " + (statement.step.empty() ? "" : simple(*statement.step[0])) +
                  ") ",
              statement.body);
        return line("}");
      case StmtKind::While:
        block("while (" + first() + ") ", statement.body);
        return line("}");
      case StmtKind::DoWhile:
        block("do ", statement.body);
        return line("} while (" + first() + ");");
      case StmtKind::Switch:
        block("switch (" + first() + ") ", statement.body);
        return line("}");
      case StmtKind::Case:
        return printCase(statement);
      case StmtKind::Break:
        return line("break;");
      case StmtKind::Continue:
        return line("continue;");
      case StmtKind::Return:
        return line(statement.exprs.empty() ? "return;" : "return " + first() + ";");
      case StmtKind::Labelled:
        block("", statement.body);
        return line("} label" + std::to_string(statement.ref) + ":;");
      case StmtKind::Goto:
        return line("goto label" + std::to_string(statement.ref) + ";");
      case StmtKind::Tangle:
        return printTangle(statement);
      case StmtKind::Barrier:
        return line(std::string("barrier(") + (statement.ref & 1 ? "CLK_LOCAL_MEM_FENCE" : "0") +
                    (statement.ref & 2 ? " | CLK_GLOBAL_MEM_FENCE" : "") + ");");
      case StmtKind::Meet:
        return line(meet(statement) + ";");
      case StmtKind::Collect:
        return line(text(*statement.exprs[0]) + " = " + collect(statement) + ";");
    }
  }

  const Variable& imageOf(const Expr& expr) const { return variable(expr.ref); }
  static std::string suffix(const Variable& image) {
    const Scalar pixel = image.image.pixel();
    return pixel == Scalar::Float ? "f" : pixel == Scalar::Int ? "i" : "ui";
  }

  void writeImage(const Stmt& statement) {
    const Variable& image = imageOf(*statement.exprs[0]);
    line("write_image" + suffix(image) + "(" + image.name + ", " + text(*statement.exprs[1]) +
         ", " + text(*statement.exprs[2]) + ");");
    if (image.image.access == ImageAccess::Both)
      line(
          "atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, "
          "memory_scope_work_item);");
  }

  std::string readImage(const Expr& expr) const {
    const Variable& image = imageOf(*expr.args[0]);
    return "read_image" + suffix(image) + "(" + image.name +
           (expr.args.size() > 2 ? ", " + text(*expr.args[2]) : "") + ", " + text(*expr.args[1]) +
           ")";
  }

  /// Of an unsigned variable. What is less than an int is one as it is computed with.
  std::string shifted(const std::string& bits, const Expr* by, const char* op = "<<") const {
    return by == nullptr ? bits : "(" + bits + " " + op + " " + text(*by) + ")";
  }

  void merge(const Stmt& statement) {
    const Expr& target = *statement.exprs[0];
    const Expr* by = statement.exprs.size() > 2 ? statement.exprs[2].get() : nullptr;
    const std::string bits = lane(target.type.scalar, statement.values[0]);
    const std::string value = "(" + text(*statement.exprs[1]) + " & " + bits + ")";
    line(text(target) + " = (" + name(target.type) + ")((" + text(target) + " & ~" +
         shifted(bits, by) + ") | " + shifted(value, by) + ");");
  }

  std::string part(const Expr& expr) const {
    const Expr* by = expr.args.size() > 1 ? expr.args[1].get() : nullptr;
    return cast(expr.type, "(" + shifted(text(*expr.args[0]), by, ">>") + " & " +
                               lane(expr.type.scalar, expr.lanes[0]) + ")");
  }

  std::string meet(const Stmt& statement) {
    std::vector<std::string> arguments;
    for (size_t i = 1; i < statement.exprs.size(); ++i)
      arguments.push_back(text(*statement.exprs[i]));
    const std::string call = callOf(statement.subGroup, arguments);
    return statement.exprs.empty() ? call : text(*statement.exprs[0]) + " = " + call;
  }

  std::string collect(const Stmt& statement) {
    using Op = Collective::Op;
    const Op op = statement.collective.op;
    const std::string call = nameOf(statement.collective) + "(" + text(*statement.exprs[1]);
    if (op == Op::All || op == Op::Any) return call + ") != 0";
    if (op != Op::Broadcast) return call + ")";
    return call + (program_.shape.dimensions == 1   ? ", 0)"
                   : program_.shape.dimensions == 2 ? ", 0, 0)"
                                                    : ", 0, 0, 0)");
  }

  void printTangle(const Stmt& statement) {
    const std::string first = "first" + std::to_string(statement.ref);
    const std::string second = "second" + std::to_string(statement.ref);
    line("if (" + text(*statement.exprs[0]) + ") goto " + second + ";");
    block(first + ": ", statement.body);
    line("}");
    block(second + ": ", statement.otherwise);
    line("}");
    line("if (" + text(*statement.exprs[1]) + ") goto " + first + ";");
  }

  // Braces, so that a case may declare variables.
  void printCase(const Stmt& statement) {
    std::string head;
    for (const uint64_t value : statement.values) head += "case " + lane(Scalar::Int, value) + ": ";
    block(statement.values.empty() ? "default: " : head, statement.body);
    line("}");
  }

  static std::string operatorOf(BinaryOp op) {
    static constexpr std::array kOperators{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
    return kOperators[static_cast<size_t>(op)];
  }

  static std::string lane(Scalar scalar, uint64_t bits) {
    const int64_t number = toSignedBits(scalar, bits);
    switch (scalar) {
      case Scalar::Int:
        if (number == INT32_MIN) return "(-2147483647 - 1)";
        return number < 0 ? "(" + std::to_string(number) + ")" : std::to_string(number);
      case Scalar::UInt:
        return std::to_string(bits) + "u";
      case Scalar::Long:
        if (number == INT64_MIN) return "(-9223372036854775807L - 1)";
        return number < 0 ? "(" + std::to_string(number) + "L)" : std::to_string(number) + "L";
      case Scalar::ULong:
        return std::to_string(bits) + "UL";
      case Scalar::Float:
        return floating(std::bit_cast<float>(static_cast<uint32_t>(bits)), bits, "float", "f");
      case Scalar::Half:
        return "((half)" + floating(halfValue(bits), bits, "half", "f") + ")";
      case Scalar::Double:
        return floating(std::bit_cast<double>(bits), bits, "double", "");
      default:
        return "(" + std::string(scalarName(scalar)) + ")" +
               (number < 0 && isSigned(scalar)
                    ? "(" + std::to_string(number) + ")"
                    : std::to_string(isSigned(scalar) ? number : static_cast<int64_t>(bits)));
    }
  }

  static std::string floating(double value, uint64_t bits, const std::string& type,
                              const char* suffix) {
    if (!std::isfinite(value))
      return "as_" + type + (type == "half" ? "((ushort)" : "(") + std::to_string(bits) +
             (type == "half"    ? ")"
              : type == "float" ? "u)"
                                : "UL)");
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%a", value);
    const std::string literal = std::string(text.data()) + suffix;
    return std::signbit(value) ? "(" + literal + ")" : literal;
  }

  std::string constant(const Expr& expr) const {
    const Scalar scalar = expr.type.scalar;
    if (expr.type.lanes == 1) return lane(scalar, expr.lanes[0]);
    std::string result = "(" + name(expr.type) + ")(";
    for (size_t i = 0; i < expr.lanes.size(); ++i)
      result += (i ? ", " : "") + lane(scalar, expr.lanes[i]);
    return result + ")";
  }

  std::string list(const Expr& expr, size_t from = 0) const {
    std::string result;
    for (size_t i = from; i < expr.args.size(); ++i)
      result += (i > from ? ", " : "") + text(*expr.args[i]);
    return result;
  }

  std::string text(const Expr& expr) const {
    const auto argument = [&](size_t i) { return text(*expr.args[i]); };
    switch (expr.kind) {
      case ExprKind::Constant:
        return constant(expr);
      case ExprKind::Variable:
        return variable(expr.ref).name;
      case ExprKind::Index:
      case ExprKind::Element:
        return argument(0) + "[" + argument(1) + "]";
      case ExprKind::Field:
        return argument(0) + "." +
               program_.structs[static_cast<size_t>(expr.args[0]->type.structure)]
                   .fields[static_cast<size_t>(expr.ref)]
                   .name;
      case ExprKind::Swizzle:
        return argument(0) + "." + components(expr);
      case ExprKind::AddressOf:
        return "(&" + argument(0) + ")";
      case ExprKind::Advance:
        return "(" + argument(0) + " + " + argument(1) + ")";
      case ExprKind::Negate:
        return negation(expr);
      case ExprKind::Complement:
        return cast(expr.type, "(~" + argument(0) + ")");
      case ExprKind::LogicalNot:
        return "(!" + argument(0) + ")";
      case ExprKind::Binary:
        return binary(expr);
      case ExprKind::Compare:
        return "(" + argument(0) + " " + comparison(expr.op) + " " + argument(1) + ")";
      case ExprKind::LogicalAnd:
        return "(" + argument(0) + " && " + argument(1) + ")";
      case ExprKind::LogicalOr:
        return "(" + argument(0) + " || " + argument(1) + ")";
      case ExprKind::Conditional:
        return promoted(expr.type,
                        "(" + argument(0) + " ? " + argument(1) + " : " + argument(2) + ")");
      case ExprKind::Convert:
        return conversion(expr);
      case ExprKind::Reinterpret:
        return "as_" + name(expr.type) + "(" + argument(0) + ")";
      case ExprKind::Vector:
        return "((" + name(expr.type) + ")(" + list(expr) + "))";
      case ExprKind::Call:
        return program_.functions[static_cast<size_t>(expr.ref)].name + "(" + list(expr) + ")";
      case ExprKind::CallBuiltin:
        return std::string(nameOf(static_cast<Builtin>(expr.op))) + "(" + list(expr) + ")";
      case ExprKind::Item:
        return itemQuery(expr);
      case ExprKind::VLoad:
        return "vload" + std::to_string(expr.type.lanes) + "(" + list(expr) + ")";
      case ExprKind::Atomic:
        return atomic(expr);
      case ExprKind::PostIncrement:
        return argument(0) + "++";
      case ExprKind::ReadImage:
        return readImage(expr);
      case ExprKind::QueryImage:
        return std::string(nameOf(static_cast<ImageQuery>(expr.op))) + "(" + argument(0) + ")";
      case ExprKind::Part:
        return part(expr);
    }
    return "?";
  }

  static std::string components(const Expr& expr) {
    std::string result = "s";
    for (const uint64_t component : expr.lanes) result += "0123456789abcdef"[component];
    return result;
  }

  static const char* comparison(uint8_t op) {
    static constexpr std::array kOperators{"<", "<=", ">", ">=", "==", "!="};
    return kOperators[op];
  }

  static Type unsignedOf(Type type) {
    // Small scalars would be promoted to int, whose products may overflow.
    type.scalar =
        type.lanes == 1 && bitsOf(type.scalar) < 32 ? Scalar::UInt : toUnsigned(type.scalar);
    return type;
  }

  /// A conversion between integer types of one size, or of scalars.
  std::string cast(Type type, const std::string& operand) const {
    return type.lanes == 1 ? "((" + name(type) + ")" + operand + ")"
                           : "as_" + name(type) + "(" + operand + ")";
  }
  /// What C makes an int of, as it was.
  std::string promoted(Type type, const std::string& operand) const {
    return type.isScalar() && bitsOf(type.scalar) < 32 ? cast(type, operand) : operand;
  }
  std::string wrapped(const Expr& expr) const { return cast(unsignedOf(expr.type), text(expr)); }

  std::string negation(const Expr& expr) const {
    if (isFloat(expr.type.scalar) || expr.native) return "(-" + text(*expr.args[0]) + ")";
    const Type type = unsignedOf(expr.type);
    const std::string zero = "((" + name(type) + ")(" + lane(type.scalar, 0) + "))";
    return cast(expr.type, "(" + zero + " - " + wrapped(*expr.args[0]) + ")");
  }

  std::string binary(const Expr& expr) const {
    const auto op = static_cast<BinaryOp>(expr.op);
    const Expr &left = *expr.args[0], &right = *expr.args[1];
    const std::string plain = "(" + text(left) + " " + operatorOf(op) + " " + text(right) + ")";
    const bool isSmall = bitsOf(expr.type.scalar) < 32 && expr.type.lanes == 1;
    if (isFloat(expr.type.scalar)) return plain;
    const bool mayOverflow = op <= BinaryOp::Mul && (isSigned(expr.type.scalar) || isSmall);
    if (mayOverflow && !expr.native)
      return cast(expr.type,
                  "(" + wrapped(left) + " " + operatorOf(op) + " " + wrapped(right) + ")");
    return promoted(expr.type, plain);
  }

  std::string conversion(const Expr& expr) const {
    static constexpr std::array kRoundings{"", "_rte", "_rtz", "_rtp", "_rtn"};
    if (expr.type.lanes == 1 && !expr.saturate && expr.op == 0)
      return "((" + name(expr.type) + ")" + text(*expr.args[0]) + ")";
    return "convert_" + name(expr.type) + (expr.saturate ? "_sat" : "") + kRoundings[expr.op] +
           "(" + list(expr) + ")";
  }

  static std::string itemQuery(const Expr& expr) {
    static constexpr std::array kNames{"get_global_id",    "get_local_id",   "get_group_id",
                                       "get_global_size",  "get_local_size", "get_num_groups",
                                       "get_global_offset"};
    return std::string(kNames[expr.op]) + "(" + std::to_string(expr.ref) + ")";
  }

  std::string c11Atomic(const Expr& expr) const {
    static constexpr std::array kNames{"fetch_add", "fetch_sub", "fetch_min", "fetch_max",
                                       "fetch_and", "fetch_or",  "fetch_xor", "exchange",
                                       "",          "",          "load",      "store"};
    static constexpr std::array kOrders{"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
    static constexpr std::array kScopes{"work_group", "device", "all_devices"};
    const auto choice = static_cast<size_t>(expr.ref - 1);
    const bool isLocal = expr.args[0]->type.space == Space::Local;
    const bool isSigned = expr.type.scalar == Scalar::Int;
    return std::string("atomic_") + kNames[expr.op] + "_explicit((volatile " +
           (isLocal ? "local" : "global") + (isSigned ? " atomic_int*)" : " atomic_uint*)") +
           list(expr) + ", memory_order_" + kOrders[choice / kScopes.size()] + ", memory_scope_" +
           kScopes[choice % kScopes.size()] + ")";
  }

  std::string atomic(const Expr& expr) const {
    if (expr.ref != 0) return c11Atomic(expr);
    static constexpr std::array kNames{"add", "sub", "min",  "max",     "and",
                                       "or",  "xor", "xchg", "cmpxchg", "inc"};
    const bool isLong = bitsOf(expr.type.scalar) == 64;
    return std::string(isLong ? "atom_" : "atomic_") + kNames[expr.op] + "(" + list(expr) + ")";
  }

  const Program& program_;
  std::string text_;
  int indent_ = 0;
};

}  // namespace

std::string print(const Program& program) { return Printer(program).print(); }

}  // namespace weft::fuzz
