import { isUnterminated, kindAt, type Piece } from '../text/piece.ts'
import { openTokenReader, type TokenReader } from '../text/token-reader.ts'
import { TOKEN } from '../text/token.ts'

export type Scope = 'session' | 'global'

/** What a variable is set to. It is worked out by the service: nothing that needs an engine can be written here. */
export type SetValue =
  | { readonly is: 'default' }
  | { readonly is: 'null' }
  | { readonly is: 'literal'; readonly text: string; readonly isNumber: boolean }
  /** In small letters, as the names of all variables. */
  | { readonly is: 'user-variable'; readonly name: string }
  | { readonly is: 'variable'; readonly name: string }
  | {
      readonly is: 'call'
      readonly function: (typeof FUNCTIONS)[number]
      readonly values: readonly SetValue[]
    }

export type Assignment =
  | { readonly sets: 'user-variable'; readonly name: string; readonly value: SetValue }
  | { readonly sets: 'variable'; readonly name: string; readonly value: SetValue; readonly scope: Scope }
  /** SET TRANSACTION without a scope is about the next transaction alone. */
  | { readonly sets: 'next-transaction'; readonly name: string; readonly value: SetValue }

const DEFAULT: SetValue = { is: 'default' }
const literal = (text: string, isNumber = false): SetValue => ({ is: 'literal', text, isNumber })
const variable = (name: string, value: SetValue, scope: Scope): Assignment => ({
  sets: 'variable',
  name,
  value,
  scope,
})

/**
 * SET assignment[, assignment ...], or RESET [SESSION|GLOBAL] name. An assignment is [SESSION|LOCAL|GLOBAL|@@] name =|:=|TO
 * value, @name =|:= value, NAMES set [COLLATE collation], CHARACTER SET set, TIME ZONE zone or TRANSACTION characteristics.
 */
export function readSet(statement: Piece): readonly Assignment[] | null {
  const reader = openTokenReader(statement)
  const verb = reader.take('SET', 'RESET')
  if (verb === null) return null
  const assignments = verb === 'RESET' ? readReset(reader) : readList(reader)
  return reader.left() === 0 ? assignments : null
}

function readReset(reader: TokenReader): readonly Assignment[] | null {
  const scope = takeScope(reader)
  if (reader.takeAll('TIME', 'ZONE')) return [variable('time_zone', DEFAULT, scope)]
  const name = takeName(reader)
  return name === null ? null : [variable(name, DEFAULT, scope)]
}

function readList(reader: TokenReader): readonly Assignment[] | null {
  const assignments: Assignment[] = []
  let scope: Scope | null = null
  do {
    if (reader.take('@')) {
      const assignment = readUserVariable(reader)
      if (!assignment) return null
      assignments.push(assignment)
      continue
    }
    const isOwn = reader.peek() === '@@'
    const said = takeScopeWord(reader)
    // A word for the scope is meant for those behind it too, `@@global.` is not.
    const own: Scope | null = said ?? (isOwn ? 'session' : scope)
    if (!isOwn) scope = own
    const found = readOne(reader, own)
    if (!found) return null
    assignments.push(...found)
  } while (reader.take(','))
  return assignments
}

function readUserVariable(reader: TokenReader): Assignment | null {
  const name = takeName(reader)
  if (name === null || !reader.take('=', ':=')) return null
  const value = takeValue(reader)
  return value && { sets: 'user-variable', name, value }
}

function readOne(reader: TokenReader, said: Scope | null): readonly Assignment[] | null {
  const scope = said ?? 'session'
  // A variable may itself be called as these words.
  if (!isAssigned(reader)) {
    if (reader.take('NAMES')) return readNames(reader, scope)
    if (reader.takeAll('CHARACTER', 'SET') || reader.take('CHARSET')) return readCharacterSet(reader, scope)
    if (reader.take('TRANSACTION')) return readTransaction(reader, said)
    if (reader.takeAll('TIME', 'ZONE')) {
      const zone = takeTimeZone(reader)
      return zone && [variable('time_zone', zone, scope)]
    }
  }
  const name = takeName(reader)
  if (name === null || !reader.take('=', ':=', 'TO')) return null
  const value = takeValue(reader)
  return value && [variable(name, value, scope)]
}

const isAssigned = (reader: TokenReader): boolean => ['=', ':=', 'TO'].includes(reader.peek(1))

/** [SESSION|LOCAL|GLOBAL], also as @@session. before a name. */
export function takeScope(reader: TokenReader): Scope {
  return takeScopeWord(reader) ?? 'session'
}

function takeScopeWord(reader: TokenReader): Scope | null {
  reader.take('@@')
  // A variable may itself be called "session".
  if (isAssigned(reader)) return null
  const scope = reader.take('SESSION', 'LOCAL', 'GLOBAL')
  if (scope === null) return null
  reader.take('.')
  return scope === 'GLOBAL' ? 'global' : 'session'
}

const takeName = (reader: TokenReader): string | null =>
  reader.qualifiedName()?.join('.').toLowerCase() ?? null

/** A name of a character set or a collation: a word or a text. */
function takeNamed(reader: TokenReader): SetValue | null {
  if (reader.take('DEFAULT')) return DEFAULT
  const name = reader.value()
  return name === null ? null : literal(name)
}

