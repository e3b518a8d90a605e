// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <source_location>

#include "compiler_fixture.h"
#include "weft/support/log.h"

namespace weft::compiler::testing {
namespace {

namespace fs = std::filesystem;

/// Counts what the compiler logs about its cache while it lives.
class LogCounter {
 public:
  LogCounter() {
    clangRuns = hits = compiledVariants = 0;
    log::configure(log::Level::Debug, [](log::Level, std::string_view line) noexcept {
      if (line.find(" clang ") != line.npos) ++clangRuns;
      if (line.find("program found") != line.npos) ++hits;
      if (line.starts_with("variant ") && line.find(" code ") != line.npos) ++compiledVariants;
    });
  }
  ~LogCounter() { log::configure(log::Level::Off, nullptr); }

  static inline std::atomic<int> clangRuns, hits, compiledVariants;
};

/// The entries of a cache, whatever folders they are spread over.
std::vector<fs::directory_entry> filesBelow(const std::string& path) {
  std::vector<fs::directory_entry> files;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (!entry.is_directory()) files.push_back(entry);
  return files;
}

class CacheTest : public ::testing::Test {
 protected:
  CompilerOptions cachedOptions(const std::string& directory) {
    CompilerOptions options = deviceOptions();
    options.cacheEnabled = true;
    options.cacheDirectory = directory;
    return options;
  }
  /// A compiler as a new process would have it: nothing but the disk is shared.
  std::unique_ptr<Compiler> fresh() { return createCompiler(cachedOptions(cache_.path())); }

  size_t entries() const { return filesBelow(cache_.path()).size(); }
  /// Builds, makes one variant, and tells how often Clang ran.
  int clangRunsOf(Compiler& compiler, const std::string& source, const std::string& options) {
    const LogCounter counter;
    const Ref<Program> program = programOf(compiler.build(source, options));
    if (program && !program->kernels().empty()) {
      const auto variant = program->variant(0, {.form = Form::Flat});
      EXPECT_TRUE(variant) << variant.error().log;
    }
    return counter.clangRuns;
  }

  PrivateDirectory cache_;
};

TEST_F(CacheTest, AHitRunsNeitherClangNorTheOptimiser) {
  const char* source = "#warning kept\nkernel void k(global int* p) { *p = 1; }";
  {
    const LogCounter counter;
    const auto first = fresh()->build(source, "-DX=1");
    ASSERT_TRUE(first);
    ASSERT_TRUE(first->program->variant(0, {.form = Form::Flat}));
    EXPECT_EQ(counter.clangRuns, 1);
    EXPECT_EQ(counter.compiledVariants, 1);
  }
  const LogCounter counter;
  const auto second = fresh()->build(source, "-DX=1");
  ASSERT_TRUE(second);
  EXPECT_NE(second->log.find("kept"), std::string::npos);
  ASSERT_EQ(second->program->kernels().size(), 1u);
  ASSERT_TRUE(second->program->variant(0, {.form = Form::Flat}));
  EXPECT_EQ(counter.clangRuns, 0);
  EXPECT_EQ(counter.hits, 1);
  EXPECT_EQ(counter.compiledVariants, 0);
  // A form that is not there yet is compiled from the cached IR.
  ASSERT_TRUE(second->program->variant(0, {.form = Form::Fibers}));
  EXPECT_EQ(counter.clangRuns, 0);
  EXPECT_EQ(counter.compiledVariants, 1);
}

TEST_F(CacheTest, EverythingThatMattersIsInTheKey) {
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 1);
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 0);
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, "-DA"), 1);
  EXPECT_EQ(clangRunsOf(*fresh(), std::string(kOneLine) + "\n", ""), 1);
  CompilerOptions other = cachedOptions(cache_.path());
  other.extensions.pop_back();
  EXPECT_EQ(clangRunsOf(*createCompiler(other), kOneLine, ""), 1);
  other = cachedOptions(cache_.path());
  other.extraBuildOptions = "-cl-mad-enable";
  EXPECT_EQ(clangRunsOf(*createCompiler(other), kOneLine, ""), 1);
  other = cachedOptions(cache_.path());
  other.maxLocalBytes = 1024;
  EXPECT_EQ(clangRunsOf(*createCompiler(other), kOneLine, ""), 1);
}

