import { CODES, editor, LIMITS } from '@boathouse/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startApp, type TestUser } from '../../testing/start-app.ts'
import { ONE_VERSION_MS } from './versions.ts'

/** A saved query, and what is done with it by its owner. */
async function openQuery(user: TestUser, text = '') {
  const { data: tab } = await user.call(editor.createTab, { tabName: 'Rowers', sql: text })
  const { tabId } = tab
  let { revision } = tab
  const list = async (page = {}) => (await user.call(editor.versions, { tabId, ...page })).data
  const textOf = async (versionId: string) =>
    (await user.call(editor.versionText, { tabId, versionId })).data.sql
  return {
    tabId,
    revision: () => revision,
    save: async (text: string) => {
      const { data } = await user.call(editor.updateSql, { tabId, sql: text, revision })
      revision = data.revision
    },
    run: () => user.call(editor.markRun, { tabId, revision }),
    name: (versionId: string, name: string) => user.call(editor.nameVersion, { tabId, versionId, name }),
    restore: async (versionId: string) => {
      const answer = await user.call(editor.restoreVersion, { tabId, versionId, revision })
      if (answer.code === CODES.Ok.code) revision = answer.data.revision
      return answer
    },
    list,
    texts: async () => Promise.all((await list()).list.map(({ versionId }) => textOf(versionId))),
  }
}

