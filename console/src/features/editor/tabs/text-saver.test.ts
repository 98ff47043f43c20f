import { fakeClock } from '@boathouse/client/testing/fake-clock'
import type { EditorTab } from '@boathouse/contract/editor'
import { LIMITS } from '@boathouse/contract/limits'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLiveTexts } from '../together/live-texts.ts'
import { createEditorStore } from './editor-store.ts'
import { createTextJournal } from './text-journal.ts'
import { createTextSaver } from './text-saver.ts'

const TAB = 'tab-1'
const COPY = 'tab-2'

class Refused extends Error {
  constructor(readonly code: string) {
    super(code)
  }
}

const sampleDetail = (): EditorTab => ({
  tabId: TAB,
  tabName: 'Query',
  parentFolderName: '',
  catalog: '',
  database: '',
  hidden: false,
  active: true,
  sample: true,
  chart: null,
  parameters: [],
  access: 'own' as const,
  owner: 'ann',
  sql: 'select 1',
  revision: 1,
})

/** A server that keeps one text, and a browser that types into it. */
function desk() {
  const clock = fakeClock()
  const store = createEditorStore()
  const journal = createTextJournal(window.localStorage)
  const server = {
    sql: 'select 1',
    revision: 1,
    failWith: null as string | null,
    loseAnswers: false,
  }
  const made: { tabId: string; tabName: string; sql: string }[] = []
  const saves: string[] = []
  const detail = (): EditorTab => ({
    tabId: TAB,
    tabName: 'Query',
    parentFolderName: '',
    catalog: '',
    database: '',
    hidden: false,
    active: true,
    sample: false,
    chart: null,
    parameters: [],
    access: 'own' as const,
    owner: 'ann',
    sql: server.sql,
    revision: server.revision,
  })
  const open = () =>
    createTextSaver({
      store,
      journal,
      clock,
      live: createLiveTexts(),
      load: async () => detail(),
      create: async ({ tabId, tabName, sql }) => {
        if (server.failWith === 'NetworkError') throw new Refused('NetworkError')
        made.push({ tabId, tabName, sql })
        if (tabId === TAB) server.failWith = null
        return tabId === TAB ? detail() : { ...detail(), tabId, tabName, sql, revision: 1 }
      },
      newId: () => COPY,
      copyName: (name) => `${name} (copy)`,
      codeOf: (error) => (error instanceof Refused ? error.code : 'Unavailable'),
      save: async ({ sql, revision }) => {
        saves.push(sql)
        if (server.failWith) throw new Refused(server.failWith)
        if (revision !== server.revision) throw new Refused('Conflict')
        Object.assign(server, { sql, revision: revision + 1 })
        if (server.loseAnswers) throw new Refused('NetworkError')
        return { revision: server.revision }
      },
    })
  const saver = open()
  saver.open(detail())
  const reload = () => {
    store.clear()
    const next = open()
    next.open(detail())
    return next
  }
  return { clock, store, journal, server, saves, made, saver, reload, tab: () => store.tab(TAB)! }
}

let d: ReturnType<typeof desk>
beforeEach(() => {
  window.localStorage.clear()
  d = desk()
})
afterEach(() => void vi.restoreAllMocks())

const fillBrowser = () =>
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })

const saved = () => vi.waitFor(() => expect(d.tab().save).toBe('saved'))

