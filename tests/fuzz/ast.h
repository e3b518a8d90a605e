// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/chunks.h"
#include "fuzz/image_type.h"
#include "fuzz/types.h"

/// The programs of the fuzzer as trees. print.h writes one as OpenCL C, interpret.h runs it.
namespace weft::fuzz {

/// Functions of the language that a program may call; operations.cpp says what they compute.
enum class Builtin : uint8_t {
  // integers
  Min,
  Max,
  Abs,
  AbsDiff,
  Clamp,
  Rotate,
  Popcount,
  Clz,
  MulHi,
  Mad24,
  Mul24,
  AddSat,
  SubSat,
  Hadd,
  Rhadd,
  BitSelect,
  Ctz,
  MadHi,
  MadSat,
  // any
  Select,
  Any,
  All,
  Shuffle,  ///< components of the first argument, by the low bits of the second
  // floating point
  Fma,
  Fabs,
  Fmin,
  Fmax,
  Floor,
  Ceil,
  Trunc,
  Rint,
  Copysign,
  IsNan,
  Sqrt,
  Round,
  Fdim,
  Fmod,
  Nextafter,
};

enum class BinaryOp : uint8_t { Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr };
enum class CompareOp : uint8_t { Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual };
enum class Rounding : uint8_t { Default, Even, Zero, Up, Down };
enum class ItemQuery : uint8_t {
  GlobalId,
  LocalId,
  GroupId,
  GlobalSize,
  LocalSize,
  NumGroups,
  GlobalOffset,
};
enum class AtomicOp : uint8_t { Add, Sub, Min, Max, And, Or, Xor, Xchg, CmpXchg, Inc, Load, Store };
/// Orders and scopes of the atomic functions of C11, each set by the number of its place.
enum class AtomicOrder : uint8_t {
  Relaxed,
  Acquire,
  Release,
  AcquireRelease,
  SequentiallyConsistent
};
enum class AtomicScope : uint8_t { WorkGroup, Device, AllDevices };

enum class ExprKind : uint8_t {
  Constant,    ///< lanes: bits of each lane
  Variable,    ///< ref: index into Program::variables
  Index,       ///< args[0][args[1]]; args[0] is an array or a pointer
  Field,       ///< args[0].field ref
  Swizzle,     ///< components `lanes` of args[0]
  Element,     ///< args[0][args[1]] of a vector
  AddressOf,   ///< &args[0]
  Advance,     ///< pointer args[0] plus the integer args[1]
  Negate,      ///< wrapping for integers
  Complement,  ///< ~
  LogicalNot,
  Binary,      ///< op: BinaryOp; wraps. `native`: the plain operator, which must not overflow
  Compare,     ///< op: CompareOp; pointers too
  LogicalAnd,  ///< of scalars, with short circuit
  LogicalOr,
  Conditional,    ///< scalar condition, only one side is evaluated; vectors: by sign bits, both are
  Convert,        ///< op: Rounding; `saturate`
  Reinterpret,    ///< as_type
  Vector,         ///< literal of parts, or one scalar for all lanes
  Call,           ///< ref: index into Program::functions
  CallBuiltin,    ///< op: Builtin
  Item,           ///< op: ItemQuery; ref: dimension
  VLoad,          ///< vloadN(args[0], pointer args[1])
  Atomic,         ///< op: AtomicOp; args[0] is the pointer; ref: 0, or 1 + order * 3 + scope
  PostIncrement,  ///< variable args[0]++
  ReadImage,      ///< of image args[0] at args[1], with sampler args[2] if there is one
  QueryImage,     ///< op: ImageQuery, of image args[0]
  Part,           ///< (args[0] >> args[1]) & lanes[0] of an unsigned variable; args[1]: or not
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

struct Expr {
  ExprKind kind = ExprKind::Constant;
  Type type;
  uint8_t op = 0;
  bool native = false;
  bool saturate = false;
  int ref = 0;
  std::vector<uint64_t> lanes;
  std::vector<ExprPtr> args;

