import { type DuckDBConnection, StatementType } from '@duckdb/node-api'

const { ALTER, CREATE, DROP, TRANSACTION } = StatementType
const MAY_CHANGE_IT = new Set([ALTER, CREATE, DROP, TRANSACTION])

const COUNT = `SELECT (SELECT count(*) FROM system.main.duckdb_tables() WHERE temporary)
  + (SELECT count(*) FROM system.main.duckdb_views() WHERE temporary AND NOT internal)
  + (SELECT count(*) FROM system.main.duckdb_sequences() WHERE temporary)
  + (SELECT count(*) FROM system.main.duckdb_types() WHERE database_name = 'temp' AND NOT internal)
  + (SELECT count(*) FROM system.main.duckdb_functions() WHERE database_name = 'temp' AND NOT internal)`

/** Whether a session has temporary tables, views or the like: they end with it. */
export class TemporaryObjects {
  exist = false
  private wereNamed = false

  constructor(private readonly connection: DuckDBConnection) {}

  /** Asks DuckDB, which takes some 20 ms, only when a statement of the session has named what is temporary. */
  async look(sql: string, type: StatementType): Promise<void> {
    this.wereNamed ||= /temp/i.test(sql)
    if (!this.wereNamed || !MAY_CHANGE_IT.has(type)) return
    try {
      const found = await this.connection.run(COUNT)
      this.exist = Number(found.getChunk(0).getColumnVector(0).getItem(0)) > 0
    } catch {
      // The statement itself is done and must not fail for this. Said once too often does less harm.
      this.exist = true
    }
  }
}
