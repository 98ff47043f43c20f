import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import { readReport } from '../errors.ts'

type Ways = Readonly<Record<string, string>>

/** Settings of DuckDB that a user may choose for a session, with DuckDB's own choice. */
export const WAYS: Ways = {
  calendar: 'gregorian',
  default_collation: '',
  default_null_order: 'NULLS_LAST',
  default_order: 'ASCENDING',
  ieee_floating_point_ops: 'true',
}

/**
 * The ways that a user has chosen hold while their statement is bound, and never while we ask something on the same
 * connection: what is the same name to a collation is not the same object.
 */
export class SessionWays {
  /** What differs from DuckDB's own; null: nobody knows, as after an interrupt. */
  private chosen: Ways | null = {}

  constructor(private readonly connection: DuckDBConnection) {}

  /** Back to DuckDB's own. In a transaction that has failed nothing can be set; nor is anything bound in it. */
  async rest(): Promise<void> {
    try {
      await this.choose({})
    } catch (error) {
      if (readReport(error).type !== 'TransactionContext') throw error
    }
  }

  async during<T>(ways: Ways = {}, work: () => Promise<T>): Promise<T> {
    await this.choose(ways)
    try {
      return await work()
    } finally {
      // What fails here is done before the next statement.
      await this.rest().catch(() => undefined)
    }
  }

  private async choose(ways: Ways): Promise<void> {
    const before = this.chosen
    const changed = Object.keys(WAYS).filter((name) => before === null || before[name] !== ways[name])
    if (changed.length === 0) return
    this.chosen = null
    const settings = changed.map(
      (name) => `SET SESSION ${quotedIdentifier(name)} = ${quotedString(ways[name] ?? WAYS[name] ?? '')}`,
    )
    await this.connection.run(settings.join(';'))
    this.chosen = ways
  }
}
