import { type Statement, systemVariables } from '@boathouse/sql'
import type { Written } from '../../../engines/engine/written.ts'
import { wordsIn } from '../sessions/sql-mode.ts'
import { noSuchVariable } from '../sessions/session-variables.ts'
import { type Ending, failed } from './ending.ts'

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
    if (value === null) return failed('QueryFailed', noSuchVariable(name), offset)
    values[name] = value
  }
  const words = wordsIn(valueOf('sql_dialect'), valueOf('sql_mode'))
  return { quotes: statement.tokens.quotes, systemVariables: values, variables, words }
}
