// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/notice.h"

#include <string>

// What a mail says about alerts, in English. Texts from facts are cleaned and cut. Pure; any thread.
namespace gpuledger::notify {

// One line, at most 200 bytes.
std::string mailSubject(const model::NoticeGroup &group);
// Lines end with LF.
std::string mailPlainBody(const model::NoticeGroup &group);
// A complete document without scripts, pictures and outside addresses.
std::string mailHtmlBody(const model::NoticeGroup &group);

} // namespace gpuledger::notify
