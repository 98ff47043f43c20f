import type { DuckDBConnection } from '@duckdb/node-api'
import type { ExecuteOptions } from '../../engine.ts'
import { SessionWays } from './session-ways.ts'
import { ToldRoles } from './told-roles.ts'
import { ToldVariables } from './told-variables.ts'

/** What is told with each statement of a session: roles, variables and ways of its user. */
export class ToldSession {
  private readonly roles: ToldRoles
  private readonly variables: ToldVariables
  private readonly ways: SessionWays

  constructor(connection: DuckDBConnection) {
    this.roles = new ToldRoles(connection)
    this.variables = new ToldVariables(connection)
    this.ways = new SessionWays(connection)
  }

  /** Before anything of the statement is looked up. */
  async tell({ roles, settings }: Pick<ExecuteOptions, 'roles' | 'settings'>): Promise<void> {
    await this.ways.rest()
    await this.roles.tell(roles)
    await this.variables.tell(settings?.variables)
  }

  /** What begins or ends a transaction has no ways, and must not fail for them. */
  bind<T>(
    { takenFor, settings }: Pick<ExecuteOptions, 'takenFor' | 'settings'>,
    bound: () => Promise<T>,
  ): Promise<T> {
    return takenFor === 'session' ? bound() : this.ways.during(settings?.ways, bound)
  }
}