describe('typed text', () => {
  test('that a timed-out login kept from being saved is saved after the next', async () => {
    d.server.failWith = 'LoginRequired'
    d.saver.edit(TAB, 'select 12')
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.tab().save).toBe('local'))
    d.clock.advance(3_600_000)
    expect(d.saves).toHaveLength(1)
    d.server.failWith = null
    await d.saver.retry()
    expect(d.tab().save).toBe('saved')
    expect(d.server.sql).toBe('select 12')
  })

  test('pain 1: is in the journal at once, and on the server when the keys pause', async () => {
    d.saver.edit(TAB, 'select 12')
    expect(d.journal.read(TAB)).toMatchObject({ sql: 'select 12', baseRevision: 1 })
    expect(d.tab()).toMatchObject({ sql: 'select 12', save: 'unsaved' })
    d.clock.advance(399)
    expect(d.saves).toEqual([])
    d.clock.advance(1)
    await saved()
    expect(d.server).toMatchObject({ sql: 'select 12', revision: 2 })
    expect(d.journal.read(TAB)).toBeNull()
  })

  test('reaches the server within a second even when the keys do not pause', () => {
    for (let pressed = 0; pressed < 9; pressed++) {
      d.saver.edit(TAB, 'x'.repeat(pressed + 1))
      d.clock.advance(100)
    }
    expect(d.saves).toEqual(['x'.repeat(9)])
  })

  test('typed while a save is under way follows it, made from the new revision', async () => {
    d.saver.edit(TAB, 'a')
    d.clock.advance(400)
    d.saver.edit(TAB, 'ab')
    await vi.waitFor(() => expect(d.tab().revision).toBe(2))
    expect(d.tab().save).toBe('unsaved')
    expect(d.journal.read(TAB)).toMatchObject({ sql: 'ab', baseRevision: 2, sent: null })
    d.clock.advance(400)
    await saved()
    expect(d.server).toMatchObject({ sql: 'ab', revision: 3 })
  })

  test('is kept here and sent again when the server cannot be reached', async () => {
    d.server.failWith = 'NetworkError'
    d.saver.edit(TAB, 'offline')
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.tab().save).toBe('local'))
    expect(d.journal.read(TAB)?.sql).toBe('offline')
    d.server.failWith = null
    d.clock.advance(2_000)
    await saved()
    expect(d.server.sql).toBe('offline')
  })

  test('is not sent again where that cannot help, but stays in the journal', async () => {
    d.server.failWith = 'TooLarge'
    d.saver.edit(TAB, 'too much')
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.tab().save).toBe('local'))
    d.clock.advance(120_000)
    expect(d.saves).toHaveLength(1)
    expect(d.journal.read(TAB)?.sql).toBe('too much')
  })

  test('of 5 MB is not sent, which is shown, and saved as soon as it is short enough', async () => {
    d.saver.edit(TAB, 'x'.repeat(LIMITS.sqlLength + 1))
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.tab().save).toBe('tooLong'))
    expect(d.saves).toEqual([])
    expect(d.journal.read(TAB)?.sql).toHaveLength(LIMITS.sqlLength + 1)
    expect(d.saver.isAtRisk()).toBe(false)
    d.saver.edit(TAB, 'short')
    d.clock.advance(400)
    await saved()
    expect(d.server.sql).toBe('short')
  })

  test('that neither the server nor a full browser takes is reported, and saved when the server takes it', async () => {
    fillBrowser()
    d.server.failWith = 'NetworkError'
    d.saver.edit(TAB, 'select 12')
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.tab().save).toBe('unkept'))
    expect(d.saver.isAtRisk()).toBe(true)
    d.server.failWith = null
    d.clock.advance(2_000)
    await saved()
    expect(d.saver.isAtRisk()).toBe(false)
  })

  test('that a full browser does not take is at risk from the first key until the server has it', async () => {
    fillBrowser()
    d.saver.edit(TAB, 'select 12')
    expect([d.tab().save, d.saver.isAtRisk()]).toEqual(['unsaved', true])
    d.clock.advance(400)
    expect([d.tab().save, d.saver.isAtRisk()]).toEqual(['saving', true])
    await saved()
    expect(d.saver.isAtRisk()).toBe(false)
  })

  test('pain 5: takes no room from another tab, whose text only the browser has, and has it when there is some', async () => {
    const long = 'x'.repeat(LIMITS.sqlLength * 3)
    d.journal.write('tab-9', { sql: long, baseRevision: 1, sent: null, at: 0, deletedAt: null })
    d.saver.edit(TAB, long)
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.tab().save).toBe('unkept'))
    expect(d.journal.read('tab-9')?.sql).toBe(long)
    d.saver.open({ ...sampleDetail(), tabId: 'tab-9', sample: false, sql: long })
    expect(d.journal.read('tab-9')).toBeNull()
    expect(d.journal.read(TAB)?.sql).toBe(long)
    expect(d.tab().save).toBe('tooLong')
    expect(d.saver.isAtRisk()).toBe(false)
  })

  test('is sent at once when the page goes away', async () => {
    d.saver.edit(TAB, 'bye')
    await d.saver.flush()
    expect(d.server.sql).toBe('bye')
  })
})

