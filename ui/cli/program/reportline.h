// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/files/reportfile.h"
#include "app/services/reports/reportkey.h"

#include <string>

namespace gpuledger::cli {

// One line: the month, when and by whom it was made, and who signed it.
std::string describeReport(const reports::ReportHeader &header, services::Signer signer);

} // namespace gpuledger::cli