function readNames(reader: TokenReader, scope: Scope): readonly Assignment[] | null {
  const set = takeNamed(reader)
  const collation = reader.take('COLLATE') ? takeNamed(reader) : DEFAULT
  if (!set || !collation) return null
  return [
    variable('character_set_client', set, scope),
    variable('character_set_connection', set, scope),
    variable('character_set_results', set, scope),
    variable('collation_connection', collation, scope),
  ]
}

function readCharacterSet(reader: TokenReader, scope: Scope): readonly Assignment[] | null {
  const set = takeNamed(reader)
  return (
    set && [
      variable('character_set_client', set, scope),
      variable('character_set_results', set, scope),
      variable('character_set_connection', DEFAULT, scope),
      variable('collation_connection', DEFAULT, scope),
    ]
  )
}

/** Of several words, as one value. */
const LEVELS = [
  ['READ', 'UNCOMMITTED'],
  ['READ', 'COMMITTED'],
  ['REPEATABLE', 'READ'],
  ['SERIALIZABLE'],
] as const

function takeCharacteristic(reader: TokenReader): { name: string; value: string } | null {
  if (reader.takeAll('ISOLATION', 'LEVEL')) {
    const level = LEVELS.find((words) => reader.takeAll(...words))
    return level ? { name: 'transaction_isolation', value: level.join('-') } : null
  }
  if (reader.takeAll('READ', 'ONLY')) return { name: 'transaction_read_only', value: '1' }
  if (reader.takeAll('READ', 'WRITE')) return { name: 'transaction_read_only', value: '0' }
  return null
}

function readTransaction(reader: TokenReader, scope: Scope | null): readonly Assignment[] | null {
  const assignments: Assignment[] = []
  do {
    const found = takeCharacteristic(reader)
    if (!found) return null
    const { name, value: text } = found
    const value = literal(text)
    assignments.push(
      scope === null ? { sets: 'next-transaction', name, value } : variable(name, value, scope),
    )
  } while (reader.take(','))
  return assignments
}

/** A name, hours as a number, INTERVAL 'hours' HOUR TO MINUTE, or LOCAL|DEFAULT. */
function takeTimeZone(reader: TokenReader): SetValue | null {
  if (reader.take('LOCAL', 'DEFAULT')) return DEFAULT
  if (reader.take('INTERVAL')) {
    const offset = reader.string()
    return offset !== null && reader.takeAll('HOUR', 'TO', 'MINUTE') ? literal(offset) : null
  }
  const sign = reader.take('-', '+')
  const value = reader.value()
  if (value !== null && /^\d{1,2}(\.\d+)?$/.test(value))
    return literal(offsetOfHours(sign ?? '+', Number(value)))
  return value === null || sign !== null ? null : literal(value)
}

function offsetOfHours(sign: string, hours: number): string {
  const minutes = Math.round((hours % 1) * 60)
  return `${sign}${[Math.trunc(hours), minutes].map((part) => String(part).padStart(2, '0')).join(':')}`
}

const FUNCTIONS = ['CONCAT', 'REPLACE'] as const
const isCall = (reader: TokenReader): boolean =>
  FUNCTIONS.some((name) => name === reader.peek()) && reader.peek(1) === '('

/** What MariaDB's driver for Java sends when it connects. There is no such variable, so it is never among those tracked. */
const LAST_GTID = `IF(LOCATE('*',@@session_track_system_variables)>0 OR FIND_IN_SET('last_gtid',LOWER(REPLACE(@@session_track_system_variables,' ','')))>0,',last_gtid','')`

/** How deep calls are read: those that clients send have two levels. */
const DEEPEST = 8

function takeValue(reader: TokenReader, depth = 0): SetValue | null {
  if (reader.take('@@')) {
    takeScopeWord(reader)
    const name = takeName(reader)
    return name === null ? null : { is: 'variable', name }
  }
  if (reader.take('@')) {
    const name = takeName(reader)
    return name === null ? null : { is: 'user-variable', name }
  }
  if (isCall(reader)) return takeCall(reader, depth)
  if (reader.peek() === 'IF' && reader.statement.text.startsWith(LAST_GTID, reader.offset())) {
    reader.skip(1)
    reader.skipParentheses()
    return literal('')
  }
  if (reader.take('DEFAULT')) return DEFAULT
  if (reader.take('NULL')) return { is: 'null' }
  const sign = reader.take('-', '+') === '-' ? '-' : ''
  const { statement } = reader
  const isNumber = kindAt(statement, reader.at()) === TOKEN.number
  const text = isUnterminated(statement, reader.at()) ? null : reader.value()
  return text === null ? null : literal(sign + text, isNumber)
}

function takeCall(reader: TokenReader, depth: number): SetValue | null {
  const name = FUNCTIONS.find((one) => one === reader.peek())
  if (name === undefined || depth === DEEPEST) return null
  reader.skip(2)
  const values: SetValue[] = []
  do {
    const value = takeValue(reader, depth + 1)
    if (!value || value.is === 'default') return null
    values.push(value)
  } while (reader.take(','))
  const isWhole = reader.take(')') !== null && (name === 'CONCAT' || values.length === 3)
  return isWhole ? { is: 'call', function: name, values } : null
}
