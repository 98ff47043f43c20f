import type { AnalysedStatement } from '../analysis/analysed-text.ts'
import type { Analyses } from '../analysis/analyses.ts'
import { judge, type Verdict } from '../gate/gate.ts'
import type { Connection } from '../sessions/connection.ts'
import { NO_ROWS } from '../sessions/own-rows.ts'
import type { Answer } from '../sessions/session-tools.ts'
import {
  LONGEST_VALUE,
  ONE_VALUE,
  placeInAssignment,
  readAssignment,
  valueIn,
  valueQuery,
  withVariable,
} from '../sessions/user-variables.ts'
import { type Ending, failed, refused, withError } from './ending.ts'

/** The query that gives a value, to be run for the service. */
export interface ValueQuery {
  readonly statement: AnalysedStatement
  readonly verdict: Verdict & { allowed: true }
  readonly forService: { readonly longestCell: number }
}

export interface SettingParts {
  readonly analyses: Pick<Analyses, 'one'>
  readonly connection: Connection
  runQuery(query: ValueQuery): Promise<Ending>
  answer(answer: Answer): Promise<Ending>
}

/** The engine works the value out, under the same guard as any query, and the connection keeps it. */
export async function setUserVariable(parts: SettingParts, statement: AnalysedStatement): Promise<Ending> {
  const assignment = readAssignment(statement)
  const query = parts.analyses.one(valueQuery(assignment.value ?? ''), statement.tokens.quotes)
  const verdict = judge(query)
  if (!verdict.allowed || verdict.kind !== 'select')
    return verdict.allowed
      ? failed('QueryFailed', ONE_VALUE, assignment.offset)
      : refused({ ...verdict.refusal, offset: assignment.offset })
  const ending = await parts.runQuery({
    statement: query,
    verdict,
    forService: { longestCell: LONGEST_VALUE },
  })
  if (ending.state !== 'finished' || !ending.result) {
    const offset = ending.error?.offset ?? null
    return withError(ending, { offset: offset === null ? null : placeInAssignment(offset, assignment) })
  }
  const value = valueIn(ending.result)
  const variables = withVariable(parts.connection, assignment, value)
  const kept = await parts.answer(async (_, { runInEngine }) => {
    await runInEngine(({ dialect }) => dialect.valueOf(value))
    return { result: NO_ROWS, move: { variables } }
  })
  const { needed, engineId } = ending
  return { ...kept, ...(needed && { needed }), ...(engineId !== undefined && { engineId }) }
}
