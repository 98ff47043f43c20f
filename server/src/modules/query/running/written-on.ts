import { type Statement, systemVariables, usedVariables } from '@boathouse/sql'
import type { Written } from '../../../engines/engine/written.ts'
import { wordsIn } from '../sessions/sql-mode.ts'
import { noSuchVariable } from '../sessions/session-variables.ts'
import { type Ending, refused } from './ending.ts'

/** What only the service knows of the session. */
interface SessionValues {
  /** Null where there is no such variable. */
  variable(name: string): string | null
  readonly functions?: Written['functions'] | undefined
}

/** What an engine needs besides the text of a statement; its ending where it names an unknown variable. */
export function writtenOn(
  statement: Statement,
  variables: Written['variables'],
  { variable: valueOf, functions }: SessionValues,
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
  const words = wordsIn(valueOf('sql_dialect'), valueOf('sql_mode'))
  const { quotes } = statement.tokens
  const written = { quotes, systemVariables: values, variables, words, ...(functions && { functions }) }
  if (words === 'engine') return written
  const used = usedVariables(statement)
  const assigned = used.find(({ isAssigned }) => isAssigned)
  if (assigned && !OF_DRIVERS.test(statement.text)) return refusedAssignment(assigned)
  return used.length === 0 ? written : { ...written, userVariables: used.map(({ name }) => name) }
}

/** Drivers set variables in one column and read them in the next: the engine knows what they mean by it. */
const OF_DRIVERS = /\binformation_schema\b/i

/** When each row would be given its value is not defined, not in MySQL either. */
const refusedAssignment = ({ name, offset }: { name: string; offset: number }): Ending =>
  refused({
    code: 'QueryFailed',
    message: `@${name} cannot be given a value inside of a statement. Write SET @${name} = value before it.`,
    offset,
    detail: 'not-supported',
  })
