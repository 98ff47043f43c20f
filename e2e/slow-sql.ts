/** Minutes on any machine: it is always stopped, killed or left. */
export const ENDLESS = 'select count(*) from range(100000000000) t(i) where (i * 7) % 1000000007 = 7'

/** The same on tables, by whose names it is found. */
export const ENDLESS_ON_TABLES =
  'select count(*) from sample.orders a, sample.lineitem b where a.o_orderkey * b.l_orderkey = 7'

/** Within this time `SLOW` has ended, beside a machine that has thirty other things to do. */
export const SLOW_MS = 240_000

/** Long enough for a line to be cut meanwhile, short enough to be waited for: a second or a few. One row. */
export const SLOW = 'select count(*) as found from range(200000000) t(i) where (i * 7) % 1000000007 = 7'
