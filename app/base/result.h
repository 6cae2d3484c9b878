// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/error.h"

#include <tl/expected.hpp>

namespace gpuledger::base {

// A value, or the Error that explains its absence. Use it for every function that can fail; never throw across
// functions.
template <typename T> using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string text, Hint hint = {})
{
    return tl::unexpected<Error>(Error::make(code, std::move(text), std::move(hint)));
}

[[nodiscard]] inline tl::unexpected<Error> fail(Error error)
{
    return tl::unexpected<Error>(std::move(error));
}

} // namespace gpuledger::base

// Returns the error of a Result from the enclosing function, which must return a Result itself. An lvalue is not moved
// from.
#define GPULEDGER_TRY(expression) GPULEDGER_TRY_NAMED(expression, __COUNTER__)
#define GPULEDGER_TRY_NAMED(expression, id) GPULEDGER_TRY_JOINED(expression, id)
#define GPULEDGER_TRY_JOINED(expression, id) GPULEDGER_TRY_AS(expression, gpuledgerTry##id)
#define GPULEDGER_TRY_AS(expression, name)                                                                             \
    do {                                                                                                               \
        if (auto &&name = (expression); !name)                                                                         \
            return ::tl::unexpected<::gpuledger::base::Error>(std::forward<decltype(name)>(name).error());             \
    } while (false)
