// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

using Names = std::vector<std::string>;

/// Both kinds of temporary file must behave the same.
class AtomicFileTest : public testing::TestWithParam<AtomicFile::Temporary> {
 protected:
  Result<AtomicFile> create(const std::string& name) {
    return AtomicFile::create(root_.path() + name, GetParam());
  }
  FakeRoot root_;
};

INSTANTIATE_TEST_SUITE_P(Temporary, AtomicFileTest,
                         testing::Values(AtomicFile::Temporary::unnamed, AtomicFile::Temporary::named),
                         [](const auto& kind) {
                           return kind.param == AtomicFile::Temporary::unnamed ? "Unnamed" : "Named";
                         });

TEST_P(AtomicFileTest, AppearsWholeAtCommit) {
  auto file = create("/out");
  ASSERT_TRUE(file);
  EXPECT_FALSE(fs::exists(root_.path() + "/out"));
  const std::string bytes(3'000'000, 'x');
  ASSERT_TRUE(file->commit(bytes));
  EXPECT_EQ(text_of(root_.path() + "/out"), bytes);
  EXPECT_EQ(names_in(root_.path()), Names{"out"});
}

TEST_P(AtomicFileTest, ReplacesAnOldFileOnlyAtCommit) {
  root_.write("/out", "old");
  {
    auto file = create("/out");
    ASSERT_TRUE(file);
    EXPECT_EQ(text_of(root_.path() + "/out"), "old");
    ASSERT_TRUE(file->commit("new"));
  }
  EXPECT_EQ(text_of(root_.path() + "/out"), "new");
  EXPECT_EQ(names_in(root_.path()), Names{"out"});
}

TEST_P(AtomicFileTest, LeavesNothingWithoutCommit) {
  root_.write("/out", "old");
  {
    auto file = create("/out");
    ASSERT_TRUE(file);
    EXPECT_EQ(names_in(root_.path()).size(), GetParam() == AtomicFile::Temporary::named ? 2u : 1u);
  }
  EXPECT_EQ(names_in(root_.path()), Names{"out"});
  EXPECT_EQ(text_of(root_.path() + "/out"), "old");
}

TEST_P(AtomicFileTest, MovesWithItsTemporaryFile) {
  auto first = create("/a");
  auto second = create("/b");
  ASSERT_TRUE(first && second);
  *first = std::move(*second);  // drops a
  AtomicFile last = std::move(*first);
  EXPECT_EQ(last.path(), root_.path() + "/b");
  ASSERT_TRUE(last.commit("b"));
  EXPECT_EQ(names_in(root_.path()), Names{"b"});
}

TEST_P(AtomicFileTest, KeepsToTheUmask) {
  const mode_t before = ::umask(027);
  auto file = create("/out");
  const bool done = file && file->commit("x");
  ::umask(before);
  ASSERT_TRUE(done);
  struct stat info {};
  ASSERT_EQ(::stat((root_.path() + "/out").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
}

TEST_P(AtomicFileTest, WritesOnlyOnce) {
  auto file = create("/out");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->commit("one"));
  EXPECT_FALSE(file->commit("two"));
  EXPECT_EQ(text_of(root_.path() + "/out"), "one");
}

TEST_P(AtomicFileTest, TakesPiecesAndChangesThem) {
  auto file = create("/out");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append("head"));
  ASSERT_TRUE(file->append(" body"));
  ASSERT_TRUE(file->overwrite(1, "EA"));
  EXPECT_FALSE(fs::exists(root_.path() + "/out"));
  ASSERT_TRUE(file->commit(" end"));
  EXPECT_EQ(text_of(root_.path() + "/out"), "hEAd body end");
  EXPECT_FALSE(file->append("more"));
  EXPECT_FALSE(file->overwrite(0, "X"));
  EXPECT_EQ(text_of(root_.path() + "/out"), "hEAd body end");
}

TEST_P(AtomicFileTest, StaysClearOfForeignTemporaryFiles) {
  const std::string taken = fmt::format("/.nettoll-{}-0.tmp", ::getpid());
  root_.write(taken, "not ours");
  auto file = create("/out");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->commit("x"));
  EXPECT_EQ(text_of(root_.path() + taken), "not ours");
  EXPECT_EQ(text_of(root_.path() + "/out"), "x");
}

