// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang_frontend.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/Sema.h>

#include <algorithm>

#include "frontend/argument_notes.h"
#include "frontend/check_attributes.h"
#include "frontend/check_printf.h"
#include "frontend/embedded_headers.h"
#include "frontend/endian_attribute.h"
#include "frontend/source_guard.h"
#include "weft/compiler/embedded_builtins.h"

namespace weft::compiler {
namespace {

constexpr std::string_view kBaseHeaderName = "opencl-c-base.h";
constexpr std::string_view kExtraHeaderName = "weft_extra.h";

/// Parses the source and keeps the module that code generation made of it.
class EmitModuleAction : public clang::ASTFrontendAction {
 public:
  EmitModuleAction(llvm::LLVMContext& context, SourceGuard::State& guard, bool takesSubGroupSizes)
      : context_(context), guard_(guard), takesSubGroupSizes_(takesSubGroupSizes) {}
  std::unique_ptr<llvm::Module> takeModule() { return std::move(module_); }

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef) override {
    SourceGuard::attach(instance.getPreprocessor(), guard_);
    generator_ = clang::CreateLLVMCodeGen(
        instance.getDiagnostics(), "program", &instance.getVirtualFileSystem(),
        instance.getHeaderSearchOpts(), instance.getPreprocessorOpts(), instance.getCodeGenOpts(),
        context_);
    // First the checks, whose warnings may be errors: then nothing is generated.
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(createPrintfChecker(instance.getDiagnostics()));
    consumers.push_back(createAttributeChecker(instance.getDiagnostics(), takesSubGroupSizes_));
    consumers.push_back(ArgumentNotes::collector(notes_));
    consumers.emplace_back(generator_);
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
  void ExecuteAction() override {
    clang::CompilerInstance& instance = getCompilerInstance();
    if (!instance.hasSema()) instance.createSema(getTranslationUnitKind(), nullptr);
    SourceGuard::attach(instance.getSema());
    ASTFrontendAction::ExecuteAction();
  }
  void EndSourceFileAction() override {
    module_.reset(generator_->ReleaseModule());
    if (module_) notes_.attach(*module_);
  }

 private:
  llvm::LLVMContext& context_;
  SourceGuard::State& guard_;
  bool takesSubGroupSizes_;
  ArgumentNotes notes_;
  clang::CodeGenerator* generator_ = nullptr;  ///< owned by the compiler instance
  std::unique_ptr<llvm::Module> module_;
};

struct FlagArgument {
  bool BuildOptions::* field;
  const char* argument;
};

constexpr FlagArgument kFlagArguments[] = {
    {&BuildOptions::noWarnings, "-w"},
    {&BuildOptions::warningsAsErrors, "-Werror"},
    {&BuildOptions::singlePrecisionConstant, "-cl-single-precision-constant"},
    {&BuildOptions::denormsAreZero, "-fdenormal-fp-math-f32=preserve-sign,preserve-sign"},
    {&BuildOptions::correctlyRoundedDivideSqrt, "-cl-fp32-correctly-rounded-divide-sqrt"},
    {&BuildOptions::madEnable, "-cl-mad-enable"},
    {&BuildOptions::noSignedZeros, "-cl-no-signed-zeros"},
    {&BuildOptions::unsafeMath, "-cl-unsafe-math-optimizations"},
    {&BuildOptions::finiteMath, "-cl-finite-math-only"},
    {&BuildOptions::fastRelaxedMath, "-cl-fast-relaxed-math"},
    {&BuildOptions::uniformWorkGroupSize, "-cl-uniform-work-group-size"},
    {&BuildOptions::kernelArgInfo, "-cl-kernel-arg-info"},
};

std::string inFolder(std::string_view folder, std::string_view name) {
  return std::string(folder) + "/" + std::string(name);
}

/// Whether a program seems to use Intel's functions of sub-groups, whose declarations take longer
/// than most programs: only those have them that mention one, and those that fail for want of one.
bool mentionsIntelSubGroups(std::string_view text) { return text.contains("intel_sub_group"); }
bool mentionsIntelSubGroups(const SourceRequest& request) {
  const auto mentions = [](std::string_view text) { return mentionsIntelSubGroups(text); };
  return mentions(request.source) || std::ranges::any_of(request.options->macros, mentions) ||
         std::ranges::any_of(request.headers, mentions, &EmbeddedHeader::source);
}

std::vector<std::string> clangArguments(const DeviceLanguage& language,
                                        const SourceRequest& request, bool intelSubGroups) {
  const BuildOptions& options = *request.options;
  const LanguageStandard standard =
      options.standard == LanguageStandard::Default ? LanguageStandard::C12 : options.standard;
  std::vector<std::string> arguments = {
      "-triple", "spir64-unknown-unknown", "-cl-std=" + DeviceLanguage::clangStandard(standard),
      // Our pipeline optimises; Clang is to leave its hints (lifetimes, aliasing) in the IR.
      options.optDisable ? "-O0" : "-O2", "-disable-llvm-passes", "-disable-O0-optnone",
      // Clang emits modules for queue_t that its verifier refuses with an abort; we verify
      // after lowering.
      "-disable-llvm-verifier", "-fdeclare-opencl-builtins", "-nostdsysteminc", "-nobuiltininc",
      "-disable-pragma-debug-crash",
      // A function of C++ that ends without a value it owes is to return any, not to trap.
      "-fno-strict-return", "-ferror-limit", "100", "-fmessage-length=0", "-ftemplate-depth=256"};
  // Programs of other implementations reinterpret memory freely; only who asks gets C99's rule.
  if (!options.strictAliasing) arguments.push_back("-relaxed-aliasing");
  if (options.debugInfo) {
    arguments.insert(arguments.end(), {"-debug-info-kind=standalone", "-dwarf-version=4"});
  }
  for (const FlagArgument& flag : kFlagArguments) {
    if (options.*flag.field) arguments.push_back(flag.argument);
  }
  for (std::string& argument : language.clangArguments(standard)) {
    arguments.push_back(std::move(argument));
  }
  if (intelSubGroups) arguments.push_back("-DWEFT_INTEL_SUBGROUPS");
  for (std::string_view name : {kBaseHeaderName, kExtraHeaderName}) {
    arguments.insert(arguments.end(), {"-include", inFolder(ProgramFiles::kOwnFolder, name)});
  }
  arguments.insert(arguments.end(), options.macros.begin(), options.macros.end());
  arguments.insert(arguments.end(), options.warningFlags.begin(), options.warningFlags.end());
  if (!request.headers.empty()) {
    arguments.insert(arguments.end(), {"-I", std::string(ProgramFiles::kHeaderFolder)});
  }
  for (const std::string& folder : options.includeDirectories) {
    arguments.insert(arguments.end(), {"-I", folder});
  }
  arguments.insert(arguments.end(), {"-x", "cl", std::string(ProgramFiles::kSourceName)});
  return arguments;
}

/// Clang 19 has the groups of C++ for OpenCL be of one size, as if it were older than OpenCL C 2.0.
void allowRaggedGroups(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
      function.addFnAttr("uniform-work-group-size", "false");
}

/// Whether a line is so long that Clang, which looks for its beginning once for each place in it
/// that code came from, would take longer for that than for everything else.
bool hasLongLine(std::string_view source) {
  constexpr size_t kLong = size_t{32} << 10;
  while (!source.empty()) {
    const size_t length = source.find('\n');
    if (std::min(length, source.size()) > kLong) return true;
    if (length == std::string_view::npos) break;
    source.remove_prefix(length + 1);
  }
  return false;
}

/// Sets up Clang's instance for one build; false when the arguments are not to its liking.
bool setUp(clang::CompilerInstance& instance, const std::vector<std::string>& arguments,
           const SourceRequest& request, llvm::raw_ostream& log) {
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  {
    // The arguments say how diagnostics are shown, so others report on the arguments.
    llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options(new clang::DiagnosticOptions);
    clang::TextDiagnosticPrinter printer(log, options.get());
    clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, options, &printer,
                                         /*ShouldOwnClient=*/false);
    if (!clang::CompilerInvocation::CreateFromArgs(instance.getInvocation(), pointers,
                                                   diagnostics)) {
      return false;
    }
  }
  auto* printer = new clang::TextDiagnosticPrinter(log, &instance.getDiagnosticOpts());
  instance.createDiagnostics(printer, /*ShouldOwnClient=*/true);
  instance.getCodeGenOpts().DiscardValueNames = !request.keepNames;
  if (hasLongLine(request.source)) {
    instance.getCodeGenOpts().setDebugInfo(llvm::codegenoptions::NoDebugInfo);
  } else if (!request.options->debugInfo) {
    // Calls keep their lines, for messages about barriers, at next to no cost.
    instance.getCodeGenOpts().setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  }
  return true;
}

void compileOnce(const DeviceLanguage& language, const SourceRequest& request, bool intelSubGroups,
                 SourceResult& result) {
  llvm::IntrusiveRefCntPtr<ProgramFiles> files(
      new ProgramFiles(request.source, request.headers, request.options->includeDirectories));
  files->addOwnHeader(kBaseHeaderName, openclBaseHeader());
  files->addOwnHeader(kExtraHeaderName, builtins::extraHeader());
  registerEndianAttribute();

  auto unit = std::make_unique<IrUnit>(request.keepNames);
  SourceGuard::State guard;
  llvm::raw_string_ostream log(result.log);
  log.SetUnbuffered();
  Quarantined<clang::CompilerInstance> instance(new clang::CompilerInstance);
  instance->setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  instance->setFileManager(new clang::FileManager(clang::FileSystemOptions(), files));

  Quarantined<EmitModuleAction> action(
      new EmitModuleAction(unit->context(), guard, language.takesSubGroupSizes()));
  const bool good =
      setUp(*instance, clangArguments(language, request, intelSubGroups), request, log) &&
      instance->ExecuteAction(*action);
  result.files = files->uses();
  result.usesTime = guard.usesTime;
  if (!good) return;
  if (auto module = action->takeModule()) {
    const LanguageStandard standard = request.options->standard;
    const bool isCxx = standard == LanguageStandard::Cxx10 || standard == LanguageStandard::Cxx2021;
    if (isCxx && !request.options->uniformWorkGroupSize) allowRaggedGroups(*module);
    unit->setModule(std::move(module));
    result.unit = std::move(unit);
  }
}

}  // namespace

void compileSource(const DeviceLanguage& language, const SourceRequest& request,
                   SourceResult& result) {
  const bool may = language.hasIntelSubGroups(), seems = may && mentionsIntelSubGroups(request);
  compileOnce(language, request, seems, result);
  // Headers on disk are not known before they are included.
  if (result.unit || !may || seems || !mentionsIntelSubGroups(result.log)) return;
  result = {};
  compileOnce(language, request, true, result);
}

}  // namespace weft::compiler
