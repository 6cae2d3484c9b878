// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace arrow {
class Array;
} // namespace arrow

namespace gpuledger::format {

// The cells of one column as texts, a batch of rows at a time. Those of numbers and times are remembered, because few
// of them fill most rows of a bill, and writing them takes longer than anything else. One thread.
class CellColumn {
public:
    void setArray(std::shared_ptr<arrow::Array> array); // the next batch; null frees the last one
    // As appendCell().
    bool append(std::int64_t row, std::string &out);

private:
    struct Value {
        std::uint64_t low = 0, high = 0;
        bool operator==(const Value &) const = default;
    };
    struct Memo {
        Value value;
        std::string text; // empty: nothing is remembered
    };
    static constexpr std::size_t kMemos = 16; // a power of two

    Value valueAt(std::int64_t row) const;

    std::shared_ptr<arrow::Array> m_array;
    const std::uint8_t *m_values = nullptr; // of the batch; null: not remembered
    std::size_t m_width = 0; // bytes of a value
    std::vector<Memo> m_memos;
};

} // namespace gpuledger::format
