import { createWrittenTogether } from '../../store/written-together.ts'
import type { Acceptance, NewStatement } from './statement-row.ts'
import type { StatementWrites } from './statement-writes-store.ts'

type Writes = Pick<StatementWrites, 'acceptOne' | 'acceptSeveral'>

async function versionsOf(writes: Writes, rows: readonly NewStatement[]) {
  const [first] = rows
  if (!first || rows.length > 1) return writes.acceptSeveral(rows)
  const [inserted] = await writes.acceptOne(first)
  return new Map([[first.query_id, inserted?.identity_version ?? undefined]])
}

/** Requests of one statement, as they are accepted. */
export class GatheredAcceptances {
  /** Rejects with what the database says of this row, or with why it could not be asked. */
  readonly accept: (row: NewStatement) => Promise<Acceptance>

  constructor(writes: Writes) {
    this.accept = createWrittenTogether(async (rows) => {
      const versions = await versionsOf(writes, rows)
      return rows.map(({ query_id }): Acceptance => ({ identityVersion: versions.get(query_id) }))
    })
  }
}