TEST_P(AtomicFileTest, RefusesTargetsThatAreNoFiles) {
  fs::create_directory(root_.path() + "/folder");
  fs::create_symlink("file", root_.path() + "/link");
  ASSERT_EQ(::mkfifo((root_.path() + "/fifo").c_str(), 0600), 0);
  root_.write("/file", "kept");
  const auto before = names_in(root_.path());
  const struct {
    const char* name;
    const char* says;
  } cases[] = {
      {"/folder", "is a folder"}, {"/folder/", "is a folder"},     {"/folder/..", "is a folder"},
      {"/link", "symbolic link"}, {"/fifo", "not a regular file"}, {"/none/out", "No such file"},
      {"/file/out", "Not a dir"},
  };
  for (const auto& c : cases) {
    const auto file = create(c.name);
    ASSERT_FALSE(file) << c.name;
    const std::string text = file.error().text();
    EXPECT_NE(text.find(c.says), std::string::npos) << text;
    EXPECT_NE(text.find(root_.path()), std::string::npos) << text;
    EXPECT_NE(file.error().remedy, "") << text;
  }
  EXPECT_EQ(names_in(root_.path()), before);
  EXPECT_EQ(create("/" + std::string(300, 'n')).error().code, ENAMETOOLONG);
  for (const char* device : {"/dev/null", "/dev/stdout"})
    EXPECT_FALSE(AtomicFile::create(device, GetParam())) << device;
}

TEST_P(AtomicFileTest, SeesWhatCameToTheTargetMeanwhile) {
  auto file = create("/out");
  ASSERT_TRUE(file);
  fs::create_directory(root_.path() + "/out");
  const auto done = file->commit("x");
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("is a folder"), std::string::npos);
  EXPECT_EQ(names_in(root_.path()), Names{"out"});
}

TEST_P(AtomicFileTest, ReportsAWriteThatFails) {
  root_.write("/out", "old");
  auto file = create("/out");
  ASSERT_TRUE(file);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1000, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto done = file->commit(std::string(5000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, EFBIG);
  EXPECT_NE(done.error().message.find(root_.path() + "/out"), std::string::npos);
  EXPECT_EQ(names_in(root_.path()), Names{"out"});
  EXPECT_EQ(text_of(root_.path() + "/out"), "old");
}

/// Runs `body` in a child process with a namespace of its own in which it may mount. The child's exit status,
/// or -1 where this host does not allow it.
template <typename Body>
int in_mount_namespace(Body body) {
  constexpr int kRefused = 99;
  const pid_t child = ::fork();
  if (child == 0) {
    const bool root = ::geteuid() == 0;
    if (::unshare(CLONE_NEWNS | (root ? 0 : CLONE_NEWUSER)) != 0) ::_exit(kRefused);
    if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) ::_exit(kRefused);
    ::_exit(body());
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -2;
  return WEXITSTATUS(status) == kRefused ? -1 : WEXITSTATUS(status);
}

TEST_P(AtomicFileTest, ReportsAFullDisk) {
  const std::string folder = root_.path();
  const int outcome = in_mount_namespace([&] {
    if (::mount("none", folder.c_str(), "tmpfs", 0, "size=64k") != 0) return 99;
    auto file = create("/out");
    if (!file) return 1;
    const auto done = file->commit(std::string(1'000'000, 'x'));
    if (done || done.error().code != ENOSPC) return 2;
    if (done.error().remedy.find("free some space") == std::string::npos) return 3;
    return names_in(folder).empty() ? 0 : 4;
  });
  if (outcome == -1) GTEST_SKIP() << "this user may not make a mount namespace";
  EXPECT_EQ(outcome, 0);
}

TEST_P(AtomicFileTest, ReportsAFileSystemThatIsReadOnly) {
  const std::string folder = root_.path();
  const int outcome = in_mount_namespace([&] {
    if (::mount("none", folder.c_str(), "tmpfs", MS_RDONLY, "size=64k") != 0) return 99;
    const auto file = create("/out");
    return !file && file.error().code == EROFS && !file.error().remedy.empty() ? 0 : 1;
  });
  if (outcome == -1) GTEST_SKIP() << "this user may not make a mount namespace";
  EXPECT_EQ(outcome, 0);
}

TEST_P(AtomicFileTest, ReportsAFolderThatMayNotBeWritten) {
  const std::string folder = root_.path() + "/locked";
  fs::create_directory(folder);
  fs::permissions(root_.path(), fs::perms(0755));
  fs::permissions(folder, fs::perms(0555));
  const pid_t child = ::fork();
  if (child == 0) {
    // Root may write everywhere.
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(99);
    const auto file = create("/locked/out");
    ::_exit(!file && file.error().code == EACCES && !file.error().remedy.empty() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(AtomicFile, TakesANameInTheWorkingFolder) {
  FakeRoot root;
  const auto before = fs::current_path();
  fs::current_path(root.path());
  auto file = AtomicFile::create("out");
  fs::current_path(before);
  // The folder is held, not its name.
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->commit("x"));
  EXPECT_EQ(text_of(root.path() + "/out"), "x");
}

TEST(AtomicFile, RefusesAnEmptyName) {
  const auto file = AtomicFile::create("");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace nettoll