TEST_F(CacheTest, EmbeddedHeadersAreInTheKey) {
  const LogCounter counter;
  const EmbeddedHeader one[] = {{"h.h", "#define A 1\n"}};
  const EmbeddedHeader two[] = {{"h.h", "#define A 2\n"}};
  const char* source = "#include \"h.h\"\nint f() { return A; }";
  ASSERT_TRUE(fresh()->compile(source, "", one));
  ASSERT_TRUE(fresh()->compile(source, "", two));
  EXPECT_EQ(counter.clangRuns, 2);
  ASSERT_TRUE(fresh()->compile(source, "", one));
  EXPECT_EQ(counter.clangRuns, 2);
}

TEST_F(CacheTest, ChangedAndNewHeadersOnDiskAreNoticed) {
  const PrivateDirectory headers;
  headers.write("a/other.h", "");
  headers.write("b/h.h", "#define A 1\n");
  const std::string source = "#include \"h.h\"\nkernel void k(global int* p) { *p = A; }";
  const std::string options = "-I" + (headers / "a") + " -I" + (headers / "b");
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 1);
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 0);
  headers.write("b/h.h", "#define A 2\n");
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 1);
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 0);
  // A header that now comes first in the search order.
  headers.write("a/h.h", "#define A 3\n");
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 1);
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 0);
  fs::remove(headers / "a/h.h");
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 1);
}

TEST_F(CacheTest, HeadersThatWereOnlyAskedForAreNoticed) {
  const PrivateDirectory headers;
  headers.write("h.h", "#error not to be read\n");
  const std::string source =
      "#if __has_include(\"h.h\")\nkernel void k(global int* p) { *p = 1; }\n#else\n"
      "kernel void other(global int* p) { *p = 2; }\n#endif\n";
  const std::string options = "-I" + headers.path();
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 1);
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 0);
  fs::remove(headers / "h.h");
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 1);
  EXPECT_EQ(programOf(fresh()->build(source, options))->kernels()[0].name, "other");
  headers.write("h.h", "");
  EXPECT_EQ(programOf(fresh()->build(source, options))->kernels()[0].name, "k");
  // What is no file is not found, and may become one.
  fs::remove(headers / "h.h");
  fs::create_directory(headers / "h.h");
  EXPECT_EQ(programOf(fresh()->build(source, options))->kernels()[0].name, "other");
  fs::remove(headers / "h.h");
  headers.write("h.h", "");
  EXPECT_EQ(programOf(fresh()->build(source, options))->kernels()[0].name, "k");
}

// Relative to the working directory: what one finds there says nothing about another.
TEST_F(CacheTest, HeadersBesideTheProgramBelongToItsDirectory) {
  const PrivateDirectory with, without;
  with.write("h.h", "");
  const std::string source =
      "#if __has_include(\"h.h\")\nkernel void k(global int* p) { *p = 1; }\n#else\n"
      "kernel void other(global int* p) { *p = 2; }\n#endif\n";
  const fs::path before = fs::current_path();
  fs::current_path(with.path());
  EXPECT_EQ(programOf(fresh()->build(source, ""))->kernels()[0].name, "k");
  fs::current_path(without.path());
  EXPECT_EQ(programOf(fresh()->build(source, ""))->kernels()[0].name, "other");
  fs::current_path(before);
}

TEST_F(CacheTest, EveryNameOfAFileIsWatched) {
  const PrivateDirectory headers;
  headers.write("one.h", "A\n");
  headers.write("two.h", "B\n");
  fs::create_symlink(headers / "one.h", headers / "link.h");
  const std::string source =
      "#define A int a;\n#define B float b;\nstruct S {\n"
      "#include \"one.h\"\n};\nstruct T {\n#include \"link.h\"\n};\n"
      "kernel void k(global struct T* p) { }";
  const std::string options = "-I" + headers.path();
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 1);
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 0);
  fs::remove(headers / "link.h");
  fs::create_symlink(headers / "two.h", headers / "link.h");
  EXPECT_EQ(clangRunsOf(*fresh(), source, options), 1);
}

TEST_F(CacheTest, FoldersOfHeadersAloneBindNoProgramToADirectory) {
  const PrivateDirectory headers, elsewhere;
  const std::string options = "-I" + headers.path();
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, options), 1);
  const fs::path before = fs::current_path();
  fs::current_path(elsewhere.path());
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, options), 0);
  fs::current_path(before);
}

