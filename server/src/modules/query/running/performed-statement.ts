import type { BoundValues } from '@boathouse/contract'
import type { Analyses } from '../analysis/analyses.ts'
import type { AnalysedStatement } from '../analysis/analysed-text.ts'
import type { Connection } from '../sessions/connection.ts'
import { boundStatement, valuesOf } from '../sessions/named-values.ts'
import { type ParameterValue, withParameters } from '../sessions/parameters.ts'
import { type Executed, executedStatement, runsPrepared } from '../sessions/prepared.ts'

interface Given {
  /** In their order, for parameters without names. */
  readonly parameters: readonly ParameterValue[] | undefined
  readonly values: BoundValues | undefined
  /** Which has what was prepared. */
  readonly connection: Connection
}

/** What runs in place of the statement, with its values; null: the statement itself. */
export function performedStatement(
  statement: AnalysedStatement,
  { parameters, values, connection }: Given,
  analyses: Pick<Analyses, 'one'>,
): Executed | null {
  if (parameters && parameters.length > 0)
    return { statement: analyses.one(withParameters(statement, parameters)), variables: {} }
  const own = valuesOf(statement, values)
  if (own) {
    const { text, offsetIn } = boundStatement(statement, own)
    return { statement: analyses.one(text), variables: {}, offsetIn }
  }
  return runsPrepared(statement) ? executedStatement(statement, connection, analyses) : null
}
