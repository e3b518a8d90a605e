// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "fuzz/ast.h"

namespace weft::fuzz {

/// Makes random programs. Each one uses some of the features only, so that rare combinations
/// turn up. They are meant to have one outcome; the interpreter throws out those that have none.
/// The same seed gives the same program.
class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15u + 1), seed_(seed) {}

  Program generate();

 private:
  /// Where a statement stands.
  struct Place {
    int depth = 3;        ///< of statements that it may still nest
    bool uniform = true;  ///< reached by the whole group or by none of it
    bool inLoop = false, inSwitch = false;
    int loops = 0;  ///< around it
    std::vector<int> labels;
    bool loopUniform = true, switchUniform = true;  ///< a jump out of it may be reached by all
  };
  /// What is known of a variable.
  struct Known {
    bool uniform = false;   ///< equal in the whole group
    bool fixed = false;     ///< not to be assigned
    uint64_t below = 0;     ///< never negative and less than this; 0: not known
    uint64_t elements = 0;  ///< pointers: that can be read from it
    bool written = false;   ///< pointers: that can be written
    bool linear = false;    ///< the linear global id
  };
  enum class Pattern : uint8_t { Own, Reversed, Strided, Chunk };

  unsigned below(uint64_t bound) { return static_cast<unsigned>(random_() % bound); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  T pick(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }
  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  // shapes.cpp
  void chooseShape();
  void makeBarrierHelper();
  void exchangeByCall(Body& body, int target);
  void tangle(Body& body, const Place& place);

  // generator.cpp
  void chooseFeatures();
  void makeStructs();
  void makeBuffers();
  void makeTables();
  void makeFunctions();
  void makeKernel();
  void declareIds();
  void declareVariables();
  void addToHash(Body& body, int hash, ExprPtr part);
  void writeHash();
  ExprPtr hashOf(int variable);
  int addVariable(const std::string& name, VariableKind kind, Type type);
  int addPrivate(Type type, const char* prefix = "v");
  int addBuffer(const std::string& name, Type element, uint64_t count, bool written);
  int addParameter(Type type, uint64_t bits);
  Variable& var(int ref) { return program_.variables[static_cast<size_t>(ref)]; }
  Known& known(int ref);
  void show(int ref) { visible_.push_back(ref); }
  Type scalar();
  Type integer();
  Type vector();
  Type value();

  // expressions.cpp
  ExprPtr name(int ref);
  ExprPtr random(Type type);
  ExprPtr leaf(Type type, bool uniform);
  ExprPtr expression(Type type, int depth, bool uniform);
  ExprPtr integerOperation(Type type, int depth, bool uniform);
  ExprPtr integerBuiltin(Type type, int depth, bool uniform);
  ExprPtr floatOperation(Type type, int depth, bool uniform);
  ExprPtr vectorOperation(Type type, int depth, bool uniform);
  ExprPtr conditional(Type type, int depth, bool uniform);
  ExprPtr callHelper(Type type, int depth, bool uniform);
  ExprPtr condition(bool uniform, int depth = 1);
  ExprPtr masked(Type type, uint64_t mask, int depth, bool uniform);
  int findVariable(Type type, bool uniform, bool assignable);
  std::vector<int> visibleWith(auto predicate) {
    std::vector<int> found;
    for (const int ref : visible_)
      if (predicate(var(ref), known(ref))) found.push_back(ref);
    return found;
  }

  // accesses.cpp
  ExprPtr load(Type type, int depth, bool uniform);
  ExprPtr loadScalar(int variable, int depth, bool uniform);
  ExprPtr index(uint64_t count, int depth, bool uniform);
  ExprPtr linearIndex(uint64_t count);
  ExprPtr roundabout(ExprPtr index);
  ExprPtr ownIndex(int buffer, uint64_t& room);
  ExprPtr scalarIn(ExprPtr place, int depth, bool uniform);
  StmtPtr store(const Place& place);
  StmtPtr storeOwn(const Place& place);
  StmtPtr storePrivate(const Place& place);
  void guarded(Body& body, const Place& place);
  void guardedStore(Body& body);
  void edge(Body& body);
  void guardedShifted(Body& body, int buffer, int target);
  ExprPtr foldedIndex(uint64_t count);
  ExprPtr scratchCell();
  ExprPtr ownSlot();
  StmtPtr storeVector(const Place& place);
  void pointers(Body& body, const Place& place);

  // sparse.cpp
  void makeSparse();
  int addSparse(const std::string& name, Type element, bool written);
  uint64_t sparseElements(int buffer);
  ExprPtr sparseElement(int buffer, ExprPtr chunk, ExprPtr within);
  ExprPtr ownSparseElement();
  ExprPtr loadSparse(int depth, bool uniform);

  // images.cpp
  void makeImages();
  int addImage(const ImageType& image);
  void drawFormat(ImageType& image);
  int addWrittenImage();
  int addSampler();
  void addImageParameters(std::vector<int>& parameters);
  ExprPtr imageArgument(int parameter);
  ExprPtr readImage(Type type, int depth, bool uniform);
  ExprPtr queryImage(Type type);
  ExprPtr inType(Type type, ExprPtr pixel);
  StmtPtr writeImage();
  ExprPtr colorFor(Scalar pixel);
  ExprPtr ownPixel(int image);
  ExprPtr coordinates(int image, Scalar scalar, uint64_t sampler, int depth, bool uniform);
  ExprPtr integerCoordinate(unsigned c, uint32_t size, bool isInside, int depth, bool uniform);
  ExprPtr floatCoordinate(ExprPtr whole, uint32_t size, uint64_t sampler, bool isInside, int depth,
                          bool uniform);
  uint64_t extentOf(unsigned dimension) const {
    return program_.shape.offset[dimension] + program_.shape.global[dimension];
  }

  // parts.cpp
  /// A variable that is declared without a value, and what it holds on every way that leads here.
  struct Part {
    int ref = -1;
    uint64_t known = 0;  ///< bits of a scalar, components of a vector, fields of a structure
  };
  /// What a variable holds besides where `condition`, which is not assigned to, is not nought; or,
  /// for `each`, that so many units of a scalar have a value.
  struct Promise {
    int condition = -1;
    size_t part = 0;
    uint64_t known = 0;
    bool each = false;
  };
  void declareParts(Body& body);
  bool writeParts(Body& body, const Place& place);
  StmtPtr writePart(Part& part);
  StmtPtr changeVector();
  StmtPtr copyPart();
  StmtPtr assemble();
  StmtPtr units(const Part& part, ExprPtr bound, bool isRead);
  void makePromise(Body& body, const Place& place);
  StmtPtr redeemPromise();
  ExprPtr readPart(const Part& part, uint64_t known);
  ExprPtr readPart(Type type);
  void hashParts(Body& body, int hash);
  uint64_t someBits(unsigned bits);
  /// What holds whichever of two ways was taken.
  static std::vector<Part> both(std::vector<Part> one, const std::vector<Part>& other);

  // statements.cpp
  Body statements(const Place& place, unsigned most);
  void addStatement(Body& body, const Place& place);
  void simple(Body& body, const Place& place);
  void compoundStatement(Body& body, const Place& place);
  StmtPtr branch(const Place& place);
  void loop(Body& body, const Place& place);
  StmtPtr choose(const Place& place);
  StmtPtr labelled(const Place& place);
  StmtPtr jump(const Place& place);
  StmtPtr assignVariable(const Place& place);
  void declareNew(Body& body, const Place& place);
  void exchange(Body& body);
  bool collect(Body& body);
  bool meet(Body& body);
  void publish(Body& body);
  void reduceTree(Body& body);
  void atomicsOfGroup(Body& body);
  void chooseOrder(Expr& atomic);
  StmtPtr globalAtomic(const Place& place);
  ExprPtr disguised(ExprPtr condition, const Place& inside);
  StmtPtr conditionalJump(const Place& place, StmtPtr jump, bool uniform);

  std::mt19937_64 random_;
  const uint64_t seed_;
  Program program_;
  std::vector<Known> known_;  ///< by variable
  std::vector<int> visible_;
  int function_ = 0;
  int budget_ = 0;  ///< statements that may still be made
  int labels_ = 0;
  int nextName_ = 0;

  // Features of this program.
  bool barriers_ = false, observesGroup_ = false, arrays_ = false, structs_ = false,
       vectors_ = false, helpers_ = false, atomics_ = false, guards_ = false, pointers_ = false,
       jumps_ = false, switches_ = false, earlyReturn_ = false, floats_ = false, small_ = false,
       longs_ = false, native_ = false, elements_ = false, scratchSlots_ = false, edges_ = false,
       disguises_ = false, subGroups_ = false, images_ = false, programScope_ = false,
       sparse_ = false, partial_ = false;
  std::vector<Scalar> scalars_, integers_;

  // What the kernel's parts refer to.
  uint64_t items_ = 0;  ///< linear global ids lie below this
  int linear_ = -1, localLinear_ = -1, guard_ = -1, hash_ = -1, end_ = -1;
  uint64_t guardBelow_ = 0;
  std::vector<int> inputs_, outputs_, guardedInputs_, guardedOutputs_;
  std::vector<Pattern> patterns_;  ///< of outputs_
  int accumulators_ = -1, cells_ = -1, shared_ = -1, localSums_ = -1, programSums_ = -1,
      scratch_ = -1, barrierHelper_ = -1, slots_ = -1, distance_ = -1;
  int sparseInput_ = -1, sparseOutput_ = -1, sparsePitch_ = -1;  ///< the last in elements
  static constexpr uint64_t kSumsOfGroup = 2;
  std::vector<Part> parts_, partsAfter_;  ///< the second: where the last nested body ended
  std::vector<Promise> promises_;
  int unitCount_ = -1;                   ///< a parameter that says how many there are, kUnits
  static constexpr unsigned kUnits = 4;  ///< equal parts of a scalar
  std::vector<int> pictures_, writtenImages_, samplers_;  ///< pictures are only read
  std::vector<int> imageParameters_;  ///< of the function that is being made: image, sampler
};

}  // namespace weft::fuzz
