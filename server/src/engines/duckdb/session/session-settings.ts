import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import { readReport } from '../errors.ts'

type ChosenSettings = Readonly<Record<string, string>>

/** Settings of DuckDB that a user may choose for a session, with DuckDB's own choice. */
export const SESSION_SETTINGS: ChosenSettings = {
  calendar: 'gregorian',
  default_collation: '',
  default_null_order: 'NULLS_LAST',
  default_order: 'ASCENDING',
  ieee_floating_point_ops: 'true',
}

/** This changes no answer that we ask for, and stays from one statement to the next: to set it twice for each takes time. */
const LASTING = 'default_null_order'

/**
 * The settings that a user has chosen hold while their statement is bound, and never while we ask something on the same
 * connection: what is the same name to a collation is not the same object.
 */
export class SessionSettings {
  /** What differs from DuckDB's own; null: nobody knows, as after an interrupt. */
  private chosen: ChosenSettings | null = {}

  constructor(private readonly connection: DuckDBConnection) {}

  /** Back to DuckDB's own, but for what may last. In a transaction that has failed nothing can be set; nor is anything bound in it. */
  async rest(): Promise<void> {
    try {
      const lasting = this.chosen?.[LASTING]
      await this.choose(lasting === undefined ? {} : { [LASTING]: lasting })
    } catch (error) {
      if (readReport(error).type !== 'TransactionContext') throw error
    }
  }

  async during<T>(chosen: ChosenSettings = {}, work: () => Promise<T>): Promise<T> {
    await this.choose(chosen)
    try {
      return await work()
    } finally {
      // What fails here is done before the next statement.
      await this.rest().catch(() => undefined)
    }
  }

  private async choose(chosen: ChosenSettings): Promise<void> {
    const before = this.chosen
    const changed = Object.keys(SESSION_SETTINGS).filter(
      (name) => before === null || before[name] !== chosen[name],
    )
    if (changed.length === 0) return
    this.chosen = null
    const settings = changed.map(
      (name) =>
        `SET SESSION ${quotedIdentifier(name)} = ${quotedString(chosen[name] ?? SESSION_SETTINGS[name] ?? '')}`,
    )
    await this.connection.run(settings.join(';'))
    this.chosen = chosen
  }
}
