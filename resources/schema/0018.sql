-- SPDX-License-Identifier: GPL-3.0-or-later
-- How the cost of a day grew while its bill was completed: what GPU machines cost on a UTC day, as known at the end of the day of an import
-- that changed it. For the forecast only; no figure of the ledger follows from it. Can't be fetched again.

-- day, at_day: since 1970-01-01; amount: nano-units, effective cost with estimates for what no bill names.
CREATE TABLE bill_growth (
    day INTEGER NOT NULL,
    currency TEXT NOT NULL,
    at_day INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (day, currency, at_day)
) STRICT, WITHOUT ROWID;