describe('a reload', () => {
  test('keeps text that the server does not have yet, and then saves it', async () => {
    d.saver.edit(TAB, 'select 123')
    d.reload()
    expect(d.tab()).toMatchObject({ sql: 'select 123', save: 'unsaved', conflict: null })
    d.clock.advance(400)
    await saved()
    expect(d.server.sql).toBe('select 123')
  })

  test('takes the saved text when everything was saved', async () => {
    d.saver.edit(TAB, 'done')
    d.clock.advance(400)
    await saved()
    Object.assign(d.server, { sql: 'changed in another browser', revision: 7 })
    d.reload()
    expect(d.tab()).toMatchObject({ sql: 'changed in another browser', revision: 7, conflict: null })
  })

  test('in the middle of a save is no conflict, whether or not the save arrived', async () => {
    d.server.loseAnswers = true
    d.saver.edit(TAB, 'sent')
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.server.revision).toBe(2))
    d.saver.edit(TAB, 'sent and more')
    d.server.loseAnswers = false
    d.reload()
    expect(d.tab()).toMatchObject({ sql: 'sent and more', revision: 2, conflict: null })
    d.clock.advance(400)
    await saved()
    expect(d.server.sql).toBe('sent and more')
  })

  test('shows a conflict when the text was changed elsewhere, and overwrites nothing', () => {
    d.saver.edit(TAB, 'mine')
    Object.assign(d.server, { sql: 'theirs', revision: 2 })
    d.reload()
    expect(d.tab()).toMatchObject({ sql: 'mine', conflict: { sql: 'theirs', revision: 2 } })
    d.clock.advance(60_000)
    expect(d.saves).toEqual([])
    expect(d.server.sql).toBe('theirs')
    expect(d.journal.read(TAB)?.sql).toBe('mine')
  })

  test('keeps a conflict that was not decided, with what was typed since', () => {
    d.saver.edit(TAB, 'mine')
    Object.assign(d.server, { sql: 'theirs', revision: 2 })
    const again = d.reload()
    again.edit(TAB, 'mine, longer')
    d.reload()
    expect(d.tab()).toMatchObject({ sql: 'mine, longer', conflict: { sql: 'theirs', revision: 2 } })
  })
})

const conflict = async () => {
  Object.assign(d.server, { sql: 'theirs', revision: 5 })
  d.saver.edit(TAB, 'mine')
  d.clock.advance(400)
  await vi.waitFor(() => expect(d.tab().conflict).toEqual({ sql: 'theirs', revision: 5 }))
}

