import type { DuckDBConnection } from '@duckdb/node-api'
import type { ExecuteOptions } from '../../engine/run.ts'
import { SessionSettings } from './session-settings.ts'
import { AppliedRoles } from './applied-roles.ts'
import { AppliedVariables } from './applied-variables.ts'

/** What is set for each statement of a session: roles, variables and settings of its user. */
export class AppliedSession {
  private readonly roles: AppliedRoles
  private readonly variables: AppliedVariables
  private readonly settings: SessionSettings

  constructor(connection: DuckDBConnection) {
    this.roles = new AppliedRoles(connection)
    this.variables = new AppliedVariables(connection)
    this.settings = new SessionSettings(connection)
  }

  /** Before anything of the statement is looked up. */
  async tell({ roles, settings }: Pick<ExecuteOptions, 'roles' | 'settings'>): Promise<void> {
    await this.settings.rest()
    await this.roles.tell(roles)
    await this.variables.tell(settings?.variables)
  }

  /** What begins or ends a transaction has no settings, and must not fail for them. */
  bind<T>(
    { takenFor, settings }: Pick<ExecuteOptions, 'takenFor' | 'settings'>,
    bound: () => Promise<T>,
  ): Promise<T> {
    return takenFor === 'session' ? bound() : this.settings.during(settings?.chosen, bound)
  }
}
