import { type Statement, systemVariables } from '@boathouse/sql'
import type { Written } from '../../../engines/engine/written.ts'
import { noSuchVariable } from '../sessions/session-variables.ts'
import { type Ending, refused } from './ending.ts'

/** What an engine needs besides the text of a statement; its ending where it names an unknown variable. */
export function writtenOn(
  statement: Statement,
  variables: Written['variables'],
  valueOf: (name: string) => string | null,
): Written | Ending {
  const values: Record<string, string> = {}
  for (const { name, offset } of systemVariables(statement)) {
    // A long text may name the same a hundred thousand times.
    if (Object.hasOwn(values, name)) continue
    const value = valueOf(name)
    if (value === null)
      return refused({
        code: 'QueryFailed',
        message: noSuchVariable(name),
        offset,
        detail: 'missing-variable',
      })
    values[name] = value
  }
  return { quotes: statement.tokens.quotes, systemVariables: values, variables }
}
