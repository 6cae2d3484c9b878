-- SPDX-License-Identifier: GPL-3.0-or-later
-- The history of prices is asked for by GPU, and prices that ended long ago are looked for at each sync.

CREATE INDEX price_quote_offer ON price_quote (gpu, machine, region, zone, list, gpu_model);
CREATE INDEX price_quote_ended ON price_quote (ended_at) WHERE ended_at IS NOT NULL;
