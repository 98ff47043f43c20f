import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import { ROLES_VARIABLE } from '../guard/guarded-functions.ts'

/** The roles that a connection tells as its `current_role`. */
export class ToldRoles {
  private told: string | null = null

  constructor(private readonly connection: DuckDBConnection) {}

  /** Of the statement that comes next; undefined: those of the one before. */
  async tell(roles: string | undefined): Promise<void> {
    if (roles === undefined || roles === this.told) return
    try {
      await this.connection.run(`SET VARIABLE ${ROLES_VARIABLE} = ${quotedString(roles)}`)
      this.told = roles
    } catch {
      // In a transaction that has failed, where nothing runs but its end. The next statement sets them again.
      this.told = null
    }
  }
}
