// SPDX-License-Identifier: Apache-2.0
// nettoll doctor: what this host offers, what it lacks, and what to do about it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/doctor_checks.h"
#include "cli/output.h"
#include "report/json_text.h"

namespace nettoll {
namespace {

std::string to_text(const std::vector<HostCheck>& checks) {
  std::string text;
  for (const HostCheck& check : checks) {
    const char* mark = check.works ? "ok  " : check.required ? "FAIL" : "none";
    text += fmt::format("{}  {:<20} {}{}{}\n", mark, check.name, check.detail,
                        check.remedy.empty() ? "" : "; ", check.remedy);
  }
  text +=
      can_run(checks) ? "\nnettoll can do its main job here.\n" : "\nnettoll cannot do its main job here.\n";
  return text;
}

/// `can_run`: whether the main job can be done. `checks`: for each capability its `name`, whether it `works`
/// and is `required` for the main job, and what was found or why not (`detail`); `remedy` where there is one.
nlohmann::json to_json(const std::vector<HostCheck>& checks) {
  nlohmann::json list = nlohmann::json::array();
  for (const HostCheck& check : checks) {
    nlohmann::json item = {
        {"name", check.name}, {"works", check.works}, {"required", check.required}, {"detail", check.detail}};
    if (!check.remedy.empty()) item["remedy"] = check.remedy;
    list.push_back(std::move(item));
  }
  return {{"can_run", can_run(checks)}, {"checks", std::move(list)}};
}

}  // namespace

void add_doctor(CLI::App& app, Command& chosen) {
  auto* command =
      app.add_subcommand("doctor", "Tell what this host offers for tracing, what it lacks, and what to do");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As JSON");
  command->callback([json, &chosen] {
    chosen = [json] {
      const auto checks = examine_host(KernelFs());
      const auto printed = print_out(*json ? json_text(to_json(checks)) + "\n" : to_text(checks));
      if (!printed) return report_error(printed.error());
      return can_run(checks) ? kExitDone : kExitFailed;
    };
  });
}

}  // namespace nettoll