describe('a save that finds a newer text', () => {
  test('is shown as a conflict, with both texts kept', async () => {
    await conflict()
    expect(d.tab()).toMatchObject({ sql: 'mine', save: 'local' })
    expect(d.journal.read(TAB)?.sql).toBe('mine')
    d.saver.edit(TAB, 'mine 2')
    d.clock.advance(60_000)
    expect(d.server.sql).toBe('theirs')
  })

  test('tells when a full browser does not have ours, which is then at risk', async () => {
    const full = fillBrowser()
    await conflict()
    expect([d.tab().save, d.saver.isAtRisk()]).toEqual(['unkept', true])
    full.mockRestore()
    d.saver.edit(TAB, 'mine 2')
    expect([d.tab().save, d.saver.isAtRisk()]).toEqual(['local', false])
    fillBrowser()
    d.saver.edit(TAB, 'mine 23')
    expect([d.tab().save, d.saver.isAtRisk()]).toEqual(['unkept', true])
    d.saver.takeSaved(TAB)
    expect(d.saver.isAtRisk()).toBe(false)
  })

  test('"Use mine" saves the text of this browser over the newer one', async () => {
    await conflict()
    await d.saver.keepMine(TAB)
    expect(d.server).toMatchObject({ sql: 'mine', revision: 6 })
    expect(d.tab()).toMatchObject({ conflict: null, save: 'saved', revision: 6 })
  })

  test('"Use saved" takes the newer text and forgets the other', async () => {
    await conflict()
    d.saver.takeSaved(TAB)
    expect(d.tab()).toMatchObject({ sql: 'theirs', revision: 5, conflict: null, save: 'saved' })
    expect(d.journal.read(TAB)).toBeNull()
    expect(d.server.revision).toBe(5)
  })

  test('is no conflict when that text is the one sent from here before', async () => {
    d.server.loseAnswers = true
    d.saver.edit(TAB, 'one')
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.tab().save).toBe('local'))
    d.server.loseAnswers = false
    d.saver.edit(TAB, 'one two')
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.tab().revision).toBe(2))
    d.clock.advance(400)
    await saved()
    expect(d.server).toMatchObject({ sql: 'one two', revision: 3 })
  })
})

describe('a sample', () => {
  test('is not changed by typing in it: the first key creates a copy, in which editing continues', async () => {
    d.store.clear()
    d.saver.open(sampleDetail())
    const copied: string[] = []
    d.saver.onCopied(({ tabId, tabName }) => copied.push(`${tabId} ${tabName}`))
    d.saver.edit(TAB, 'select 12')
    d.saver.edit(TAB, 'select 123')
    expect(copied).toEqual(['tab-2 Query (copy)'])
    expect(d.store.tab(TAB)?.sql).toBe('select 1')
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.store.tab(COPY)?.save).toBe('saved'))
    expect(d.made).toEqual([{ tabId: COPY, tabName: 'Query (copy)', sql: 'select 123' }])
    expect(d.saves).toEqual([])
  })

  test('that is opened again and written in makes another copy', () => {
    d.store.clear()
    d.saver.open(sampleDetail())
    const copied: string[] = []
    d.saver.onCopied(({ tabId }) => copied.push(tabId))
    d.saver.edit(TAB, 'select 12')
    d.saver.shown(COPY)
    d.saver.edit(TAB, 'select 13')
    expect(copied).toEqual([COPY, COPY])
  })

  test('copied without a connection is kept in this browser and made when it is back', async () => {
    d.store.clear()
    d.saver.open(sampleDetail())
    d.server.failWith = 'NetworkError'
    d.saver.edit(TAB, 'select 12')
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.store.tab(COPY)?.save).toBe('local'))
    expect(d.journal.read(COPY)?.sql).toBe('select 12')
    d.store.clear()
    expect(d.saver.reopen(COPY, 'Query (copy)')).toBe(true)
    d.server.failWith = null
    d.clock.advance(2_000)
    await vi.waitFor(() => expect(d.store.tab(COPY)?.save).toBe('saved'))
    expect(d.made).toEqual([{ tabId: COPY, tabName: 'Query (copy)', sql: 'select 12' }])
  })
})

test('pain 3: a tab that the server lost is recreated with its text, and the user continues', async () => {
  d.server.failWith = 'NotFound'
  d.saver.edit(TAB, 'select 12')
  d.clock.advance(400)
  await vi.waitFor(() => expect(d.made).toHaveLength(1))
  d.clock.advance(400)
  await vi.waitFor(() => expect(d.tab().save).toBe('saved'))
  expect(d.server).toMatchObject({ sql: 'select 12', revision: 2 })
})

