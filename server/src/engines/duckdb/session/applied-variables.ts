import { quoteIdentifier, quoteString } from '@boathouse/sql'
// The server words values by this file as well, and does without DuckDB: a type is all that is taken from it.
import type { DuckDBConnection } from '@duckdb/node-api'
import type { SessionVariable } from '../../engine/session.ts'

/** The type of a NULL that has none. */
const NO_TYPE = '"NULL"'

/** The value in DuckDB's words: the name of its type is DuckDB's own. */
export function literalOf({ text, type }: SessionVariable): string {
  if (type === NO_TYPE) return 'NULL'
  return `CAST(${text === null ? 'NULL' : quoteString(text)} AS ${type})`
}

type Variables = Readonly<Record<string, SessionVariable>>

/** The variables of a user, as `getvariable()` gives them on a connection. */
export class AppliedVariables {
  /** By name, the value that was set; null: nobody knows, as after an interrupt. */
  private readonly applied = new Map<string, string | null>()

  constructor(private readonly connection: DuckDBConnection) {}

  /** Those of the statement that comes next; undefined: as they were. */
  async tell(variables: Variables | undefined): Promise<void> {
    if (!variables) return
    for (const [name, variable] of Object.entries(variables)) {
      const literal = literalOf(variable)
      if (this.applied.get(name) !== literal) await this.set(name, literal)
    }
    for (const name of this.applied.keys()) if (!Object.hasOwn(variables, name)) await this.reset(name)
  }

  private async set(name: string, literal: string): Promise<void> {
    this.applied.set(name, null)
    if (await this.runs(`SET VARIABLE ${quoteIdentifier(name)} = ${literal}`)) this.applied.set(name, literal)
  }

  private async reset(name: string): Promise<void> {
    if (await this.runs(`RESET VARIABLE ${quoteIdentifier(name)}`)) this.applied.delete(name)
  }

  /** False in a transaction that has failed, where nothing runs but its end. The next statement sets them again. */
  private async runs(sql: string): Promise<boolean> {
    try {
      await this.connection.run(sql)
      return true
    } catch {
      return false
    }
  }
}
