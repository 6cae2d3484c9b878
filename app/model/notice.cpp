// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/notice.h"

#include <array>

namespace gpuledger::model {

namespace {
constexpr std::array<std::string_view, 3> kNoticeStates{"firing", "resolved", "test"};
}

std::string_view toString(NoticeState state)
{
    return kNoticeStates[static_cast<std::size_t>(state)];
}

std::optional<NoticeState> noticeStateFromString(std::string_view text)
{
    for (std::size_t i = 0; i < kNoticeStates.size(); ++i)
        if (kNoticeStates[i] == text)
            return static_cast<NoticeState>(i);
    return std::nullopt;
}

} // namespace gpuledger::model
