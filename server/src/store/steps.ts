import { type RawBuilder, sql } from 'kysely'

/** From one moment until before another, in steps of so many seconds. */
export interface Steps {
  readonly from: Date
  readonly until: Date
  readonly step: number
}

/** Where the step begins that a moment is in; steps of a day are those of UTC. */
export const stepOf = (moment: string, step: number): RawBuilder<Date> =>
  sql<Date>`to_timestamp(floor(extract(epoch from ${sql.ref(moment)}) / ${sql.lit(step)}) * ${sql.lit(step)})`
