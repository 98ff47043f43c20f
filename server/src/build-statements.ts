import type { StatementKind } from '@boathouse/sql'
import { accessStatements } from './modules/access/statements.ts'
import { processStatements } from './modules/query/history/process-statements.ts'
import type { Answer } from './modules/query/sessions/session-tools.ts'
import { warehouseStatements } from './modules/warehouse/statements.ts'

type Statements = Partial<Record<StatementKind, Answer>>

type StatementParts = Parameters<typeof processStatements>[0] & {
  readonly warehouses: Parameters<typeof warehouseStatements>[0]
  readonly access: Parameters<typeof accessStatements>[0]
  readonly others: Statements
}

/** Statements that modules answer, beside those that the query service answers itself. */
export const statementsOf = ({
  warehouses,
  access,
  others,
  activity,
  clock,
}: StatementParts): Statements => ({
  ...warehouseStatements(warehouses),
  ...accessStatements(access),
  ...others,
  ...processStatements({ activity, clock }),
})
