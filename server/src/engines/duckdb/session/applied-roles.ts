import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import { ROLES_VARIABLE } from '../guard/guarded-functions.ts'

/** The roles that a connection returns as its `current_role`. */
export class AppliedRoles {
  private applied: string | null = null

  constructor(private readonly connection: DuckDBConnection) {}

  /** Of the statement that comes next; undefined: those of the one before. */
  async tell(roles: string | undefined): Promise<void> {
    if (roles === undefined || roles === this.applied) return
    try {
      await this.connection.run(`SET VARIABLE ${ROLES_VARIABLE} = ${quotedString(roles)}`)
      this.applied = roles
    } catch {
      // In a transaction that has failed, where nothing runs but its end. The next statement sets them again.
      this.applied = null
    }
  }
}