// A library that takes the linker's options gives other code than one that does not.
TEST_F(CacheTest, LibrariesThatTakeOptionsAreOthers) {
  const char* nan = "int f(float x) { return x != x; }";
  const char* main =
      "int f(float); kernel void k(global float* in, global int* out) { *out = f(*in); }";
  const auto linked = [&](const char* options) {
    const auto compiler = fresh();
    const Ref<Program> object[] = {programOf(compiler->compile(nan, "", {}))};
    const Ref<Program> library = programOf(compiler->link(object, options));
    const Ref<Program> parts[] = {programOf(compiler->compile(main, "", {})), library};
    return programOf(compiler->link(parts, "-cl-finite-math-only"));
  };
  const LogCounter counter;
  const Ref<Program> strict = linked("-create-library");
  const int hits = counter.hits;
  const Ref<Program> loose = linked("-create-library -enable-link-options");
  ASSERT_TRUE(strict && loose);
  // Both objects are found again; neither of the two links is.
  EXPECT_EQ(counter.hits - hits, 2);
}

TEST_F(CacheTest, SourcesThatUseTheTimeAreNotCached) {
  const std::string source = "constant char t[] = __TIME__;\n" + std::string(kOneLine);
  EXPECT_EQ(clangRunsOf(*fresh(), source, ""), 1);
  EXPECT_EQ(clangRunsOf(*fresh(), source, ""), 1);
}

TEST_F(CacheTest, FailedBuildsAreNotCached) {
  failureLog(fresh()->build("garbage", ""), ErrorKind::SourceError);
  EXPECT_EQ(entries(), 0u);
}

TEST_F(CacheTest, LinkedProgramsAreCached) {
  auto run = [&] {
    const auto compiler = fresh();
    const Ref<Program> inputs[] = {programOf(compiler->compile(kOneLine, "", {}))};
    const Ref<Program> program = programOf(compiler->link(inputs, ""));
    EXPECT_EQ(program->kernels().size(), 1u);
    EXPECT_TRUE(program->variant(0, {.form = Form::Flat}));
  };
  run();
  const LogCounter counter;
  run();
  EXPECT_EQ(counter.clangRuns, 0);
  EXPECT_EQ(counter.compiledVariants, 0);
  EXPECT_EQ(counter.hits, 2);
}

TEST_F(CacheTest, DamagedEntriesAreReplaced) {
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 1);
  for (int kind = 0; kind < 3; ++kind) {
    SCOPED_TRACE(kind);
    for (const auto& entry : filesBelow(cache_.path())) {
      std::string bytes;
      {
        std::ifstream in(entry.path(), std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
      }
      if (kind == 0) bytes[bytes.size() / 2] ^= 1;
      if (kind == 1) bytes.resize(bytes.size() - 1);
      if (kind == 2) bytes.clear();
      std::ofstream(entry.path(), std::ios::binary | std::ios::trunc) << bytes;
    }
    EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 1);
    EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 0);
  }
}

TEST_F(CacheTest, EntriesThatAreLinksAreNotFollowed) {
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 1);
  const PrivateDirectory elsewhere;
  for (const auto& entry : filesBelow(cache_.path())) {
    const std::string moved = elsewhere / entry.path().filename().string();
    fs::rename(entry.path(), moved);
    fs::create_symlink(moved, entry.path());
  }
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 1);
}

TEST_F(CacheTest, DirectoriesThatAreNotPrivateAreNotUsed) {
  const PrivateDirectory base;
  for (const mode_t mode : {0755, 0770, 0702, 0710}) {
    const std::string path = base / ("mode" + std::to_string(mode));
    ASSERT_EQ(::mkdir(path.c_str(), 0700), 0);
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    const auto compiler = createCompiler(cachedOptions(path));
    EXPECT_EQ(clangRunsOf(*compiler, kOneLine, ""), 1);
    EXPECT_TRUE(fs::is_empty(path)) << mode;
  }
  fs::create_directory_symlink(cache_.path(), base / "link");
  const auto linked = createCompiler(cachedOptions(base / "link"));
  EXPECT_EQ(clangRunsOf(*linked, kOneLine, ""), 1);
  EXPECT_EQ(entries(), 0u);
  base.write("file", "x");
  EXPECT_TRUE(createCompiler(cachedOptions(base / "file"))->build(kOneLine, ""));
  EXPECT_TRUE(createCompiler(cachedOptions(base / "file/below"))->build(kOneLine, ""));
  EXPECT_TRUE(createCompiler(cachedOptions("/proc/nowhere/weft"))->build(kOneLine, ""));
}

