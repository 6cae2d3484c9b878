// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/notice.h"

#include <string>
#include <vector>

namespace gpuledger::notify {

// A whole message (RFC 5322, 2045 to 2047): text and HTML, lines of at most 998 bytes that end with CRLF. The same
// group always gives the same bytes. Its Message-ID is <KEY.STATE@DOMAIN of the sender>, with the key of the alert, or
// the id of the group if it has several alerts; mail servers drop a second message with the same one. What ends an
// alert is a reply to what began it. The addresses must be isMailAddress(). Pure; any thread.
std::string mailMessage(const model::NoticeGroup &group, const std::string &from, const std::vector<std::string> &to);

} // namespace gpuledger::notify
