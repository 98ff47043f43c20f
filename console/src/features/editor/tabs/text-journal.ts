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
  /** False when the browser has no room, even after older entries were dropped. */
  write(tabId: string, entry: JournalEntry): boolean
  drop(tabId: string): void
}

export type JournalStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

// Not below 'boathouse.': a change there makes every window read its session again.
const PREFIX = 'boathouse-text.'
const MAX_ENTRIES = 50

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

export function createTextJournal(storage: JournalStorage, maxEntries = MAX_ENTRIES): TextJournal {
  function keysOldestFirst(): string[] {
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at)).filter(
      (key): key is string => key?.startsWith(PREFIX) ?? false,
    )
    const ages = new Map(keys.map((key) => [key, parse(storage.getItem(key))?.at ?? 0]))
    return keys.toSorted((one, other) => (ages.get(one) ?? 0) - (ages.get(other) ?? 0))
  }

  function tryWrite(key: string, value: string): boolean {
    try {
      storage.setItem(key, value)
      return true
    } catch {
      // The only documented failure is a full storage; the caller makes room and tries again.
      return false
    }
  }

  function makeRoomFor(key: string): void {
    if (storage.getItem(key) !== null) return
    const others = keysOldestFirst()
    for (const old of others.slice(0, Math.max(0, others.length - maxEntries + 1))) storage.removeItem(old)
  }

  return {
    read: (tabId) => parse(storage.getItem(PREFIX + tabId)),
    write(tabId, entry) {
      const key = PREFIX + tabId
      const value = JSON.stringify(entry)
      makeRoomFor(key)
      if (tryWrite(key, value)) return true
      const forgotten: [string, string][] = []
      for (const old of keysOldestFirst().filter((other) => other !== key)) {
        forgotten.push([old, storage.getItem(old) ?? ''])
        storage.removeItem(old)
        if (tryWrite(key, value)) return true
      }
      // It does not fit at all: no other text is given up for it.
      for (const [old, text] of forgotten) tryWrite(old, text)
      return false
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