describe('a text that another window has saved', () => {
  test('is followed by a window in which nothing was written', () => {
    d.saver.follow({ ...sampleDetail(), sample: false, sql: 'theirs', revision: 2 })
    expect(d.tab()).toMatchObject({ sql: 'theirs', revision: 2, save: 'saved' })
  })

  test('does not touch what is written here, nor an answer that is older', () => {
    d.saver.edit(TAB, 'mine')
    d.saver.follow({ ...sampleDetail(), sample: false, sql: 'theirs', revision: 2 })
    expect(d.tab().sql).toBe('mine')
    d.saver.follow({ ...sampleDetail(), sample: false, sql: 'old', revision: 1 })
    expect(d.tab().sql).toBe('mine')
  })
})

describe('what was typed into a query that its user deletes', () => {
  const DAY_MS = 24 * 3_600_000
  const tooLong = 'x'.repeat(LIMITS.sqlLength + 1)
  const typeTooLong = async () => {
    d.saver.edit(TAB, tooLong)
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.tab().save).toBe('tooLong'))
  }
  const sweepAfter = (days: number) => {
    d.clock.advance(days * DAY_MS)
    d.journal.sweep(d.clock.now())
  }

  test('stays as long as the query is in the bin, and not longer', async () => {
    await typeTooLong()
    d.saver.setDeleted([TAB], true)
    sweepAfter(LIMITS.binDays)
    expect(d.journal.read(TAB)?.sql).toBe(tooLong)
    sweepAfter(1)
    expect(d.journal.read(TAB)).toBeNull()
  })

  test('is there again when the query is taken out of the bin, and then stays', async () => {
    await typeTooLong()
    d.saver.setDeleted([TAB], true)
    const saver = d.reload()
    expect(d.tab().sql).toBe(tooLong)
    sweepAfter(LIMITS.binDays + 1)
    expect(d.journal.read(TAB)?.sql).toBe(tooLong)
    saver.setDeleted([TAB], true)
    saver.open(sampleDetail())
    sweepAfter(LIMITS.binDays + 1)
    expect(d.journal.read(TAB)?.sql).toBe(tooLong)
  })

  test('does not restore the query automatically, but is saved when the user does', async () => {
    d.server.failWith = 'Unavailable'
    d.saver.edit(TAB, 'select 12')
    d.clock.advance(400)
    await vi.waitFor(() => expect(d.tab().save).toBe('local'))
    d.saver.setDeleted([TAB], true)
    d.server.failWith = 'NotFound'
    d.clock.advance(120_000)
    await d.saver.retry()
    expect([d.saves, d.made]).toEqual([['select 12'], []])
    d.server.failWith = null
    d.saver.open({ ...sampleDetail(), sample: false })
    d.clock.advance(400)
    await saved()
    expect(d.server.sql).toBe('select 12')
  })

  test('that is on its way does not restore it either', async () => {
    d.server.failWith = 'NotFound'
    d.saver.edit(TAB, 'select 12')
    const sent = d.saver.flush()
    d.saver.setDeleted([TAB], true)
    await sent
    expect(d.made).toEqual([])
    expect(d.journal.read(TAB)?.sql).toBe('select 12')
  })

  test('is kept and saved as before when the query could not be deleted', async () => {
    d.saver.edit(TAB, 'select 12')
    d.saver.setDeleted([TAB], true)
    d.saver.setDeleted([TAB], false)
    d.clock.advance(400)
    await saved()
    expect(d.server.sql).toBe('select 12')
  })

  test('stays when another window deleted the query', async () => {
    await typeTooLong()
    sweepAfter(LIMITS.binDays + 1)
    expect(d.journal.read(TAB)?.sql).toBe(tooLong)
  })
})
