// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/generator.h"

#include <bit>
#include <cstdint>

#include "fuzz/nodes.h"

namespace weft::fuzz {

using namespace node;

namespace {
const Type kInt = scalarType(Scalar::Int), kUInt = scalarType(Scalar::UInt),
           kFloat = scalarType(Scalar::Float), kULong = scalarType(Scalar::ULong);
}  // namespace

Type Generator::scalar() { return scalarType(pick(scalars_)); }
Type Generator::integer() { return scalarType(pick(integers_)); }
Type Generator::vector() {
  return vectorType(pick(scalars_), pick<unsigned>({2, 2, 3, 4, 4, 4, 8, 16}));
}
Type Generator::value() { return vectors_ && chance(25) ? vector() : scalar(); }

Generator::Known& Generator::known(int ref) {
  if (known_.size() < program_.variables.size()) known_.resize(program_.variables.size());
  return known_[static_cast<size_t>(ref)];
}

int Generator::addVariable(const std::string& name, VariableKind kind, Type type) {
  Variable variable;
  variable.name = name;
  variable.kind = kind;
  variable.type = type;
  variable.function = function_;
  program_.variables.push_back(std::move(variable));
  const int ref = static_cast<int>(program_.variables.size()) - 1;
  known(ref) = {};
  return ref;
}

int Generator::addPrivate(Type type, const char* prefix) {
  return addVariable(prefix + std::to_string(nextName_++), VariableKind::Private, type);
}

int Generator::addBuffer(const std::string& name, Type element, uint64_t count, bool written) {
  const int ref = addVariable(name, VariableKind::Buffer, element.pointerTo(Space::Global));
  Variable& buffer = var(ref);
  buffer.written = written;
  buffer.count = count;
  buffer.guardBelow = chance(30);
  buffer.seed = random_();
  known(ref) = {.uniform = true, .fixed = true, .elements = count};
  program_.functions[0].parameters.push_back(ref);
  return ref;
}

int Generator::addParameter(Type type, uint64_t bits) {
  const int ref = addVariable("a" + std::to_string(nextName_++), VariableKind::Parameter, type);
  var(ref).initial.assign(type.lanes, bits & bitMask(type.scalar));
  known(ref).uniform = true;
  program_.functions[0].parameters.push_back(ref);
  return ref;
}

void Generator::chooseFeatures() {
  barriers_ = chance(40);
  observesGroup_ = barriers_ || chance(60);
  arrays_ = chance(50);
  structs_ = chance(25);
  vectors_ = chance(40);
  helpers_ = chance(30);
  atomics_ = chance(25);
  guards_ = chance(45);
  edges_ = chance(20);
  pointers_ = chance(25);
  jumps_ = chance(40);
  switches_ = chance(40);
  earlyReturn_ = chance(40);
  floats_ = chance(50);
  small_ = chance(25);
  longs_ = chance(35);
  native_ = chance(60);
  elements_ = vectors_ && chance(40);
  scratchSlots_ = observesGroup_ && chance(30);
  scalars_ = integers_ = {Scalar::Int, Scalar::UInt, Scalar::UInt};
  if (longs_) integers_.insert(integers_.end(), {Scalar::Long, Scalar::ULong});
  if (small_)
    integers_.insert(integers_.end(), {Scalar::Char, Scalar::UChar, Scalar::Short, Scalar::UShort});
  scalars_ = integers_;
  if (floats_) scalars_.insert(scalars_.end(), {Scalar::Float, Scalar::Float});
  if (floats_ && chance(30)) scalars_.push_back(Scalar::Double);
  if (floats_ && chance(25)) scalars_.push_back(Scalar::Half);
  budget_ = static_cast<int>(6 + below(30));
  disguises_ = barriers_ && chance(30);
  subGroups_ = (seed_ * 0x9e3779b97f4a7c15u) >> 62 == 3;  // the others are as they were
  if (subGroups_) program_.subGroupSize = pick({8u, 8u, 16u, 16u, 32u, 64u});
  images_ = (seed_ * 0xd1342543de82ef95u) >> 62 == 1;  // likewise
  if (images_) vectors_ = true;
  programScope_ = (seed_ * 0xbf58476d1ce4e5b9u) >> 62 == 2;  // likewise
  sparse_ = (seed_ * 0x94d049bb133111ebu) >> 62 == 3;        // likewise
  partial_ = (seed_ * 0xc4ceb9fe1a85ec53u) >> 62 == 0;       // likewise
  if (programScope_) atomics_ = barriers_ = observesGroup_ = true;
}

void Generator::makeStructs() {
  if (!structs_) return;
  const unsigned count = 1 + below(2);
  for (unsigned s = 0; s < count; ++s) {
    Structure structure;
    structure.name = "S" + std::to_string(s);
    const unsigned fields = 2 + below(3);
    for (unsigned f = 0; f < fields; ++f) {
      Type type = chance(70) ? pick({kInt, kUInt, floats_ ? kFloat : kUInt}) : scalar();
      if (vectors_ && chance(20)) type = vectorType(type.scalar, pick<unsigned>({2, 4}));
      if (chance(20)) type = type.arrayOf(2 + below(4));
      structure.fields.push_back({"f" + std::to_string(f), type});
    }
    program_.structs.push_back(std::move(structure));
  }
  layOut(program_);
}

void Generator::makeTables() {
  if (!chance(25)) return;
  const unsigned count = pick<unsigned>({4, 7, 16});
  const Type type = pick({kInt, kUInt});
  const int ref = addVariable("table", VariableKind::Table, type.arrayOf(count));
  for (unsigned i = 0; i < count; ++i) var(ref).initial.push_back(random(type)->lanes[0]);
  known(ref) = {.uniform = true, .fixed = true};
  show(ref);
}

void Generator::makeBuffers() {
  const auto show = [&](int ref) {
    visible_.push_back(ref);
    inputs_.push_back(ref);
  };
  hash_ = addBuffer("out", kUInt, items_, true);
  show(addBuffer("in0", scalar(), items_, false));
  if (chance(60)) show(addBuffer("in1", scalar(), 4 * items_ + 16, false));
  if (chance(50)) {
    const int ref = addBuffer("in2", scalar(), 64, false);
    if (chance(40)) var(ref).type.space = Space::Constant;
    show(ref);
  }
  if (vectors_ && chance(60)) {
    Type type = vector();
    if (type.lanes == 16) type.lanes = 4;
    show(addBuffer("inv", type, items_, false));
  }
  if (sparse_) makeSparse();
  if (structs_) show(addBuffer("ins", Type{.structure = 0}, items_, false));
  if (guards_) {
    guardBelow_ = chance(30) ? items_ : 1 + below(items_);
    const unsigned count = 1 + below(2);
    for (unsigned i = 0; i < count; ++i)
      guardedInputs_.push_back(addBuffer("g" + std::to_string(i), scalar(), guardBelow_, false));
    if (chance(50)) guardedOutputs_.push_back(addBuffer("w0", integer(), guardBelow_, true));
    guard_ = addParameter(pick({kInt, kUInt, kULong}), guardBelow_);
    known(guard_).fixed = true;
  }
  if (atomics_) accumulators_ = addBuffer("sums", pick({kInt, kUInt}), 8, true);
  const unsigned outputs = below(3);
  for (unsigned i = 0; i < outputs; ++i) {
    const Pattern pattern =
        pick({Pattern::Own, Pattern::Reversed, Pattern::Strided, Pattern::Chunk});
    const uint64_t count = pattern == Pattern::Strided ? 3 * items_
                           : pattern == Pattern::Chunk ? 4 * items_
                                                       : items_;
    Type type = atomics_ && chance(50) ? kUInt : scalar();
    while (isFloat(type.scalar)) type = integer();
    if (structs_ && pattern != Pattern::Chunk && chance(30)) type = Type{.structure = 0};
    outputs_.push_back(addBuffer("o" + std::to_string(i), type, count, true));
    patterns_.push_back(pattern);
  }
  if (edges_) {
    end_ = addParameter(kInt, chance(50) ? uint64_t{INT32_MAX} : uint64_t{1} << 31);
    known(end_).fixed = true;
  }
  if (chance(40)) {
    // Where it is added 32 bits wrap, or nearly do: as signed numbers, as unsigned ones, or both.
    const uint64_t edge = pick<uint64_t>({0, uint64_t{1} << 31, uint64_t{1} << 32});
    distance_ = addParameter(pick({kInt, kUInt, kUInt}), edge + below(600) - 300);
    known(distance_).fixed = true;
  }
  if (partial_) {
    unitCount_ = addParameter(kUInt, kUnits);
    known(unitCount_).fixed = true;
  }
  for (unsigned i = 0; i < 2; ++i) {
    const Type type = integer();
    visible_.push_back(addParameter(type, below(100)));
  }
  if (scratchSlots_)
    scratch_ = addVariable("scratch", VariableKind::Local,
                           kUInt.arrayOf(static_cast<unsigned>(4 * program_.shape.groupItems())));
  constexpr uint64_t kMostSlotBytes = 16 << 10;
  const Type slot{.structure = 0};
  if (structs_ && observesGroup_ && chance(50) &&
      program_.sizeOf(slot) * program_.shape.groupItems() <= kMostSlotBytes)
    slots_ = addVariable("slots", VariableKind::Local,
                         slot.arrayOf(static_cast<unsigned>(program_.shape.groupItems())));
  if (barriers_) {
    const Type cell = pick({kUInt, kUInt, kInt, floats_ ? kFloat : kUInt});
    cells_ = addVariable("cells", VariableKind::Local,
                         cell.arrayOf(static_cast<unsigned>(program_.shape.groupItems())));
    shared_ = addVariable("shared", VariableKind::Local, kUInt.arrayOf(1));
    localSums_ = addVariable("counts", VariableKind::Local, kUInt.arrayOf(4));
    if (programScope_)
      programSums_ =
          addVariable("sums_of_groups", VariableKind::Global,
                      pick({kInt, kUInt})
                          .arrayOf(static_cast<unsigned>(kSumsOfGroup * program_.shape.groups())));
    if (chance(50)) makeBarrierHelper();
    for (const int local : {cells_, shared_, localSums_, scratch_})
      if (local >= 0 && chance(25)) {
        var(local).isArgument = true;
        program_.functions[0].parameters.push_back(local);
      }
  }
}

/// Helpers have parameters, some of them pointers, and return from several places.
void Generator::makeFunctions() {
  if (!helpers_) return;
  const unsigned count = 1 + below(2);
  for (unsigned f = 1; f <= count; ++f) {
    program_.functions.push_back({});
    function_ = static_cast<int>(f);
    const Type result = scalar();
    std::vector<int> parameters;
    const unsigned arguments = 1 + below(3);
    for (unsigned i = 0; i < arguments; ++i) {
      const bool isPointer = pointers_ && chance(35);
      const int fresh = addVariable("p" + std::to_string(nextName_++), VariableKind::Parameter,
                                    isPointer ? kUInt.pointerTo(Space::Private) : scalar());
      if (isPointer) known(fresh) = {.fixed = true, .elements = 4, .written = chance(70)};
      parameters.push_back(fresh);
      show(fresh);
    }
    if (images_ && chance(60)) addImageParameters(parameters);
    Function& function = program_.functions[f];
    function.name = "helper" + std::to_string(f);
    function.result = result;
    function.parameters = parameters;
    function.keptApart = chance(40);
    const int saved = std::exchange(budget_, static_cast<int>(4 + below(8)));
    const size_t outside = visible_.size();
    Body body;
    Place place;
    place.depth = 2;
    place.uniform = false;
    for (unsigned i = 0; i < 2; ++i) declareNew(body, place);
    const unsigned most = 2 + below(3);
    for (unsigned i = 0; i < most; ++i) addStatement(body, place);
    body.push_back(statement(StmtKind::Return, expression(result, 2, false)));
    program_.functions[f].body = std::move(body);
    visible_.resize(outside - (parameters.size() - imageParameters_.size()));
    imageParameters_.clear();
    budget_ = saved;
  }
  function_ = 0;
}

/// The ids of the work-item, in variables that nobody assigns to afterwards.
void Generator::declareIds() {
  Body& body = program_.functions[0].body;
  const Shape& shape = program_.shape;
  const auto extent = [&](uint32_t d) { return shape.offset[d] + shape.global[d]; };
  const Type type = pick({kInt, kUInt, kUInt, kULong, scalarType(Scalar::Long)});
  const auto linear = [&](ItemQuery what, Type as, auto size) {
    ExprPtr id = convert(as, query(what, static_cast<int>(shape.dimensions) - 1));
    for (uint32_t d = shape.dimensions - 1; d-- > 0;) {
      const bool native = isSigned(as.scalar);
      id = binary(BinaryOp::Mul, std::move(id), size(as, d), native);
      id = binary(BinaryOp::Add, std::move(id), convert(as, query(what, static_cast<int>(d))),
                  native);
    }
    return id;
  };
  linear_ = addPrivate(type, "i");
  known(linear_) = {.fixed = true, .below = items_, .linear = true};
  body.push_back(declare(linear_, linear(ItemQuery::GlobalId, type, [&](Type as, uint32_t d) {
                           if (shape.offset[d] == 0 && chance(30))
                             return convert(as, query(ItemQuery::GlobalSize, static_cast<int>(d)));
                           return constant(as, extent(d));
                         })));
  show(linear_);
  if (!observesGroup_) return;
  const Type local = pick({kUInt, kUInt, kInt, kULong});
  localLinear_ = addPrivate(local, "l");
  known(localLinear_) = {.fixed = true, .below = shape.groupItems()};
  body.push_back(declare(localLinear_, linear(ItemQuery::LocalId, local, [&](Type as, uint32_t d) {
                           return shape.ragged() || chance(40)
                                      ? convert(as,
                                                query(ItemQuery::LocalSize, static_cast<int>(d)))
                                      : constant(as, shape.local[d]);
                         })));
  show(localLinear_);
}

void Generator::declareVariables() {
  Body& body = program_.functions[0].body;
  const unsigned varying = 3 + below(4), uniform = 1 + below(3);
  for (unsigned i = 0; i < uniform; ++i) {
    const Type type = i == 0 && barriers_ ? kUInt : integer();
    ExprPtr first = leaf(type, true);
    const int fresh = addPrivate(type, "u");
    known(fresh).uniform = true;
    body.push_back(declare(fresh, std::move(first)));
    show(fresh);
  }
  for (unsigned i = 0; i < varying; ++i) {
    const Type type = i == 0 && barriers_ ? var(cells_).type.element() : i == 1 ? kUInt : value();
    ExprPtr first = expression(type, 2, false);
    const int fresh = addPrivate(type);
    body.push_back(declare(fresh, std::move(first)));
    show(fresh);
  }
  const unsigned arrays = arrays_ ? 1 + below(3) : pointers_ ? 1 : 0;
  for (unsigned i = 0; i < arrays; ++i) {
    const Type element = i == 0 && pointers_ ? kUInt : vectors_ && chance(15) ? vector() : scalar();
    const unsigned count = i == 0 && pointers_ ? 8 : pick<unsigned>({2, 4, 5, 8, 8, 16});
    const int fresh = addPrivate(element.arrayOf(count), "p");
    StmtPtr declaration = declare(fresh);
    for (unsigned k = 0; k < count; ++k) declaration->exprs.push_back(leaf(element, false));
    body.push_back(std::move(declaration));
    show(fresh);
  }
  if (structs_) {
    const unsigned objects = 1 + below(2);
    for (unsigned i = 0; i < objects; ++i) {
      const int which = static_cast<int>(below(program_.structs.size()));
      const int fresh = addPrivate(Type{.structure = static_cast<int8_t>(which)}, "s");
      const int ins = which == 0 ? inputs_.back() : -1;
      if (ins >= 0 && chance(50)) {
        body.push_back(declare(fresh, node::index(name(ins), name(linear_))));
      } else {
        body.push_back(declare(fresh));
        const auto& fields = program_.structs[static_cast<size_t>(which)].fields;
        for (int f = 0; f < static_cast<int>(fields.size()); ++f) {
          const Type type = fields[static_cast<size_t>(f)].type;
          for (unsigned k = 0; k < std::max<unsigned>(type.array, 1); ++k) {
            ExprPtr to = field(program_, name(fresh), f);
            if (type.array) to = node::index(std::move(to), constant(kInt, k));
            body.push_back(assign(std::move(to), leaf(type.element(), false)));
          }
        }
      }
      show(fresh);
    }
    if (chance(40)) {  // an array of structures that are filled from the input
      const unsigned count = pick<unsigned>({2, 3, 4});
      const int fresh = addPrivate(Type{.structure = 0}.arrayOf(count), "s");
      body.push_back(declare(fresh));
      for (unsigned k = 0; k < count; ++k) {
        ExprPtr from = node::index(name(inputs_.back()), index(items_, 1, false));
        body.push_back(assign(node::index(name(fresh), constant(kInt, k)), std::move(from)));
      }
      show(fresh);
    }
  }
  if (pointers_) {
    const int array = findVariable(kUInt.arrayOf(8), false, false);
    const int toPrivate = addPrivate(kUInt.pointerTo(Space::Private), "q");
    known(toPrivate) = {.elements = 4, .written = true};
    body.push_back(declare(
        toPrivate, addressOf(node::index(name(array), index(5, 1, false)), Space::Private)));
    show(toPrivate);
    const int input = inputs_[0];
    if (var(input).count >= 4) {
      const int toGlobal = addPrivate(var(input).type, "q");
      known(toGlobal) = {.elements = 4};
      body.push_back(declare(toGlobal, make(ExprKind::Advance, var(input).type, name(input),
                                            index(var(input).count - 3, 1, false))));
      show(toGlobal);
    }
    if (sparseInput_ >= 0 && sparseElements(sparseInput_) >= 4) {
      const Type type = var(sparseInput_).type;
      const int toFar = addPrivate(type, "q");
      known(toFar) = {.elements = 4};
      body.push_back(declare(
          toFar,
          addressOf(sparseElement(sparseInput_, name(linear_), constant(kInt, 0)), type.space)));
      show(toFar);
    }
  }
}

/// The bits of a variable in one number; those of a NaN are open.
ExprPtr Generator::hashOf(int variable) {
  const Type type = var(variable).type;
  const auto ofScalar = [&](ExprPtr lane) -> ExprPtr {
    const Type from = lane->type;
    if (!isFloat(from.scalar)) {
      if (bitsOf(from.scalar) < 64) return convert(kUInt, std::move(lane));
      ExprPtr high = binary(BinaryOp::Shr, lane->clone(), constant(from, 32));
      return binary(BinaryOp::Xor, convert(kUInt, std::move(lane)),
                    convert(kUInt, std::move(high)));
    }
    ExprPtr test = compare(CompareOp::NotEqual, lane->clone(), lane->clone());
    const Type bits = scalarType(toUnsigned(maskOf(from.scalar)));
    ExprPtr value = make(ExprKind::Reinterpret, bits, std::move(lane));
    if (bits == kULong)
      value = convert(kUInt, binary(BinaryOp::Shr, std::move(value), constant(kULong, 20)));
    return make(ExprKind::Conditional, kUInt, std::move(test), constant(kUInt, 7),
                convert(kUInt, std::move(value)));
  };
  const auto ofValue = [&](ExprPtr value) -> ExprPtr {
    if (value->type.lanes == 1) return ofScalar(std::move(value));
    ExprPtr sum;
    for (unsigned i = 0; i < value->type.lanes; ++i) {
      ExprPtr part = ofScalar(component(value->clone(), i));
      if (!sum) {
        sum = std::move(part);
        continue;
      }
      sum = binary(BinaryOp::Mul, std::move(sum), constant(kUInt, 17));
      sum = binary(BinaryOp::Add, std::move(sum), std::move(part));
    }
    return sum;
  };
  if (type.isValue()) return ofValue(name(variable));
  if (type.array != 0 && type.structure < 0) {
    ExprPtr sum = ofValue(node::index(name(variable), constant(kInt, 0)));
    for (unsigned i = 1; i < type.array; ++i)
      sum = binary(BinaryOp::Add, binary(BinaryOp::Mul, std::move(sum), constant(kUInt, 33)),
                   ofValue(node::index(name(variable), constant(kInt, i))));
    return sum;
  }
  if (type.structure >= 0 && !type.pointer) {
    const auto& fields = program_.structs[static_cast<size_t>(type.structure)].fields;
    ExprPtr sum = constant(kUInt, 1);
    for (unsigned k = 0; k < std::max<unsigned>(type.array, 1); ++k) {
      for (int f = 0; f < static_cast<int>(fields.size()); ++f) {
        ExprPtr object = name(variable);
        if (type.array) object = node::index(std::move(object), constant(kInt, k));
        ExprPtr part = field(program_, std::move(object), f);
        if (part->type.array) part = node::index(std::move(part), constant(kInt, 0));
        sum = binary(BinaryOp::Add, binary(BinaryOp::Mul, std::move(sum), constant(kUInt, 31)),
                     ofValue(std::move(part)));
      }
    }
    return sum;
  }
  if (type.pointer && known(variable).elements != 0 && type.element().isValue())
    return ofValue(node::index(name(variable), constant(kInt, 1)));
  return nullptr;
}

void Generator::addToHash(Body& body, int hash, ExprPtr part) {
  ExprPtr scaled = binary(BinaryOp::Mul, name(hash), constant(kUInt, 31));
  body.push_back(assign(name(hash), binary(BinaryOp::Add, std::move(scaled), std::move(part))));
}

void Generator::writeHash() {
  Body& body = program_.functions[0].body;
  const int h = addPrivate(kUInt, "h");
  body.push_back(declare(h, constant(kUInt, 1)));
  for (const int ref : visible_) {
    if (var(ref).kind != VariableKind::Private) continue;
    ExprPtr part = hashOf(ref);
    if (!part) continue;
    addToHash(body, h, std::move(part));
  }
  hashParts(body, h);
  body.push_back(assign(node::index(name(hash_), name(linear_)), name(h)));
}

void Generator::makeKernel() {
  Body& body = program_.functions[0].body;
  declareIds();
  if (guards_ && chance(30) && !barriers_) {  // nothing beyond is touched
    StmtPtr leave = statement(StmtKind::If, compare(CompareOp::GreaterEqual, name(linear_),
                                                    convert(var(linear_).type, name(guard_))));
    leave->body.push_back(statement(StmtKind::Return));
    body.push_back(std::move(leave));
    for (const int buffer : guardedInputs_) {
      const int fresh = addPrivate(var(buffer).type.element());
      body.push_back(declare(fresh, node::index(name(buffer), name(linear_))));
      show(fresh);
    }
  }
  if (scratch_ >= 0) {
    const Type id = var(localLinear_).type;
    for (unsigned k = 0; k < 4; ++k) {
      ExprPtr first = binary(BinaryOp::Mul, name(localLinear_), constant(id, 4));
      body.push_back(assign(
          node::index(name(scratch_), binary(BinaryOp::Add, std::move(first), constant(id, k))),
          leaf(kUInt, false)));
    }
  }
  if (slots_ >= 0)
    body.push_back(assign(ownSlot(), node::index(name(inputs_.back()), name(linear_))));
  declareVariables();
  if (partial_) declareParts(body);
  if (barriers_ && chance(50)) exchange(body);
  Place place;
  const unsigned most = 3 + below(6);
  for (unsigned i = 0; i < most; ++i) addStatement(body, place);
  while (budget_ > 0) addStatement(body, place);
  writeHash();
}

Program Generator::generate() {
  program_.seed = seed_;
  chooseFeatures();
  chooseShape();
  program_.functions.resize(1);
  program_.functions[0].name = "k";
  program_.functions[0].result.lanes = 0;
  makeStructs();
  makeTables();
  if (images_) makeImages();
  makeFunctions();
  makeBuffers();
  makeKernel();
  program_.requiresGroupSize = !program_.shape.ragged() && chance(15);
  program_.restrictPointers = chance(20);
  if (chance(6)) program_.options += " -cl-opt-disable";
  layOut(program_);
  markBarriers(program_);
  return std::move(program_);
}

}  // namespace weft::fuzz