TEST_F(CacheTest, DirectoriesThatAreNotPrivateAreNamedOnce) {
  static std::atomic<int> warnings;
  warnings = 0;
  const PrivateDirectory base;
  ASSERT_EQ(::chmod(base.path().c_str(), 0755), 0);
  log::configure(log::Level::Warning, [](log::Level level, std::string_view line) noexcept {
    if (level == log::Level::Warning && line.find("0700") != line.npos) ++warnings;
  });
  const auto compiler = createCompiler(cachedOptions(base.path()));
  EXPECT_TRUE(compiler->build(kOneLine, ""));
  EXPECT_TRUE(compiler->build(kOneLine, "-DA"));
  EXPECT_EQ(warnings, 1);
  // Nothing is said where there is simply no directory.
  EXPECT_TRUE(createCompiler(cachedOptions("/proc/nowhere/weft"))->build(kOneLine, ""));
  EXPECT_TRUE(createCompiler(cachedOptions(""))->build(kOneLine, ""));
  log::configure(log::Level::Off, nullptr);
  EXPECT_EQ(warnings, 1);
}

TEST_F(CacheTest, MissingDirectoriesAreMadePrivate) {
  const std::string path = cache_ / "a/b/weft";
  EXPECT_EQ(clangRunsOf(*createCompiler(cachedOptions(path)), kOneLine, ""), 1);
  EXPECT_EQ(clangRunsOf(*createCompiler(cachedOptions(path)), kOneLine, ""), 0);
  struct stat info;
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  for (const auto& entry : filesBelow(path)) {
    ASSERT_EQ(::stat(entry.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
  }
}

TEST_F(CacheTest, DirectoryThatVanishesCostsOnlySpeed) {
  const auto compiler = fresh();
  EXPECT_EQ(clangRunsOf(*compiler, kOneLine, ""), 1);
  fs::remove_all(cache_.path());
  EXPECT_EQ(clangRunsOf(*compiler, kOneLine, ""), 1);
}

/// Runs `body` with a limit on the size of files, which a full disk resembles: writes fail, and
/// besides, the system sends SIGXFSZ, which ends a process that does not expect it.
template <class Body>
void withFileSizeLimit(rlim_t bytes, Body body) {
  rlimit old;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit small{bytes, old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  body();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
}

TEST_F(CacheTest, FullDiskCostsOnlySpeed) {
  withFileSizeLimit(100, [&] { EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 1); });
  EXPECT_EQ(entries(), 0u) << "half-written entries are removed";
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 1);
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 0);
}

// The names that the cache wants are taken by what is no folder, or no file.
TEST_F(CacheTest, ObstaclesCostOnlySpeed) {
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 1);
  const std::vector<fs::directory_entry> files = filesBelow(cache_.path());
  ASSERT_FALSE(files.empty());
  for (const auto& entry : files) {
    fs::remove(entry.path());
    fs::create_directories(entry.path() / "occupied");
  }
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 1);
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 1);
  EXPECT_EQ(entries(), 0u) << "temporary files are left";

  std::vector<fs::path> shards;
  for (const auto& entry : fs::directory_iterator(cache_.path())) shards.push_back(entry.path());
  for (const fs::path& shard : shards) {
    fs::remove_all(shard);
    std::ofstream(shard) << "no folder";
  }
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, ""), 1);
  EXPECT_EQ(entries(), shards.size());
}

/// Ends a child process, which has no EXPECT, with the line of what is not as it should be.
void childCheck(bool condition, std::source_location where = std::source_location::current()) {
  if (condition) return;
  std::fprintf(stderr, "%s:%u\n", where.file_name(), static_cast<unsigned>(where.line()));
  std::_Exit(1);
}

/// Changes the mode of a folder and of those in it.
void setFolderModes(const std::string& path, mode_t mode) {
  std::vector<std::string> folders{path};
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_directory()) folders.push_back(entry.path());
  for (const std::string& folder : folders) childCheck(::chmod(folder.c_str(), mode) == 0);
}

