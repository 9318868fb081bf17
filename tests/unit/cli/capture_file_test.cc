// SPDX-License-Identifier: Apache-2.0
#include "cli/capture_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "base/unique_fd.h"
#include "fakes/fake_root.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CaptureFile : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    folder_.write("/" + name, text);
    return folder_.path() + "/" + name;
  }
  std::string kallsyms() const {
    return file("kallsyms",
                "ffffffff81000000 T _stext\nffffffff81000100 T ip_rcv\nffffffff81000200 T _etext\n");
  }

  FakeRoot folder_;
};

TEST_F(CaptureFile, SymbolsThatCannotServeAreWrongUsage) {
  const std::string text = file("text", "a 1 1.0: 1 cycles:\n\t10 f\n\t20 main\n\n");
  SymbolOptions symbols;
  symbols.kallsyms = kallsyms();
  EXPECT_TRUE(read_capture(text, symbols).has_value());
  symbols.must_serve = true;
  const auto refused = read_capture(text, symbols);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  EXPECT_THAT(refused.error().text(), HasSubstr("is the text of perf script, which holds its names already"));
}

TEST_F(CaptureFile, APipeIsReadMoreThanOnce) {
  // As bash has it for <(...).
  const std::string text = "a 1 [000] 1.0: 1 cycles:\n\t10 f\n\nb 1 [000] 2.0: 1 cycles:\n\t10 f\n\n";
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const UniqueFd out(ends[0]);
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  const auto capture = OpenedCapture::open(fmt::format("/dev/fd/{}", out.get()), {});
  ASSERT_TRUE(capture.has_value()) << capture.error().text();
  IngestOptions nobody;
  nobody.comm = "c";
  EXPECT_TRUE(capture->read(nobody)->samples.empty());
  const auto whole = capture->read();
  ASSERT_TRUE(whole.has_value()) << whole.error().text();
  ASSERT_EQ(whole->samples.size(), 1u);
  EXPECT_EQ(whole->samples[0].samples, 2u);
}

TEST_F(CaptureFile, SymfsIsAFolder) {
  SymbolOptions symbols;
  symbols.symfs = file("file", "");
  const auto refused = read_capture("any", symbols);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  EXPECT_THAT(refused.error().text(), HasSubstr("is no folder"));
}

TEST_F(CaptureFile, KallsymsIsAFileOfItsOwnKind) {
  CaptureNames names(KernelFs{}, {folder_.path(), "", false});
  EXPECT_THAT(names.load_given().error().text(), HasSubstr("is a folder; name a copy of that host's"));
}

TEST_F(CaptureFile, KallsymsThatHoldFewOfTheAddressesAreTold) {
  CaptureNames names(KernelFs{}, {kallsyms(), "", false});
  ASSERT_TRUE(names.load_given().has_value());
  EXPECT_THAT(names.prepare({}), IsEmpty());
  names.kernel(0xffffffff81000110, "");
  EXPECT_THAT(names.remarks(), IsEmpty());
  names.kernel(0xffffffff71000110, "");
  names.kernel(0xffffffff72000110, "");
  EXPECT_THAT(names.remarks(), ElementsAre(HasSubstr("of 3 addresses of the kernel 1 lie in functions of")));
}

}  // namespace
}  // namespace nettoll
