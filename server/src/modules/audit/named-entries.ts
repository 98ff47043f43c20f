import type { AuditChange, AuditEntry } from '@boathouse/contract'

/** Ids of users and warehouses, anywhere in a text. */
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g
/** The form of ids of accounts and organisations, and of nothing else in an entry. */
const ID = /^[A-Z]{3}[0-9]{5}$|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Of texts that the service wrote itself, with ids inside; what people wrote stays to the letter. */
const MADE_BY_SERVICE = new Set(['passedOn'])

const idsIn = ({ field, before, after }: AuditChange): string[] =>
  [before, after].flatMap((text) => {
    if (text === null) return []
    if (ID.test(text)) return [text]
    return MADE_BY_SERVICE.has(field) ? (text.match(UUID) ?? []) : []
  })

/** A budget has no name of its own: it is that of a warehouse, an account or the organisation. */
function ownName({ objectType, objectName, objectId, changes }: AuditEntry, names: Names): string {
  if (objectName !== objectId) return objectName
  const valueOf = (field: string) => {
    const of = changes.find((one) => one.field === field)
    return names.get(of?.after ?? '') ?? names.get(of?.before ?? '')
  }
  if (objectType === 'budget') return valueOf('warehouse') ?? valueOf('account') ?? 'organisation'
  return names.get(objectId) ?? objectName
}

type Names = ReadonlyMap<string, string>

function named(change: AuditChange, names: Names): AuditChange {
  const say = (text: string | null): string | null => {
    if (text === null) return null
    if (!MADE_BY_SERVICE.has(change.field)) return names.get(text) ?? text
    return text.replaceAll(UUID, (id) => names.get(id) ?? id)
  }
  return { ...change, before: say(change.before), after: say(change.after) }
}

/** Which ids of the entries may have a name. */
export const idsOf = (entries: readonly AuditEntry[]): string[] => [
  ...new Set(
    entries.flatMap(({ objectId, objectName, changes }) => [
      ...(objectId === objectName && ID.test(objectId) ? [objectId] : []),
      ...changes.flatMap(idsIn),
    ]),
  ),
]

/** The same with names in the place of ids, where these are known. The kept text has the ids. */
export const withNames = (entry: AuditEntry, names: Names): AuditEntry => ({
  ...entry,
  objectName: ownName(entry, names),
  changes: entry.changes.map((change) => named(change, names)),
})
