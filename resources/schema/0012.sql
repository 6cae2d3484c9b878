-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the price lists of the configuration offered, and when (app/store/prices/pricestore.h). Times are seconds since 1970.

-- tried_at: the last attempt to read it; read_at: the last that succeeded, NULL if the list was not in the configuration since. newest: the latest time in its quotes, which never goes back, even
-- if the clock does. tag: of the text that a server sent. problem: why the last attempt failed; empty: it did not.
CREATE TABLE price_list (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    tried_at INTEGER NOT NULL,
    read_at INTEGER,
    newest INTEGER,
    tag TEXT NOT NULL,
    problem TEXT NOT NULL
) STRICT;

-- An offer at one price, from the first reading that had it to the last; ended_at: the first reading without it, NULL while the list has it.
-- last_seen: NULL while the list has it, because it is the list's newest time then. micro_gpus: 1e-6 GPUs of the machine; price: 1e-9 of the
-- currency for an hour of it; term_months, payment, upfront: of a commitment, the latter 1e-9 of the currency for the machine; payment '' and
-- NULL: not stated. seen: the day since 1970 that the list states.
CREATE TABLE price_quote (
    id INTEGER PRIMARY KEY,
    list INTEGER NOT NULL REFERENCES price_list (id),
    provider TEXT NOT NULL,
    region TEXT NOT NULL,
    zone TEXT NOT NULL,
    machine TEXT NOT NULL,
    gpu TEXT NOT NULL,
    gpu_model TEXT NOT NULL,
    gpu_memory_mib INTEGER,
    milli_tflops INTEGER,
    micro_gpus INTEGER NOT NULL,
    purchase TEXT NOT NULL,
    currency TEXT NOT NULL,
    price INTEGER NOT NULL,
    term_months INTEGER,
    payment TEXT NOT NULL,
    upfront INTEGER,
    contracted INTEGER NOT NULL,
    source TEXT NOT NULL,
    seen INTEGER,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER,
    ended_at INTEGER
) STRICT;

CREATE INDEX price_quote_current ON price_quote (list) WHERE ended_at IS NULL;
