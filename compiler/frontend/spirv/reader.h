// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/spirv/binary.h"
#include "frontend/spirv/decorations.h"
#include "frontend/spirv/types.h"
#include "ir/argument_note.h"

namespace weft::compiler::spirv {

/// A value of the module with its type, which says what pointers point to.
struct TypedValue {
  llvm::Value* value = nullptr;
  uint32_t type = 0;
};

/// What sets of instructions for debuggers say, by ids.
struct DebugNotes {
  std::unordered_set<uint32_t> sets;        ///< OpenCL.DebugInfo.100 and the next
  std::unordered_set<uint32_t> shaderSets;  ///< NonSemantic.Shader.DebugInfo.100: numbers are ids
  std::unordered_map<uint32_t, uint32_t> files;  ///< strings, by DebugSource
  std::unordered_map<uint32_t, uint32_t> names;  ///< strings, by function
};

/// What all parts of the reader share: the module that is read, and the one that is made of it.
struct Reader {
  Reader(const Binary& theBinary, llvm::Module& theModule)
      : binary(theBinary),
        module(theModule),
        context(theModule.getContext()),
        annotations(theBinary),
        types(theModule, annotations) {}

  const Binary& binary;
  llvm::Module& module;
  llvm::LLVMContext& context;
  Annotations annotations;
  Types types;
  std::unordered_map<uint32_t, TypedValue> values;  ///< constants, variables, values of bodies
  std::unordered_map<uint32_t, uint32_t> builtIns;  ///< variables that stand for work-item ids
  /// Pointers into those variables. They point to the function's own copy, which is private memory
  /// whatever their type says.
  std::unordered_set<uint32_t> builtInPointers;
  /// Those of them that operations on constants make: the operation, made again in each function.
  std::unordered_map<uint32_t, Instruction> builtInOperations;
  std::unordered_map<uint32_t, llvm::Function*> functions;
  /// Kernels that functions are enqueued as from kernels, by the function.
  std::unordered_map<uint32_t, llvm::Function*> blockKernels;
  std::unordered_map<uint32_t, std::string> strings;  ///< of OpString
  std::map<uint32_t, bool> extensionSets;  ///< id of OpExtInstImport: whether it is OpenCL.std
  DebugNotes debug;
  /// Overrides of specialisation constants, by their SpecId: their bits.
  std::map<uint32_t, uint64_t> specialization;
  std::vector<uint32_t> resultTypes;          ///< by id; empty until typeOfResult() is asked
  uint64_t scalars = 0;                       ///< of aggregates that are values of instructions
  uint64_t phiEdges = 0;                      ///< of all phis
  bool singlePrecisionDivideIsExact = false;  ///< -cl-fp32-correctly-rounded-divide-sqrt

  bool pointsIntoBuiltIn(uint32_t id) const {
    return builtIns.contains(id) || builtInPointers.contains(id);
  }
  /// Whether an instruction makes such a pointer of another.
  bool makesBuiltInPointer(const Instruction& instruction) const;
  /// The id of the type of a result, whether or not it has been read.
  uint32_t typeOfResult(uint32_t id, const Instruction& user);

  void define(const Instruction& instruction, llvm::Value* value, uint32_t type) {
    if (!values.try_emplace(instruction.result, TypedValue{value, type}).second)
      instruction.fail("defines an id that has been defined before");
  }
};

/// Where instructions are made: in a function's body, or for a constant.
class Emitter {
 public:
  explicit Emitter(Reader& theReader) : reader(theReader), builder(theReader.context) {}

  Reader& reader;
  llvm::IRBuilder<> builder;

