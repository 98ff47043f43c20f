import { type Statement, systemVariables } from '@boathouse/sql'
import type { Written } from '../../../engines/engine/written.ts'
import type { Connection } from '../sessions/connection.ts'
import { noSuchVariable, variableOf } from '../sessions/session-variables.ts'
import { type Ending, failed } from './ending.ts'

/** What an engine is told of a statement beside its text, or its end where it names a variable that there is not. */
export function writtenOn(
  connection: Connection,
  statement: Statement,
  variables: Written['variables'],
): Written | Ending {
  const values: Record<string, string> = {}
  for (const { name, offset } of systemVariables(statement)) {
    // A long text may name the same a hundred thousand times.
    if (Object.hasOwn(values, name)) continue
    const value = variableOf(connection, name)
    if (value === null) return failed('QueryFailed', noSuchVariable(name), offset)
    values[name] = value
  }
  return { quotes: statement.tokens.quotes, systemVariables: values, variables }
}