describe('versions of a saved query', () => {
  test('what is written within some minutes is one, and what was there before is kept', async () => {
    const app = await startApp()
    const query = await openQuery(await app.admin(), 'select 0')
    expect((await query.list()).total).toBe(0)
    await query.save('select 1')
    await query.save('select 12')
    expect(await query.texts()).toEqual(['select 12', 'select 0'])
    app.clock.advance(ONE_VERSION_MS)
    await query.save('select 123')
    expect(await query.texts()).toEqual(['select 123', 'select 12', 'select 0'])
    const [latest] = (await query.list()).list
    expect(latest).toMatchObject({
      name: '',
      ranAt: '',
      characters: 10,
      savedAt: app.clock.now().toISOString(),
    })
    expect(latest?.userName).not.toBe('')
  })

  test('what was run or named is not written over', async () => {
    const app = await startApp()
    const query = await openQuery(await app.admin())
    await query.save('select 1')
    await query.run()
    await query.save('select 2')
    const [second] = (await query.list()).list
    await query.name(second!.versionId, 'The good one')
    await query.save('select 3')
    expect(await query.texts()).toEqual(['select 3', 'select 2', 'select 1'])
    const { list } = await query.list()
    expect(list.map(({ name }) => name)).toEqual(['', 'The good one', ''])
    expect(list.map(({ ranAt }) => ranAt !== '')).toEqual([false, false, true])
  })

  test('a run of a text without a version makes one, and marks no newer text', async () => {
    const app = await startApp()
    const admin = await app.admin()
    const query = await openQuery(admin, 'select 0')
    await query.run()
    expect((await query.list()).list).toMatchObject([{ ranAt: app.clock.now().toISOString() }])
    await query.save('select 1')
    await admin.call(editor.markRun, { tabId: query.tabId, revision: query.revision() + 5 })
    expect((await query.list()).list.map(({ ranAt }) => ranAt !== '')).toEqual([false, true])
  })

  test('a version is restored as a new one, and what it replaces stays', async () => {
    const app = await startApp()
    const admin = await app.admin()
    const query = await openQuery(admin, 'select 0')
    await query.save('select 1')
    const [, first] = (await query.list()).list
    const { data } = await query.restore(first!.versionId)
    expect(data).toEqual({ sql: 'select 0', revision: 3 })
    expect((await admin.call(editor.tabDetail, { tabId: query.tabId })).data).toMatchObject(data)
    expect(await query.texts()).toEqual(['select 0', 'select 1', 'select 0'])
    const stale = { tabId: query.tabId, versionId: first!.versionId, revision: 1 }
    await query.save('select 2')
    expect((await admin.call(editor.restoreVersion, stale)).code).toBe(CODES.Conflict.code)
  })

  test('two that save at the same moment leave one text, and its version is the last', async () => {
    const app = await startApp()
    const admin = await app.admin()
    const query = await openQuery(admin)
    const both = await Promise.all(
      ['select 1', 'select 2'].map((text) =>
        admin.call(editor.updateSql, { tabId: query.tabId, sql: text, revision: 1 }),
      ),
    )
    expect(new Set(both.map(({ code }) => code))).toEqual(new Set([CODES.Ok.code, CODES.Conflict.code]))
    const { data: tab } = await admin.call(editor.tabDetail, { tabId: query.tabId })
    expect(await query.texts()).toEqual([tab.sql])
  })

  test('a text that is refused leaves no version', async () => {
    const app = await startApp()
    const admin = await app.admin()
    const query = await openQuery(admin)
    await app.store.db
      .updateTable('kept_bytes')
      .set({ bytes: 1_000_000_000_000 })
      .where('kind', '=', 'queries')
      .execute()
    const refused = await admin.call(editor.updateSql, { tabId: query.tabId, sql: 'select 1', revision: 1 })
    expect(refused.code).toBe(CODES.QuotaExceeded.code)
    expect((await query.list()).total).toBe(0)
  })

  test('the oldest without a name go, by their number and their bytes', async () => {
    const app = await startApp()
    const query = await openQuery(await app.admin(), 'select 0')
    await query.save('select 1')
    const [, first] = (await query.list()).list
    await query.name(first!.versionId, 'First')
    await app.store.db.executeQuery(
      sql`insert into editor_versions (version_id, tab_id, user_id, revision, sql, begun_at, saved_at)
          select gen_random_uuid(), tab_id, user_id, -number, 'select ' || number, begun_at, saved_at
          from editor_versions, generate_series(1, ${LIMITS.versions}) number where name = 'First'`.compile(
        app.store.db,
      ),
    )
    await query.run()
    await query.save('select 2')
    const { total } = await query.list()
    expect(total).toBe(LIMITS.versions)
    const last = (await query.list({ offset: LIMITS.versions - 20 })).list
    expect(last.at(-1)?.name).toBe('First')
    await query.run()
    await query.save('x'.repeat(LIMITS.sqlLength))
    for (const letter of ['a', 'b', 'c', 'd']) {
      await query.run()
      await query.save(letter.repeat(LIMITS.sqlLength))
    }
    const { list } = await query.list()
    expect(list.reduce((all, { characters }) => all + characters, 0)).toBeLessThanOrEqual(LIMITS.versionBytes)
    expect(list.at(-1)?.name).toBe('First')
  })

  test('only so many have a name, and the name can be removed', async () => {
    const app = await startApp()
    const query = await openQuery(await app.admin(), 'select 0')
    for (let at = 0; at <= LIMITS.namedVersions; at++) {
      await query.save(`select ${at + 1}`)
      await query.run()
    }
    const { list } = await query.list({ limit: LIMITS.namedVersions + 1 })
    for (const { versionId } of list.slice(1))
      expect((await query.name(versionId, 'Kept')).code).toBe(CODES.Ok.code)
    expect((await query.name(list[0]!.versionId, 'One more')).code).toBe(CODES.LimitReached.code)
    expect((await query.name(list[1]!.versionId, 'Another name')).code).toBe(CODES.Ok.code)
    await query.name(list[1]!.versionId, '')
    expect((await query.name(list[0]!.versionId, 'One more')).code).toBe(CODES.Ok.code)
    const tooLong = 'x'.repeat(LIMITS.versionNameLength + 1)
    expect((await query.name(list[0]!.versionId, tooLong)).code).toBe(CODES.BadInput.code)
  })

  test("another user's versions do not exist for me, nor a version of another query", async () => {
    const app = await startApp()
    const [admin, other] = [await app.admin(), await app.user(['db_admin'])]
    const stranger = await app.stranger()
    const query = await openQuery(admin, 'select 0')
    await query.save('select 1')
    const [{ versionId } = { versionId: '' }] = (await query.list()).list
    const { tabId } = query
    for (const user of [other, stranger]) {
      expect((await user.call(editor.versions, { tabId })).code).toBe(CODES.NotFound.code)
      expect((await user.call(editor.versionText, { tabId, versionId })).code).toBe(CODES.NotFound.code)
      expect((await user.call(editor.nameVersion, { tabId, versionId, name: 'x' })).code).toBe(
        CODES.NotFound.code,
      )
      expect((await user.call(editor.restoreVersion, { tabId, versionId, revision: 2 })).code).toBe(
        CODES.NotFound.code,
      )
      expect((await user.call(editor.markRun, { tabId, revision: 2 })).code).toBe(CODES.NotFound.code)
    }
    const second = await openQuery(other, 'select 9')
    const foreign = { tabId: second.tabId, versionId }
    expect((await other.call(editor.versionText, foreign)).code).toBe(CODES.NotFound.code)
    expect((await other.call(editor.restoreVersion, { ...foreign, revision: 1 })).code).toBe(
      CODES.NotFound.code,
    )
    expect((await other.call(editor.nameVersion, { ...foreign, name: 'x' })).code).toBe(CODES.NotFound.code)
  })

  test('a sample has none, and those of a deleted query go with it', async () => {
    const app = await startApp()
    const admin = await app.admin()
    const query = await openQuery(admin, 'select 0')
    const { tabId } = query
    await query.save('select 1')
    await admin.call(editor.deleteTabs, { tabIds: [tabId] })
    expect((await admin.call(editor.versions, { tabId })).code).toBe(CODES.NotFound.code)
    await admin.call(editor.emptyBin, {})
    expect(await app.store.db.selectFrom('editor_versions').selectAll().execute()).toEqual([])
    const sample = await openQuery(admin, 'select 0')
    await app.store.db
      .updateTable('editor_tabs')
      .set({ sample: true })
      .where('tab_id', '=', sample.tabId)
      .execute()
    expect((await sample.run()).code).toBe(CODES.Ok.code)
    expect((await sample.list()).total).toBe(0)
  })
})
