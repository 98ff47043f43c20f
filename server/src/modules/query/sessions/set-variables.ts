import {
  type Assignment,
  readSet,
  readStatement,
  readUse,
  type SetValue,
  type Statement,
} from '@boathouse/sql'
import type { Variable } from '../../../engines/engine/session-settings.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Connection } from './connection.ts'
import { NO_ROWS } from './own-rows.ts'
import {
  engineZone,
  isFixed,
  noSuchVariable,
  VARIABLE_ALIASES,
  variableOf,
  variablesAt,
} from './session-variables.ts'
import type { SessionEffect, SessionTools } from './session-tools.ts'
import { unreadable } from './unreadable.ts'
import { requireOwnName, userVariablesOf, withVariable } from './user-variables.ts'
import { noticed } from './warning.ts'

/** As the service works it out. */
interface Value {
  readonly text: string | null
  readonly isNumber: boolean
}

const missingVariable = (name: string) =>
  new AppError('QueryFailed', noSuchVariable(name), { detail: 'missing-variable' })

const INTEGER = /^-?\d{1,18}$/
const LARGEST_INTEGER = 2_147_483_647

function valueOf(value: SetValue, connection: Connection): Value {
  if (value.is === 'literal') return value
  if (value.is === 'null' || value.is === 'default') return { text: null, isNumber: false }
  if (value.is === 'user-variable') {
    const { text, type } = userVariablesOf(connection)[value.name] ?? { text: null, type: 'VARCHAR' }
    return { text, isNumber: type !== 'VARCHAR' }
  }
  if (value.is === 'variable') {
    const text = variableOf(connection, value.name)
    if (text === null) throw missingVariable(value.name)
    return { text, isNumber: INTEGER.test(text) }
  }
  const texts = value.values.map((one) => valueOf(one, connection).text)
  return { text: calledWith(value.function, texts), isNumber: false }
}

function calledWith(name: 'CONCAT' | 'REPLACE', texts: readonly (string | null)[]): string | null {
  const known = texts.filter((text) => text !== null)
  if (known.length < texts.length) return null
  if (name === 'CONCAT') return known.join('')
  const [text = '', sought = '', instead = ''] = known
  return sought === '' ? text : text.replaceAll(sought, () => instead)
}

function typeOf({ text, isNumber }: Value): string {
  if (!isNumber || text === null) return 'VARCHAR'
  if (!INTEGER.test(text)) return 'DOUBLE'
  return Math.abs(Number(text)) <= LARGEST_INTEGER ? 'INTEGER' : 'BIGINT'
}

const NO_GLOBAL = 'Variables belong to one connection. There are no GLOBAL variables. Write SET name = value.'

interface Chosen {
  readonly name: string
  readonly value: string
  /** What SHOW WARNINGS says of it; empty when it is what happens here. */
  readonly warning: string
}

/** Of the service's own: what it is called here, and the value as it is kept. */
function chosenBy(assignment: Assignment & { sets: 'variable' }, connection: Connection): Chosen {
  if (assignment.scope === 'global') throw new AppError('QueryFailed', NO_GLOBAL)
  const name = VARIABLE_ALIASES[assignment.name] ?? assignment.name
  const known: Readonly<Record<string, Variable & { warning?: string }>> = variablesAt(connection)
  const variable = Object.hasOwn(known, name) ? known[name] : undefined
  if (!variable)
    throw isFixed(name)
      ? new AppError('QueryFailed', `The variable ${name} cannot be changed here.`, { detail: 'wrong-value' })
      : missingVariable(name)
  const { fallback, warning = '' } = variable
  if (assignment.value.is === 'default') return { name, value: fallback, warning: '' }
  const value = variable.parse(valueOf(assignment.value, connection).text ?? 'NULL')
  return { name, value, warning: value === fallback ? '' : warning }
}

/** SET schema = 'database' and SET search_path = 'catalog.database' are USE in the words of the engine. */
const PLACE_VARIABLES = new Set(['schema', 'search_path'])

/** The database that a SET of one of these enters; null for any other. */
function placeIn(assignments: readonly Assignment[]) {
  const place = assignments.find(({ sets, name }) => sets === 'variable' && PLACE_VARIABLES.has(name))
  if (!place || place.value.is !== 'literal') return null
  const target = readUse(readStatement(`USE ${place.value.text}`))
  if (!target || assignments.length > 1)
    throw new AppError(
      'QueryFailed',
      target
        ? `Write SET ${place.name} as a statement of its own.`
        : `${place.name} takes the name of one database here.`,
    )
  return target
}

/** The next transaction is the only one that SET TRANSACTION is about. Its level has no meaning; that it only reads has. */
function ofNextTransaction({ name, value }: Assignment): string {
  if (name === 'transaction_read_only' && value.is === 'literal' && value.text === '1')
    throw new AppError(
      'QueryFailed',
      'Write START TRANSACTION READ ONLY, or SET SESSION TRANSACTION READ ONLY for all that follow.',
      { detail: 'not-supported' },
    )
  return 'SET TRANSACTION without SESSION has no effect here. Transactions are REPEATABLE-READ.'
}

type Enter = (place: { catalog?: string; database: string }, tools: SessionTools) => Promise<SessionEffect>

/** SET with any number of assignments, and RESET. All are checked, with the values from before, and then take effect together. */
export const createSetVariables =
  (enter: Enter) =>
  async (statement: Statement, tools: SessionTools): Promise<SessionEffect> => {
    const { connection, runInEngine } = tools
    const assignments = readSet(statement)
    if (!assignments) throw unreadable()
    const place = placeIn(assignments)
    if (place) return enter(place, tools)
    let { variables } = connection
    const chosen = new Map<string, string>()
    const warnings: string[] = []
    for (const assignment of assignments) {
      if (assignment.sets === 'next-transaction') warnings.push(ofNextTransaction(assignment))
      else if (assignment.sets === 'user-variable') {
        requireOwnName(assignment.name)
        const value = valueOf(assignment.value, connection)
        const kept = { text: value.text, type: typeOf(value) }
        variables = withVariable({ variables }, assignment, kept)
      } else {
        const { name, value, warning } = chosenBy(assignment, connection)
        variables = { ...variables, [name]: value }
        chosen.set(name, value)
        warnings.push(warning)
      }
    }
    await tellEngine(chosen, runInEngine)
    return {
      result: NO_ROWS,
      move: { variables },
      warnings: noticed(warnings.filter(Boolean)),
    }
  }

/** What the engine has a say in. That it knows an order of texts is asked first: the zone takes effect there. */
async function tellEngine(
  chosen: ReadonlyMap<string, string>,
  runInEngine: SessionTools['runInEngine'],
): Promise<void> {
  const [collation, zone] = [chosen.get('default_collation'), chosen.get('time_zone')]
  if (collation) await runInEngine(({ dialect }) => dialect.useCollation(collation))
  if (zone !== undefined) await runInEngine(({ dialect }) => dialect.setTimeZone(engineZone(zone)))
}