  ExprPtr clone() const {
    auto copy = std::make_unique<Expr>();
    copy->kind = kind;
    copy->type = type;
    copy->op = op;
    copy->native = native;
    copy->saturate = saturate;
    copy->ref = ref;
    copy->lanes = lanes;
    for (const ExprPtr& argument : args) copy->args.push_back(argument->clone());
    return copy;
  }
};

enum class StmtKind : uint8_t {
  Block,     ///< body
  Declare,   ///< variable ref; exprs: its value, or that of each element; none: left alone
  Assign,    ///< exprs[0] = exprs[1], or with compound: exprs[0] op= exprs[1]
  Evaluate,  ///< exprs[0]
  VStore,    ///< vstoreN(exprs[0], exprs[1], pointer exprs[2])
  If,        ///< exprs[0]; body, otherwise
  For,       ///< init; exprs[0]; step; body. init[0] and step[0] are statements
  While,
  DoWhile,
  Switch,  ///< exprs[0]; body: Case statements
  Case,    ///< values, or the default when empty; body. Falls through without a Break
  Break,
  Continue,
  Return,      ///< exprs: nothing, or what is returned
  Labelled,    ///< { body } label ref:
  Goto,        ///< leaves the Labelled around it that has this ref
  Barrier,     ///< ref: bit 0 local fence, bit 1 global fence
  Collect,     ///< exprs[0] = collective(exprs[1]), for which the group meets
  Meet,        ///< exprs[0] = subGroup(exprs[1], exprs[2]), as far as it has these
  WriteImage,  ///< of exprs[2] to image exprs[0] at exprs[1]
  Merge,       ///< the bits values[0] << exprs[2] of variable exprs[0] = exprs[1]; exprs[2]: or not
  /// A loop with two entries: if (exprs[0]) goto second; first: { body } second: { otherwise }
  /// if (exprs[1]) goto first; with labels of its own by ref.
  Tangle,
};

/// A function that combines what all work-items of a group bring along.
struct Collective {
  /// All and Any of int; Broadcast of the first work-item's.
  enum class Op : uint8_t { Add, Mul, Min, Max, And, Or, Xor, All, Any, Broadcast };
  enum class Kind : uint8_t { Reduce, ScanInclusive, ScanExclusive };
  Op op = Op::Add;
  Kind kind = Kind::Reduce;
};

/// What those work-items of a sub-group that come to the call, in the same iteration of each loop
/// around it, do together.
struct SubGroupCall {
  enum class Kind : uint8_t {
    Reduce,
    ScanInclusive,
    ScanExclusive,
    Cluster,         ///< reduction of clusters of `number` items
    Broadcast,       ///< of item `number`
    BroadcastFirst,  ///< of the first that takes part
    Shuffle,
    ShuffleXor,  ///< with `number`
    ShuffleUp,
    ShuffleDown,
    Rotate,
    Any,
    All,
    Elect,
    Count,  ///< of those who vote
    Rank,   ///< those before the item who vote
    Barrier,
  };
  Kind kind = Kind::Reduce;
  Collective::Op op = Collective::Op::Add;  ///< of the first four
  unsigned number = 0;
};

struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;
using Body = std::vector<StmtPtr>;

struct Stmt {
  StmtKind kind = StmtKind::Block;
  int ref = 0;
  bool compound = false;
  BinaryOp op = BinaryOp::Add;
  Collective collective;
  SubGroupCall subGroup;
  bool hasBarrier = false;  ///< somewhere within; set by markBarriers
  bool meets = false;       ///< in sub-groups, somewhere within; the same
  std::vector<uint64_t> values;
  std::vector<ExprPtr> exprs;
  Body init, step, body, otherwise;
};

enum class VariableKind : uint8_t {
  Private,
  Parameter,  ///< of a function; of the kernel: a value
  Buffer,     ///< parameter of the kernel: pointer to `count` elements of its own
  Local,
  Table,    ///< array at program scope in the constant address space
  Global,   ///< array at program scope that launches leave something in; accessed by atomics
  Image,    ///< parameter of the kernel
  Sampler,  ///< at program scope, or a parameter of the kernel
};

/// The type of images and samplers: which ones Variable::image says, and its kind.
inline constexpr Type kObject{.pointer = true, .isObject = true};

struct Variable {
  std::string name;
  VariableKind kind = VariableKind::Private;
  Type type;                      ///< of buffers: a pointer
  int function = 0;               ///< index into Program::functions
  bool written = false;           ///< buffers: not const
  bool isArgument = false;        ///< local variables: a pointer that the kernel is given; samplers
  bool isVolatile = false;        ///< private variables
  bool isPartial = false;         ///< the same: may hold nothing in some of its bits
  bool guardBelow = false;        ///< buffers: begins, rather than ends, at an inaccessible page
  int sameAs = -1;                ///< buffers: the one before it whose memory this one is too
  uint64_t count = 0;             ///< buffers: elements
  std::vector<uint64_t> initial;  ///< tables: elements; kernel parameters: lanes; samplers
  uint64_t seed = 0;              ///< buffers: of their contents
  uint64_t below = 0;             ///< buffers: the elements are less than this; 0: any
  Chunks chunks;                  ///< sparse buffers: where their elements are
  uint64_t offset = 0;            ///< in the memory it lives in; set by layOut
  ImageType image;                ///< images, which are buffers of elements otherwise
  bool isSampler = false;         ///< parameters of functions: rather than an image

