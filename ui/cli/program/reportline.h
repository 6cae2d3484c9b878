// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/reportfile.h"
#include "app/services/reports/reportkey.h"

#include <string>

namespace gpuledger::cli {

// One line for people: whose month, made when and by whom, signed by whom.
std::string describeReport(const reports::ReportHeader &header, services::Signer signer);

} // namespace gpuledger::cli
