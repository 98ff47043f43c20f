import type { StatementKind } from '@boathouse/sql'
import type { Analyses } from '../analysis/analyses.ts'
import type { NotifierParts } from '../answers/notifier.ts'
import type { Connections } from '../sessions/connections.ts'
import type { Answer } from '../sessions/session-tools.ts'
import type { Warnings } from '../sessions/warnings.ts'
import type { QueryStore } from '../store.ts'
import type { SystemSources } from '../system-tables.ts'
import type { Definitions } from './definitions.ts'
import type { StatementRunner } from './engine-statement.ts'
import type { ServiceRunner } from './service-statement.ts'

/** What the statements of a request are run with. */
export type ExecutionParts = ServiceRunner &
  StatementRunner &
  NotifierParts & {
    readonly analyses: Pick<Analyses, 'one'>
    readonly warnings: Warnings
    readonly store: Pick<QueryStore, 'start' | 'wait' | 'setEngine'>
    readonly connections: Pick<Connections, 'homeEngine' | 'resolve' | 'named' | 'current'>
    readonly definitions: Pick<Definitions, 'begins'>
    /** What `sys` holds. */
    readonly systemTables: SystemSources
    /** Statements that other modules answer. */
    readonly statements: Partial<Record<StatementKind, Answer>>
  }
