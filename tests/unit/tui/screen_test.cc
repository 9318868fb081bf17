// SPDX-License-Identifier: Apache-2.0
#include "tui/screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "fakes/top_data.h"
#include "tui/batch.h"
#include "tui/glyphs.h"
#include "tui/panes.h"

namespace nettoll::tui {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Kind = Key::Kind;

constexpr Size kSmall{24, 80};

std::string text_of(const Frame& frame) {
  std::string text;
  for (int row = 0; row < frame.size().rows; ++row) text += frame.text(row) + "\n";
  return text;
}

std::string screen(const TopState& state, Size size = kSmall) {
  const TopData data = small_refresh();
  return text_of(render(state, &data, size));
}

TopState on(Pane pane) {
  TopState state;
  state.pane = pane;
  return state;
}

/// The state after keys that were typed at the small refresh.
TopState after(TopState state, std::u32string_view keys) {
  const TopData data = small_refresh();
  for (const char32_t character : keys) {
    const Key key = character == U'\n' ? Key{Kind::enter} : Key{Kind::character, character};
    state = apply(std::move(state), key, shown(state, &data, kSmall));
  }
  return state;
}

/// The rows between the tabs and the status.
std::string list_of(const TopState& state) {
  const TopData data = small_refresh();
  const Frame frame = render(state, &data, kSmall);
  std::string text;
  for (int row = 5; row < kSmall.rows - 2; ++row) {
    if (!frame.text(row).empty()) text += frame.text(row) + "\n";
  }
  return text;
}

TEST(Screen, Functions) {
  EXPECT_EQ(screen({}), R"(nettoll top  22:13:21 UTC  every 2 s  2 CPUs  testhost  Linux 6.1.0 x86_64
packets  rx 200k/s (3.50 us each)  tx 200k/s (~500 ns each)  lost 1.00k/s
network  40.0% of CPU time  softirq CPU 0 70.5%  findings 1 (1 critical)
own cost 12.3 ms a refresh (1.23% of a CPU), probes -
 1 Functions  2 Paths  3 CPUs  4 Drops  5 Findings   cpu-clock, by self%, 7 rows
function                  self%   err  incl% path      /packet    /call calls/s
__udp4_lib_rcv            25.0%  ±14%  25.0% rx        2.50 us        -       -
net_rx_action             10.0%  ±22%  35.0% rx        3.50 us        -       -
veth_xmit                ~5.00%  ±32% ~5.00% tx        ~500 ns        -       -
ip_rcv                        -     -  25.0% rx        2.50 us  2.50 us    200k
__dev_queue_xmit              -     - ~5.00% tx        ~500 ns        -       -
udp_sendmsg                   -     - ~5.00% tx        ~500 ns        -       -
kfree_skb                     -     -      - -               -        -   1.00k









lost: nothing; not here: cycles, instructions (no PMU)
q quit  h help  Tab pane  Enter detail  / filter  s sort  e event  p pause
)");
}

TEST(Screen, Paths) {
  EXPECT_EQ(list_of(on(Pane::paths)),
            R"(path     packets/s  /packet   all% network%   err   cost/s segments/s
rx            200k  3.50 us  35.0%    87.5%  ±12%   700 ms       250k
tx            200k  ~500 ns ~5.00%   ~12.5%  ±32%  ~100 ms       200k
idle             -        -  55.0%        -  ±10%   1.10 s          -
user             -        - ~5.00%        -  ±32%  ~100 ms          -
)");
}

TEST(Screen, Cpus) {
  EXPECT_EQ(list_of(on(Pane::cpus)),
            R"( CPU softirq net_rx net_tx network   busy   rx/s   tx/s polls/s pkts/poll full/s
   0   70.5%  70.0%     0%   80.0%  80.0%   200k   200k   4.00k      50.0    100
   1   0.50%     0%     0%      0%  10.0%      0      0       0         -      0
)");
}

TEST(Screen, DropsHaveLossAboveNoiseAndWhatDevicesLost) {
  EXPECT_EQ(list_of(on(Pane::drops)),
            R"(reason                /s function             kind          protocol device
NO_SOCKET          1.00k __udp4_lib_rcv       lost          ipv4     veth0
rx_missed_errors     100 (nic by ethtool)     lost          -        eth0
NOT_SPECIFIED      2.00k unix_release_sock    local message none     -
)");
}

TEST(Screen, Findings) {
  EXPECT_EQ(list_of(on(Pane::findings)), R"(severity subject  condition                      finding
critical CPU 0    one CPU has no time left       softirq_saturated
)");
  TopData none = small_refresh();
  none.judgement->diagnosis = {
      {}, {{"gro_off", Check::Outcome::fine, ""}, {"xps", Check::Outcome::unknown, "no queues"}}};
  EXPECT_THAT(text_of(render(on(Pane::findings), &none, kSmall)),
              HasSubstr("no findings in 5.00 s, 2 checks, 1 of them could not be made"));
  none.judgement.reset();
  const std::string text = text_of(render(on(Pane::findings), &none, kSmall));
  EXPECT_THAT(text, HasSubstr("nothing was judged yet"));
  EXPECT_THAT(text, HasSubstr("findings not judged yet"));
}

TEST(Screen, DetailOfAFunction) {
  EXPECT_EQ(list_of(after({}, U"jjj\n")), R"(ip_rcv (vmlinux)
calls  200,000 (200k/s, counted by fentry)
event      path  self  err    incl  of all    /call
cpu-clock  rx       -    -  500 ms   25.0%  2.50 us
called by, of 50 samples of cpu-clock
    100%  net_rx_action
calls, of 50 samples of cpu-clock
    100%  __udp4_lib_rcv
)");
}

TEST(Screen, DetailOfAFinding) {
  EXPECT_EQ(list_of(after(on(Pane::findings), U"\n")),
            R"(critical: CPU 0: one CPU has no time left (softirq_saturated)
  evidence  time in softirqs: 98.0%
  cost      CPU time a packet: 3,500 ns
  why       Packets wait for this CPU while others are idle.
  review    echo 3 > /sys/class/net/veth0/queues/rx-0/rps_cpus
Commands are for you to review: nettoll runs none of them.
)");
}

TEST(Screen, DetailOfADropAndOfACpu) {
  const std::string drop = list_of(after(on(Pane::drops), U"\n"));
  EXPECT_THAT(drop, HasSubstr("netns       4026531840\n"));
  EXPECT_THAT(drop, HasSubstr("nettoll drops --reason NO_SOCKET\n"));
  const std::string cpu = list_of(after(on(Pane::cpus), U"\n"));
  EXPECT_THAT(cpu, HasSubstr("net_rx    1.00k  70.0%\n"));
  EXPECT_THAT(cpu, HasSubstr("veth0      4.00k       200k        100\n"));
}

TEST(Screen, OnlyWhatDropsCanShowIsSentThere) {
  TopData data;
  data.profile.drops = {{"unclassified", "", "ip_rcv", kVmlinux, "ipv4", "eth0", 0, 3}};
  data.judgement = Judgement{};
  data.judgement->ledger.losses = {{DropLayer::nic, "eth0", "rx_missed_errors", "ethtool", 9}};
  for (const PaneRow& row : drops_pane(data).rows) {
    const bool of_nic = row.cells[0].text == "rx_missed_errors";
    EXPECT_EQ(row.advice, of_nic ? "" : "Stacks and examples: nettoll drops") << row.cells[0].text;
  }
  EXPECT_EQ(drops_pane(data).rows.size(), 2u);
}

TEST(Screen, ADetailThatIsGoneSaysSo) {
  const TopData empty;
  for (size_t pane = 0; pane < kPaneCount; ++pane) {
    TopState state = on(static_cast<Pane>(pane));
    state.overlay = Overlay::detail;
    state.detail = "vmlinux:gone";
    EXPECT_THAT(text_of(render(state, &empty, kSmall)), HasSubstr("gone")) << pane;
  }
}

TEST(Screen, CallsThatAreNotCountedHaveNoNumber) {
  const std::string text = list_of(after({}, U"\n"));
  EXPECT_THAT(text, HasSubstr("__udp4_lib_rcv (vmlinux)\ncalls  not counted\n"));
}

TEST(Screen, OneEventIsSaid) {
  EXPECT_THAT(screen(after({}, U"e")), HasSubstr("\none event was measured: there is no other\n"));
}

TEST(Screen, OnlyATextThatMovesHasKeysToMoveIt) {
  EXPECT_THAT(screen(after({}, U"\n")), HasSubstr("\nq back  p pause\n"));
  EXPECT_THAT(screen(after({}, U"h")), HasSubstr("\nq back  j down  k up  p pause\n"));
}

TEST(Screen, AFilterIsShownAsItIsTypedAndKept) {
  EXPECT_THAT(screen(after({}, U"/udp")), HasSubstr("\nfilter: udp  "));
  const std::string kept = list_of(after({}, U"/udp\n"));
  EXPECT_THAT(kept, HasSubstr("__udp4_lib_rcv"));
  EXPECT_THAT(kept, HasSubstr("udp_sendmsg"));
  EXPECT_THAT(kept, Not(HasSubstr("ip_rcv")));
  EXPECT_THAT(screen(after({}, U"/udp\n"), {24, 120}), HasSubstr("cpu-clock, by self%, \"udp\", 2 rows"));
}

TEST(Screen, APathHasItsFunctions) {
  const TopState rx = after(on(Pane::paths), U"\n");
  EXPECT_THAT(list_of(rx), HasSubstr("__udp4_lib_rcv"));
  EXPECT_THAT(list_of(rx), Not(HasSubstr("veth_xmit")));
  EXPECT_THAT(screen(rx, {24, 120}), HasSubstr("rx path"));
}

TEST(Screen, PauseStands) {
  EXPECT_THAT(screen(after({}, U"p")), HasSubstr("PAUSED"));
}

TEST(Screen, WhatWasLostComesFirst) {
  TopData data = small_refresh();
  data.profile.losses = {{LossKind::ring_full, "cpu-clock", 1234}, {LossKind::throttled, "", 0}};
  data.cost.events[0].running_ratio = 0.5;
  data.notes = {"a warning"};
  const Frame frame = render({}, &data, {24, 160});
  EXPECT_EQ(frame.text(22),
            "lost: ring_full 1,234 (cpu-clock), cpu-clock had a counter for 50.0% of the time; a warning; "
            "not here: "
            "cycles, instructions (no PMU)");
  EXPECT_EQ(frame.at(22, 0).style, Style::warning);
}

TEST(Screen, WithoutSamplesThereAreCallsAndNoCosts) {
  TopData data = small_refresh();
  data.profile.session.events.clear();
  data.profile.samples.clear();
  data.profile.counts.clear();
  data.cost = correlate(data.profile);
  const std::string text = text_of(render({}, &data, kSmall));
  EXPECT_THAT(text, HasSubstr("ip_rcv                       200k vmlinux"));
  EXPECT_THAT(text, HasSubstr("network  -  "));
  EXPECT_THAT(text, HasSubstr("rx 200k/s  tx 200k/s"));
}

TEST(Screen, SmallScreensKeepTheList) {
  EXPECT_EQ(screen({}, {5, 20}), R"(nettoll top  22:13:…
 1 Functions  2  3 …
function
__udp4_lib_rcv
q quit  h help
)");
  EXPECT_EQ(screen({}, {1, 30}), "function\n");
}

TEST(Screen, SaysThatItMeasuresBeforeTheFirstRefresh) {
  const std::string text = text_of(render({}, nullptr, kSmall));
  EXPECT_THAT(text, HasSubstr("nettoll top: measuring"));
  EXPECT_THAT(text, HasSubstr("q quit"));
}

TEST(Screen, HelpFitsAScreenOfTwoPages) {
  const TopState help = after({}, U"h");
  EXPECT_THAT(screen(help), HasSubstr("Shift-Tab"));
  const TopData data = small_refresh();
  const TopState end = apply(help, {Kind::end}, shown(help, &data, kSmall));
  EXPECT_THAT(text_of(render(end, &data, kSmall)), HasSubstr("per thousand instructions"));
}

TEST(Batch, IsPlainTextWithAllPanes) {
  const std::string text = batch_text({}, small_refresh(), 120, 2);
  for (const char* part : {"\nFunctions by cpu-clock\nfunction ", "\nPaths by cpu-clock\npath ",
                           "\nCPUs\n CPU ", "\nDrops\nreason ", "\nFindings\nseverity ",
                           "\n... 5 more (--limit 0 shows all)\n", "\n  review    echo 3 > "})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(batch_text({}, small_refresh(), 120, 0), Not(HasSubstr(" more (")));
  EXPECT_THAT(batch_text({}, random_refresh(3, {20, 2, 5, 20, 50}), 120, 0), Not(HasSubstr("\033")));
}

/// No row is wider than the screen and none is missing, whatever is shown and typed.
TEST(Screen, EveryFrameIsExactlyTheScreen) {
  std::mt19937 random(7);
  const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  constexpr std::u32string_view kKeys = U"12345ssS<>reehi?pjkgG/ab+-q ";
  constexpr Kind kSpecial[] = {Kind::up,        Kind::down, Kind::page_up, Kind::page_down,
                               Kind::home,      Kind::end,  Kind::enter,   Kind::escape,
                               Kind::backspace, Kind::tab,  Kind::back_tab};
  for (uint32_t round = 0; round < 60; ++round) {
    const RefreshSize size{below(60), below(20), below(10), below(30), below(200)};
    const TopData data = random_refresh(round, size);
    const TopData* shown_data = below(10) ? &data : nullptr;
    TopState state;
    for (int step = 0; step < 25; ++step) {
      const Size window{static_cast<int>(below(3) ? below(60) : below(8)) + 1,
                        static_cast<int>(below(3) ? below(200) : below(30)) + 1};
      const Key key = below(3) ? Key{Kind::character, kKeys[below(static_cast<uint32_t>(kKeys.size()))]}
                               : Key{kSpecial[below(std::size(kSpecial))]};
      state = apply(std::move(state), key, shown(state, shown_data, window));
      const Frame frame = render(state, shown_data, window);
      ASSERT_EQ(frame.size(), window);
      for (int row = 0; row < window.rows; ++row) {
        ASSERT_LE(columns_of(frame.text(row)), window.columns);
        for (int column = 0; column < window.columns; ++column) {
          const char32_t character = frame.at(row, column).character;
          ASSERT_FALSE((character > 0 && character < 0x20) || (character >= 0x7F && character < 0xA0));
          ASSERT_TRUE(character != 0 || column > 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace nettoll::tui