  /// The value with an id. Fails in the name of `user` when it has none.
  TypedValue typed(uint32_t id, const Instruction& user);
  llvm::Value* value(uint32_t id, const Instruction& user) { return typed(id, user).value; }
  /// The value of an operand.
  llvm::Value* operand(const Instruction& user, size_t index) {
    return value(user.operand(index), user);
  }
  /// The type of the result of an instruction.
  llvm::Type* type(const Instruction& instruction) {
    return reader.types.valueType(instruction.type, instruction);
  }
  /// The number that an operand, the id of an integer constant, stands for.
  uint64_t constant(const Instruction& user, size_t index);
  /// A call of a function of the library, or of one that the compiler lowers.
  llvm::CallInst* call(const Instruction& user, std::string_view name, llvm::Type* result,
                       llvm::ArrayRef<llvm::Value*> arguments, bool isPure = false);

 private:
  llvm::Value* placeOf(uint32_t which, uint32_t id, const Instruction& user);
  llvm::Value* placeWithin(const Instruction& operation, const Instruction& user);
  llvm::BasicBlock& entryBlock(const Instruction& user);

  /// Variables that hold work-item ids, and pointers into them, by the ids of the module's.
  std::map<uint32_t, llvm::Value*> builtInPlaces_;
};

/// What makes the value of an instruction, and what it is told: which of its kind. Null: there is
/// none.
using EmitFunction = llvm::Value* (*)(Emitter&, const Instruction&, int);
struct Row {
  SpvOp op;
  EmitFunction emit;
  int which = 0;
};

/// The tables of the parts. An instruction of a body is in one of them, or is refused by name.
std::span<const Row> arithmeticRows();
std::span<const Row> conversionRows();
std::span<const Row> compositeRows();
std::span<const Row> memoryRows();
std::span<const Row> synchronisationRows();
std::span<const Row> groupRows();
std::span<const Row> extendedRows();
std::span<const Row> dotProductRows();
std::span<const Row> imageRows();
std::span<const Row> pipeRows();
std::span<const Row> enqueueRows();
std::span<const Row> intelRows();

/// The row of an instruction; null when no table has one.
const Row* rowOf(SpvOp op);
/// Emits an instruction that has a row, and defines its result.
void emit(Emitter& emitter, const Instruction& instruction);

/// The value of a work-item variable, of the type of the variable.
llvm::Value* builtInValue(Emitter& emitter, uint32_t which, llvm::Type* type,
                          const Instruction& user);
/// The function of a dimension that the numbers of a built-in variable's value come from; null
/// where `vector` is something else.
llvm::Function* functionOfDimensions(const llvm::Value* vector);

/// Ids that instructions enqueue, or ask about, as functions.
std::set<uint32_t> invokedFunctions(const Reader& reader);
/// Fills in Reader::blockKernels, once functions have been declared.
void findBlockKernels(Reader& reader, const std::set<uint32_t>& invoked);

/// Gives a kernel Clang's metadata of its arguments' names and types where the module has both.
void setArgumentNames(const Reader& reader, llvm::Function& kernel, const std::string& name,
                      std::span<const Instruction* const> parameters);
/// Notes const, restrict and volatile of the arguments of a kernel: what translators have kept of
/// the source's words, or else what decorations say.
void noteQualifiers(const Reader& reader, const std::string& name,
                    std::span<const Instruction* const> parameters, std::span<ArgumentNote> notes);

/// Declares types, constants and variables at module scope.
void readGlobals(Reader& reader);
/// Declares all functions, then fills in bodies.
void readFunctions(Reader& reader);

/// One function as it stands in the module.
struct Body {
  const Instruction* head = nullptr;
  std::vector<const Instruction*> parameters;
  std::span<const Instruction> instructions;  ///< from the first label to the end
};
/// Fills in a function that has been declared.
void readBody(Reader& reader, const Body& body, llvm::Function& function);

/// The function of LLVM's that an import without a body stands for: translators leave those as they
/// are that SPIR-V has nothing for. Null for what is none, or none that every value is good for.
llvm::Function* functionOfLlvm(llvm::Module& module, std::string_view name,
                               llvm::FunctionType* type);

/// Whether LLVM, or the passes, would take such a name for one of theirs.
bool isReservedName(std::string_view name);

}  // namespace weft::compiler::spirv
