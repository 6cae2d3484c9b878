-- SPDX-License-Identifier: GPL-3.0-or-later
-- The stored days of the idle list also have the sums of units that did not work while others of their holder did
-- (app/store/codecs/idlecodec.h, version 2). The next writer derives all days anew; a report keeps what it was written with.
DELETE FROM meta WHERE key = 'rollup_fingerprint' AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'cut_to_days');
