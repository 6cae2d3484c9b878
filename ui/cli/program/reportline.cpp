// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/program/reportline.h"

#include "app/base/text/text.h"

namespace gpuledger::cli {

using reports::ReportHeader;
using services::Signer;

namespace {

constexpr std::size_t kLongestReportName = 200; // bytes

std::string signerText(const std::string &fingerprint, Signer signer)
{
    switch (signer) {
    case Signer::Own:
        return "signed here (" + fingerprint + ')';
    case Signer::Known:
        return "signed by " + fingerprint + ", a known signer";
    case Signer::Unknown:
        break;
    }
    return "signed by " + fingerprint + ", an unknown signer: compare that with whoever gave you the file";
}

} // namespace

std::string describeReport(const ReportHeader &header, Signer signer)
{
    return "report of " + insight::toString(header.month) + " (" + base::printable(header.state, kLongestReportName)
        + "), made " + base::toRfc3339(header.made)
        + (header.actor.empty() ? "" : " by " + base::printable(header.actor, kLongestReportName)) + "; "
        + signerText(header.fingerprint(), signer);
}

} // namespace gpuledger::cli
