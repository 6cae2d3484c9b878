// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/services/alerts/alertdesk.h"
#include "ui/cli/program/output.h"

#include <string>

// What AlertsDesk prints. Pure; any thread.
namespace gpuledger::cli {

Json deliveryJson(const std::string &target, const ports::Delivery &delivery);
std::string deliveryText(const std::string &target, const ports::Delivery &delivery); // one sentence

Json alertHistoryJson(const services::AlertHistory &history);
std::string alertHistoryCsv(const services::AlertHistory &history); // the changes
std::string alertHistoryText(const services::AlertHistory &history, const base::TimeZone &zone, bool bold);

Json silenceJson(const services::Silence &silence);
std::string silenceText(const services::Silence &silence, const base::TimeZone &zone); // one sentence

Json deliveryLine(const services::OutboxEntry &entry); // one message of the outbox
Json changeLine(const services::AlertChange &change);

} // namespace gpuledger::cli