  /// Whether it has memory of its own that the host sees.
  bool isMemory() const { return kind == VariableKind::Buffer || kind == VariableKind::Image; }
  bool isSparse() const { return chunks.bytes != 0; }
};

struct Function {
  std::string name;
  Type result;
  std::vector<int> parameters;
  Body body;
  bool keptApart = false;  ///< never to be inlined
  /// All work-items of the group call it together, in an assignment; it returns at its end only.
  bool hasBarrier = false;
};

struct Structure {
  std::string name;
  struct Field {
    std::string name;
    Type type;
    uint64_t offset = 0;
  };
  std::vector<Field> fields;
  uint64_t bytes = 0, alignment = 1;
};

/// How a program is launched.
struct Shape {
  uint32_t dimensions = 1;
  std::array<uint64_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{};

  uint64_t groupItems() const { return local[0] * local[1] * local[2]; }
  bool ragged() const {
    for (unsigned d = 0; d < 3; ++d)
      if (global[d] % local[d] != 0) return true;
    return false;
  }
  uint64_t groups() const {
    uint64_t result = 1;
    for (unsigned d = 0; d < 3; ++d) result *= (global[d] + local[d] - 1) / local[d];
    return result;
  }
  std::string text() const;
};

struct Program {
  std::vector<Structure> structs;
  std::vector<Variable> variables;
  std::vector<Function> functions;  ///< the first one is the kernel "k"
  Shape shape;
  uint64_t seed = 0;
  unsigned subGroupSize = 0;                 ///< an attribute says it; 0: there are none
  bool requiresGroupSize = false;            ///< an attribute says the local size of the shape
  std::string options = "-cl-std=CL3.0 -w";  ///< it is built with
  bool restrictPointers = false;             ///< the kernel's pointers are `restrict`
  // set by layOut
  uint64_t privateBytes = 0, localBytes = 0, tableBytes = 0, globalBytes = 0;

  uint64_t sizeOf(Type type) const;
  uint64_t alignmentOf(Type type) const;
};

/// Places every variable and every field. Call again after variables were added.
void layOut(Program& program);
/// Sets Stmt::hasBarrier, Stmt::meets and Function::hasBarrier everywhere.
void markBarriers(Program& program);

}  // namespace weft::fuzz
