import { z } from 'zod/mini'

/**
 * What a statement cost, the same wherever it is shown: its share of the time of its warehouse, as decimal texts. Idle
 * time belongs to no statement; it is shown for warehouses and months.
 */
export const StatementCost = z.object({
  ccu: z.string(),
  usd: z.string(),
  seconds: z.number(),
  /** False: so far. It is counted within two seconds after its end, and never changes after that. */
  isFinal: z.boolean(),
})
export type StatementCost = z.infer<typeof StatementCost>
