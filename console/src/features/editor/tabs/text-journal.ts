/** What was typed and has not been acknowledged by the server. */
export interface JournalEntry {
  readonly sql: string
  /** Revision of the saved text that it was made from. */
  readonly baseRevision: number
  /** The text last sent to the server, whose answer may have been lost with the page. */
  readonly sent: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface TextJournal {
  read(tabId: string): JournalEntry | null
  /** False when the browser has no room. No other entry makes some: it may be all there is of its text. */
  write(tabId: string, entry: JournalEntry): boolean
  drop(tabId: string): void
}

export type JournalStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

// Not below 'boathouse.': a change there makes every window read its session again.
const PREFIX = 'boathouse-text.'

function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== 'object' || value === null) return false
  const { sql, baseRevision, sent, at } = value as Partial<Record<keyof JournalEntry, unknown>>
  const isSent = sent === null || typeof sent === 'string'
  return typeof sql === 'string' && typeof baseRevision === 'number' && isSent && typeof at === 'number'
}

function parse(stored: string | null): JournalEntry | null {
  if (stored === null) return null
  try {
    const value: unknown = JSON.parse(stored)
    return isEntry(value) ? value : null
  } catch {
    // Written by another version or cut off: as good as nothing, and the next write replaces it.
    return null
  }
}

export function createTextJournal(storage: JournalStorage): TextJournal {
  return {
    read: (tabId) => parse(storage.getItem(PREFIX + tabId)),
    write(tabId, entry) {
      try {
        storage.setItem(PREFIX + tabId, JSON.stringify(entry))
        return true
      } catch {
        // The only documented failure is a full storage, which leaves what was there; the caller tells the user.
        return false
      }
    },
    drop: (tabId) => storage.removeItem(PREFIX + tabId),
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
