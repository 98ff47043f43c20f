import { type DuckDBConnection, StatementType } from '@duckdb/node-api'

const { ALTER, CREATE, DROP, SET, TRANSACTION, VARIABLE_SET } = StatementType
const MAY_CHANGE_IT = new Set([ALTER, CREATE, DROP, TRANSACTION])
/** USE is one of them. */
const MAY_ENTER_IT = new Set([SET, VARIABLE_SET])

const COUNT = `SELECT (SELECT count(*) FROM system.main.duckdb_tables() WHERE temporary)
  + (SELECT count(*) FROM system.main.duckdb_views() WHERE temporary AND NOT internal)
  + (SELECT count(*) FROM system.main.duckdb_sequences() WHERE temporary)
  + (SELECT count(*) FROM system.main.duckdb_types() WHERE database_name = 'temp' AND NOT internal)`

const COUNT_MACROS = `SELECT count(*) FROM system.main.duckdb_functions() WHERE database_name = 'temp' AND NOT internal`
/** No macro is made without one of these words. */
const NAMES_MACROS = /macro|function/i

/** As a word: a table may be called temperatures. */
const NAMES_IT = /(?<![a-z0-9])(?:pg_)?temp(?:orary)?(?![a-z0-9])/i

/** Whether a session has temporary tables, views or the like: they end with it. */
export class TemporaryObjects {
  exist = false
  /** Something may be there, or come back with the end of a transaction. */
  private isLikely = false
  /** The session may stand where everything is temporary. */
  private isAlwaysLikely = false
  /** Some of it may be macros, which take DuckDB 60 ms to list. */
  private mayBeMacros = false

  constructor(private readonly connection: DuckDBConnection) {}

  /** Unless this says otherwise, there is nothing. */
  get mayExist(): boolean {
    return this.exist || this.isLikely || this.isAlwaysLikely
  }

  /** Asks DuckDB, which takes 20 ms, and a second where there are 100,000 tables, only when something may be there. */
  async look(sql: string, type: StatementType, isInTransaction: boolean): Promise<void> {
    const isNamed = NAMES_IT.test(sql)
    this.isLikely ||= isNamed
    this.isAlwaysLikely ||= isNamed && MAY_ENTER_IT.has(type)
    this.mayBeMacros ||= NAMES_MACROS.test(sql)
    if (!this.isLikely || !MAY_CHANGE_IT.has(type)) return
    await this.count()
    this.isLikely = this.exist || isInTransaction || this.isAlwaysLikely
  }

  private async count(): Promise<void> {
    try {
      this.exist = (await this.isAnyOf(COUNT)) || (this.mayBeMacros && (await this.isAnyOf(COUNT_MACROS)))
    } catch {
      // The statement itself is done and must not fail for this. Said once too often does less harm.
      this.exist = true
    }
  }

  private async isAnyOf(count: string): Promise<boolean> {
    const found = await this.connection.run(count)
    return Number(found.getChunk(0).getColumnVector(0).getItem(0)) > 0
  }
}
