import { foldedName } from '@boathouse/contract'
import { readCommented, readDefinition, type Statement } from '@boathouse/sql'
import type { Defined } from '../../../engines/engine/outcome.ts'
import type { LoadOrder } from '../../../engines/engine/files.ts'
import type { ObjectChange, ObjectName } from '../../../engines/engine/objects.ts'
import type { AuditEvent } from '../../audit/record.ts'
import type { Connection } from '../sessions/connection.ts'

export type DefinitionEvent = Pick<AuditEvent, 'action' | 'object' | 'before' | 'after'>

type Place = Pick<Connection, 'catalog' | 'database'>
type Verb = 'create' | 'drop' | 'alter' | 'comment'

const WORDS: Readonly<Record<string, string>> = { macro: 'function', column: 'table', schema: 'database' }

const pathOf = (parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join('.')

function eventOf(verb: Verb, type: string, path: string): DefinitionEvent {
  const name = path.slice(path.lastIndexOf('.') + 1)
  return {
    action: `${type}.${verb}`,
    object: { type, id: path },
    before: verb === 'drop' ? { name } : null,
    after: verb === 'drop' ? null : { name },
  }
}

/** By what is written alone: which object an engine means by it is not known before it has run. */
function pathWritten(type: string, name: readonly string[], { catalog, database }: Place): string {
  const [last, inner, outer] = name.toReversed()
  return type === 'database'
    ? pathOf([inner ?? catalog, last])
    : pathOf([outer ?? catalog, inner ?? database, last])
}

const DEFINES = /^(create|drop|alter)-(database|table|view|index|sequence|type|macro)$/

/** What a statement defines for everyone, as its text says; null of one that defines nothing. */
export function writtenDefinition(statement: Statement, place: Place): DefinitionEvent | null {
  // EXPLAIN ANALYZE does what it explains.
  const done = statement.explained?.analyze ? statement.explained : statement
  if (done.kind === 'comment-on') {
    const commented = readCommented(statement)
    const type = WORDS[commented?.object ?? ''] ?? commented?.object ?? 'object'
    const name = commented?.object === 'column' ? commented.name.slice(0, -1) : (commented?.name ?? [])
    return eventOf('comment', type, pathWritten(type, name, place))
  }
  const [, verb, written = ''] = DEFINES.exec(done.kind) ?? []
  if (verb === undefined) return null
  const definition = readDefinition(statement, done.first)
  if (definition?.temporary) return null
  const type = WORDS[written] ?? written
  return eventOf(verb as Verb, type, pathWritten(type, definition?.name ?? [], place))
}

/** A load that makes its table. */
export const definitionOfLoad = ({ makesTable, table }: LoadOrder): DefinitionEvent | null =>
  makesTable ? eventOf('create', 'table', pathOf([table.catalog, table.database, table.name])) : null

const pathOfObject = ({ catalog, database, name }: ObjectName): string => pathOf([catalog, database, name])

const isSameObject = (one: ObjectName, other: ObjectName): boolean =>
  one.type === other.type && pathOfObject(one) === pathOfObject(other)

function eventOfChange(change: ObjectChange): DefinitionEvent {
  const { object } = change
  if (change.change !== 'renamed')
    return eventOf(change.change === 'created' ? 'create' : 'drop', object.type, pathOfObject(object))
  const { type } = object
  return {
    action: `${type}.rename`,
    object: { type, id: pathOfObject(object) },
    before: { name: object.name },
    after: { name: change.to.name },
  }
}

/** What is dropped and made again at once is replaced. */
function replaced(changes: readonly ObjectChange[]): DefinitionEvent[] {
  const events: DefinitionEvent[] = []
  for (const [at, change] of changes.entries()) {
    const last = changes[at - 1]
    const isAgain =
      last?.change === 'dropped' && change.change === 'created' && isSameObject(last.object, change.object)
    if (isAgain) events.pop()
    const event = eventOfChange(change)
    events.push(isAgain ? { ...event, action: `${change.object.type}.replace`, before: event.after } : event)
  }
  return events
}

const keyOf = ({ object }: DefinitionEvent): string => foldedName(object.id)
const isAltering = ({ action }: DefinitionEvent): boolean => /\.(alter|comment)$/.test(action)

/**
 * What is recorded of statements that took effect together: what their engine says came of them, and of what it cannot say,
 * their texts. `IF NOT EXISTS` of what was there did nothing.
 */
export function definitionEvents(
  written: readonly DefinitionEvent[],
  { changed = [], defined }: { changed?: readonly ObjectChange[]; defined?: Defined },
): DefinitionEvent[] {
  const made = replaced(changed)
  const altered = (defined?.altered ?? []).map((object) => {
    const path = pathOfObject(object)
    const asked = written.find((event) => isAltering(event) && keyOf(event) === foldedName(path))
    return eventOf(asked?.action.endsWith('.comment') ? 'comment' : 'alter', object.type, path)
  })
  const reported = [...made, ...altered]
  if (defined && !defined.isUntold) return reported
  const known = new Set(reported.map(keyOf))
  return [...reported, ...written.filter((event) => !known.has(keyOf(event)))]
}
