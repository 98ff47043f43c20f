import { LIMITS } from '@boathouse/contract/limits'

/** What was typed and has not been acknowledged by the server. */
export interface JournalEntry {
  readonly sql: string
  /** Revision of the saved text that it was made from. */
  readonly baseRevision: number
  /** The text last sent to the server, whose answer may have been lost with the page. */
  readonly sent: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
  /** When its user deleted the tab in this browser; null: never. */
  readonly deletedAt: number | null
}

export interface TextJournal {
  read(tabId: string): JournalEntry | null
  /** False when the browser has no room. No other entry makes some: it may be all there is of its text. */
  write(tabId: string, entry: JournalEntry): boolean
  drop(tabId: string): void
  /** Its user has deleted the tab, or (null) has it again. */
  setDeleted(tabId: string, at: number | null): void
  /** Drops what belongs to tabs that their user deleted and that have left the bin since. */
  sweep(now: number): void
}

export type JournalStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

// Not below 'boathouse.': a change there makes every window read its session again.
const PREFIX = 'boathouse-text.'
const BIN_MS = LIMITS.binDays * 24 * 3_600_000

function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== 'object' || value === null) return false
  const { sql, baseRevision, sent, at, deletedAt } = value as Partial<Record<keyof JournalEntry, unknown>>
  const isSent = sent === null || typeof sent === 'string'
  const isDeleted = deletedAt === null || typeof deletedAt === 'number'
  const hasNumbers = typeof baseRevision === 'number' && typeof at === 'number'
  return typeof sql === 'string' && hasNumbers && isSent && isDeleted
}

function parse(stored: string | null): JournalEntry | null {
  if (stored === null) return null
  try {
    const value: unknown = JSON.parse(stored)
    // Earlier versions did not write when a tab was deleted.
    const whole = typeof value === 'object' && value !== null ? { deletedAt: null, ...value } : value
    return isEntry(whole) ? whole : null
  } catch {
    // Written by another version or cut off: as good as nothing, and the next write replaces it.
    return null
  }
}

export function createTextJournal(storage: JournalStorage): TextJournal {
  const read = (tabId: string) => parse(storage.getItem(PREFIX + tabId))

  function write(tabId: string, entry: JournalEntry): boolean {
    try {
      storage.setItem(PREFIX + tabId, JSON.stringify(entry))
      return true
    } catch {
      // The only documented failure is a full storage, which leaves its content; the caller notifies the user.
      return false
    }
  }

  return {
    read,
    write,
    drop: (tabId) => storage.removeItem(PREFIX + tabId),
    setDeleted(tabId, at) {
      const entry = read(tabId)
      // Without room for the mark the text stays.
      if (entry && entry.deletedAt !== at) write(tabId, { ...entry, deletedAt: at })
    },
    sweep(now) {
      const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
      for (const key of keys.filter((one) => one.startsWith(PREFIX))) {
        const deletedAt = parse(storage.getItem(key))?.deletedAt ?? null
        if (deletedAt !== null && now - deletedAt > BIN_MS) storage.removeItem(key)
      }
    },
  }
}

export interface ServerText {
  readonly sql: string
  readonly revision: number
}

/** Which text a tab opens with. A conflict keeps both: neither is overwritten before the user chose. */
export type OpeningText =
  | { readonly kind: 'saved' }
  | { readonly kind: 'mine'; readonly sql: string }
  | { readonly kind: 'conflict'; readonly mine: string }

export function openingText(server: ServerText, journal: JournalEntry | null): OpeningText {
  if (journal === null || journal.sql === server.sql) return { kind: 'saved' }
  const isMadeFromSaved = journal.baseRevision === server.revision || journal.sent === server.sql
  return isMadeFromSaved ? { kind: 'mine', sql: journal.sql } : { kind: 'conflict', mine: journal.sql }
}
