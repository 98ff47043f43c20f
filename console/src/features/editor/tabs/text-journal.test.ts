import { LIMITS } from '@boathouse/contract/limits'
import { beforeEach, describe, expect, test } from 'vitest'
import { createTextJournal, openingText } from './text-journal.ts'
import type { JournalEntry, JournalStorage } from './text-journal.ts'

const DAY_MS = 24 * 3_600_000

const entry = (sql: string, at = 1): JournalEntry => ({
  sql,
  baseRevision: 1,
  sent: null,
  at,
  deletedAt: null,
})

/** As a browser does it: refuses what does not fit. */
function smallStorage(maxLength: number): JournalStorage {
  const values = new Map<string, string>()
  const used = () => [...values.values()].join('').length
  return {
    get length() {
      return values.size
    },
    key: (at) => [...values.keys()][at] ?? null,
    getItem: (key) => values.get(key) ?? null,
    removeItem: (key) => void values.delete(key),
    setItem(key, value) {
      if (used() - (values.get(key)?.length ?? 0) + value.length > maxLength)
        throw new DOMException('full', 'QuotaExceededError')
      values.set(key, value)
    },
  }
}

describe('the journal of typed text', () => {
  beforeEach(() => window.localStorage.clear())

  test('gives back what was written, by tab, until it is dropped', () => {
    const journal = createTextJournal(window.localStorage)
    expect(journal.write('tab-1', entry('select 1'))).toBe(true)
    expect(createTextJournal(window.localStorage).read('tab-1')).toEqual(entry('select 1'))
    expect(journal.read('tab-2')).toBeNull()
    journal.drop('tab-1')
    expect(journal.read('tab-1')).toBeNull()
  })

  test('gives up no text for others, however many there are', () => {
    const journal = createTextJournal(window.localStorage)
    const tabs = Array.from({ length: 120 }, (_, at) => `tab-${at}`)
    for (const tab of tabs) expect(journal.write(tab, entry(tab))).toBe(true)
    expect(tabs.filter((tab) => journal.read(tab)?.sql !== tab)).toEqual([])
  })

  test('pain 5: gives up no text for one that would fit in its place, nor for one that would not', () => {
    const journal = createTextJournal(smallStorage(300))
    journal.write('tab-1', entry('a'.repeat(60), 1))
    journal.write('tab-2', entry('b'.repeat(60), 2))
    for (const length of [100, 1000]) {
      expect(journal.write('tab-3', entry('c'.repeat(length), 3))).toBe(false)
      expect(journal.read('tab-1')?.sql).toBe('a'.repeat(60))
      expect(journal.read('tab-2')?.sql).toBe('b'.repeat(60))
      expect(journal.read('tab-3')).toBeNull()
    }
  })

  test('keeps what it has of a tab when there is no room for more of it', () => {
    const journal = createTextJournal(smallStorage(100))
    journal.write('tab-1', entry('a'))
    expect(journal.write('tab-1', entry('a'.repeat(100)))).toBe(false)
    expect(journal.read('tab-1')?.sql).toBe('a')
  })

  test('does not stumble over what another version left', () => {
    const journal = createTextJournal(window.localStorage)
    journal.write('tab-1', entry('select 1'))
    const key = window.localStorage.key(0) ?? ''
    for (const broken of ['{"sql":1}', 'null', '{"sql"', '{"sql":"x","baseRevision":1,"sent":2,"at":1}']) {
      window.localStorage.setItem(key, broken)
      expect(journal.read('tab-1')).toBeNull()
    }
  })

  test('keeps what an earlier version wrote, which knew of no deletion', () => {
    const journal = createTextJournal(window.localStorage)
    const { deletedAt: _, ...before } = entry('select 1')
    window.localStorage.setItem('boathouse-text.tab-1', JSON.stringify(before))
    journal.sweep(Number.MAX_SAFE_INTEGER)
    expect(journal.read('tab-1')).toEqual(entry('select 1'))
  })

  test('removes what was deleted before the time of the bin, and nothing of other users', () => {
    const journal = createTextJournal(window.localStorage)
    window.localStorage.setItem('another', '{}')
    for (const tab of ['tab-1', 'tab-2', 'tab-3']) journal.write(tab, entry(tab))
    journal.setDeleted('tab-1', 1)
    journal.setDeleted('tab-2', 2)
    journal.setDeleted('tab-4', 1)
    journal.sweep(LIMITS.binDays * DAY_MS + 2)
    expect(['tab-1', 'tab-2', 'tab-3', 'tab-4'].map((tab) => journal.read(tab)?.sql)).toEqual([
      undefined,
      'tab-2',
      'tab-3',
      undefined,
    ])
    expect(window.localStorage.getItem('another')).toBe('{}')
  })

  test('is not below the prefix that makes other windows read their session again', () => {
    createTextJournal(window.localStorage).write('tab-1', entry('select 1'))
    expect(window.localStorage.key(0)).not.toMatch(/^boathouse\./)
  })
})

const typed = (over: Partial<JournalEntry>): JournalEntry => ({
  sql: 'mine',
  baseRevision: 5,
  sent: null,
  at: 1,
  deletedAt: null,
  ...over,
})

describe('the text a tab opens with', () => {
  const server = { sql: 'saved', revision: 5 }

  test('is the saved one when nothing was typed here, or the same', () => {
    expect(openingText(server, null)).toEqual({ kind: 'saved' })
    expect(openingText(server, typed({ sql: 'saved', baseRevision: 2 }))).toEqual({ kind: 'saved' })
  })

  test('is the typed one when it was made from the saved one', () => {
    expect(openingText(server, typed({}))).toEqual({ kind: 'mine', sql: 'mine' })
  })

  test('is the typed one when the saved one is what was sent from here before the page went away', () => {
    expect(openingText(server, typed({ baseRevision: 4, sent: 'saved' }))).toEqual({
      kind: 'mine',
      sql: 'mine',
    })
  })

  test('is a conflict when the saved one was changed elsewhere since', () => {
    expect(openingText(server, typed({ baseRevision: 4 }))).toEqual({ kind: 'conflict', mine: 'mine' })
    expect(openingText(server, typed({ baseRevision: 9, sent: 'other' }))).toMatchObject({ kind: 'conflict' })
  })
})