/// In a process without privileges, for which modes count.
[[noreturn]] void useReadOnlyCache() {
  constexpr uid_t kNobody = 65534;
  if (::geteuid() == 0) childCheck(::setgid(kNobody) == 0 && ::setuid(kNobody) == 0);
  const PrivateDirectory cache;
  CompilerOptions options = deviceOptions();
  options.cacheEnabled = true;
  options.cacheDirectory = cache.path();
  const auto runs = [&](const char* defines) {
    const LogCounter counter;
    childCheck(createCompiler(options)->build(kOneLine, defines).has_value());
    return counter.clangRuns.load();
  };
  childCheck(runs("") == 1);
  const size_t entries = filesBelow(cache.path()).size();
  setFolderModes(cache.path(), 0500);
  childCheck(runs("") == 0);  // what is there is still found
  for (int i = 0; i < 2; ++i) childCheck(runs("-DA") == 1);
  childCheck(filesBelow(cache.path()).size() == entries);
  setFolderModes(cache.path(), 0700);
  childCheck(runs("-DA") == 1);
  childCheck(runs("-DA") == 0);
  fs::remove_all(cache.path());
  std::_Exit(0);
}

TEST(CacheDeathTest, ReadOnlyDirectoryIsStillRead) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(useReadOnlyCache(), ::testing::ExitedWithCode(0), "");
}

TEST_F(CacheTest, NoMoreFilesToOpenCostsOnlySpeed) {
  rlimit old;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &old), 0);
  const auto opened = fresh(), unopened = fresh();
  EXPECT_EQ(clangRunsOf(*opened, kOneLine, ""), 1);
  const rlimit none{0, old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  for (const auto& compiler : {opened.get(), unopened.get()})
    EXPECT_TRUE(compiler->build(kOneLine, "-DA"));
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &old), 0);
  EXPECT_EQ(clangRunsOf(*opened, kOneLine, "-DA"), 1);
  EXPECT_EQ(clangRunsOf(*fresh(), kOneLine, "-DA"), 0);
}

TEST_F(CacheTest, SizeStaysWithinTheLimit) {
  CompilerOptions options = cachedOptions(cache_.path());
  options.cacheMaxBytes = 200 << 10;
  const auto compiler = createCompiler(options);
  for (int i = 0; i < 60; ++i) {
    EXPECT_TRUE(compiler->build(kOneLine, "-DN=" + std::to_string(i)));
    uint64_t total = 0;
    for (const auto& entry : filesBelow(cache_.path())) total += entry.file_size();
    ASSERT_LE(total, options.cacheMaxBytes);
  }
  EXPECT_GT(entries(), 5u);
  // The newest entries are the ones that stay.
  const LogCounter counter;
  EXPECT_TRUE(createCompiler(options)->build(kOneLine, "-DN=59"));
  EXPECT_EQ(counter.hits, 1);
}

TEST_F(CacheTest, LargeCachesAreSplitIntoPrivateFolders) {
  CompilerOptions options = cachedOptions(cache_.path());
  options.cacheMaxBytes = uint64_t{1} << 30;
  const auto compiler = createCompiler(options);
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(compiler->build(kOneLine, "-DN=" + std::to_string(i)));
  size_t folders = 0;
  for (const auto& entry : fs::directory_iterator(cache_.path())) {
    ASSERT_TRUE(entry.is_directory()) << entry.path();
    struct stat info;
    ASSERT_EQ(::stat(entry.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    ++folders;
  }
  EXPECT_GT(folders, 1u);
  EXPECT_EQ(entries(), 8u);
}

TEST_F(CacheTest, DefaultDirectoryFollowsTheEnvironment) {
  const PrivateDirectory home;
  const char* oldHome = ::getenv("HOME");
  const char* oldXdg = ::getenv("XDG_CACHE_HOME");
  const std::string savedHome = oldHome ? oldHome : "";
  const std::string savedXdg = oldXdg ? oldXdg : "";
  // Below /tmp, where these directories are, the default is not used.
  ::setenv("HOME", home.path().c_str(), 1);
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(clangRunsOf(*createCompiler(cachedOptions("")), kOneLine, ""), 1);
  EXPECT_TRUE(fs::is_empty(home.path()));
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(clangRunsOf(*createCompiler(cachedOptions("")), kOneLine, ""), 1);
  EXPECT_FALSE(fs::exists("relative"));
  oldHome ? ::setenv("HOME", savedHome.c_str(), 1) : ::unsetenv("HOME");
  oldXdg ? ::setenv("XDG_CACHE_HOME", savedXdg.c_str(), 1) : ::unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace weft::compiler::testing
