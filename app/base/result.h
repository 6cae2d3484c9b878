// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/error.h"

#include <tl/expected.hpp>

namespace gpuledger::base {

// A value, or the Error that explains its absence. Use it for every function that can fail; never throw across
// functions.
template <typename T> using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string text, std::string hint = {})
{
    return tl::unexpected<Error>(Error::make(code, std::move(text), std::move(hint)));
}

[[nodiscard]] inline tl::unexpected<Error> fail(Error error)
{
    return tl::unexpected<Error>(std::move(error));
}

} // namespace gpuledger::base

// Returns the error of a Result from the enclosing function, which returns a Result itself.
#define GPULEDGER_TRY(expression)                                                                                      \
    do {                                                                                                               \
        if (auto gpuledgerTry = (expression); !gpuledgerTry)                                                           \
            return ::tl::unexpected<::gpuledger::base::Error>(std::move(gpuledgerTry).error());                        \
    } while (false)
