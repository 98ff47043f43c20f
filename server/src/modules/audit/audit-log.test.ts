import { randomUUID } from 'node:crypto'
import { audit, CODES, perms, type Sent, warehouse as warehouseCalls } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { OPERATOR, SERVICE } from './author.ts'
import { createChainCheck, hashOf } from './chain-check.ts'
import { type AuditEvent, recordAudit } from './record.ts'

const minute = (n: number): Date => new Date(Date.UTC(2026, 1, 1, 9, n))

async function start() {
  const app = await startApp()
  const guard = await app.user(['security_admin'])
  return { app, guard }
}

const record = (app: TestApp, events: readonly Partial<AuditEvent>[], accountId = app.accountId) =>
  app.store.transaction(async (trx) => {
    for (const more of events)
      await recordAudit(trx, {
        accountId,
        at: minute(0),
        by: OPERATOR,
        action: 'boat.launch',
        object: { type: 'boat', id: 'b1', name: 'Argo' },
        before: { afloat: false },
        after: { afloat: true },
        ...more,
      })
  })

type Filter = Sent<typeof audit.list>
const names = async (user: TestUser, filter: Filter = {}) =>
  (await user.call(audit.list, filter)).data.entries.map(({ objectName }) => objectName)

test('the log is closed to every role but security_admin and those that have it in them [SEC-01, ROLE-10]', async () => {
  const { app, guard } = await start()
  const others = await app.user(['user_admin', 'cluster_admin', 'db_admin'])
  const calls = [
    [audit.list, {}],
    [audit.objectTypes, {}],
    [audit.detail, { number: 1 }],
    [audit.verify, {}],
    [audit.texts, {}],
  ] as const
  for (const [call, input] of calls) {
    expect([call.path, (await others.call(call, input)).code]).toEqual([call.path, CODES.NoPermission.code])
    expect([call.path, (await guard.call(call, input)).code]).toEqual([call.path, CODES.Ok.code])
  }
})

test('an entry has time, actor, object and what changed, newest first [SEC-02, SEC-03]', async () => {
  const { app, guard } = await start()
  await record(app, [
    { at: minute(2), object: { type: 'boat', id: 'b2', name: 'Dory' } },
    { at: minute(1), by: SERVICE, object: { type: 'pier', id: 'p1' }, before: null, after: null },
  ])
  const admin = await app.admin()
  app.clock.advance(60_000)
  await admin.call(perms.createRole, { role: 'crew', comment: 'rows' })
  const { entries, next } = (await guard.call(audit.list, {})).data
  const found = entries.filter(({ objectType }) => ['role', 'boat', 'pier'].includes(objectType))
  expect(found).toMatchObject([
    {
      actor: { kind: 'user', name: 'admin', clientIp: '127.0.0.1' },
      action: 'role.create',
      objectType: 'role',
      objectName: 'crew',
      changes: expect.arrayContaining([{ field: 'comment', before: null, after: 'rows' }]) as unknown,
      isCut: false,
    },
    {
      at: '2026-02-01T09:02:00.000Z',
      actor: { kind: 'operator', name: 'operator', clientIp: null },
      objectName: 'Dory',
      changes: [{ field: 'afloat', before: 'no', after: 'yes' }],
    },
    { actor: { kind: 'service' }, objectType: 'pier', objectName: 'p1', changes: [] },
  ])
  expect(next).toBeNull()
})

test('pages follow one another without a gap, also where times are the same', async () => {
  const { app, guard } = await start()
  const boats = ['a', 'b', 'c', 'd', 'e']
  await record(
    app,
    boats.map((name) => ({ object: { type: 'boat', id: name, name } })),
  )
  const seen: string[] = []
  let after: string | undefined
  do {
    const more = after === undefined ? {} : { after }
    const { data } = await guard.call(audit.list, { objectType: 'boat', limit: 2, ...more })
    seen.push(...data.entries.map(({ objectName }) => objectName))
    expect(data.entries.length).toBeLessThanOrEqual(2)
    after = data.next ?? undefined
  } while (after !== undefined)
  expect(seen).toEqual(boats.toReversed())
  for (const wrong of ['x', '2026-02-01_1', `2026-02-01T09:00:00.000Z_${'9'.repeat(20)}`])
    expect((await guard.call(audit.list, { after: wrong })).code).toBe(CODES.BadInput.code)
})

test('the list is narrowed by type, actor, time and text, alone and together [SEC-03]', async () => {
  const { app, guard } = await start()
  await record(app, [
    { at: minute(1), object: { type: 'boat', id: '1', name: 'Argo' } },
    {
      at: minute(2),
      object: { type: 'boat', id: '2', name: 'Dory' },
      by: SERVICE,
      after: { paint: 'Grün "50%"' },
    },
    { at: minute(3), object: { type: 'pier', id: '3', name: 'North' }, by: SERVICE },
  ])
  expect(await names(guard, { objectType: 'boat' })).toEqual(['Dory', 'Argo'])
  expect(await names(guard, { actor: 'service', objectType: 'pier' })).toEqual(['North'])
  expect(await names(guard, { actor: 'service', objectType: 'boat' })).toEqual(['Dory'])
  const from = '2026-02-01T11:02:00+02:00'
  expect(await names(guard, { from, until: '2026-02-02T00:00Z', actor: 'service' })).toEqual([
    'North',
    'Dory',
  ])
  expect(await names(guard, { from, until: '2026-02-01T09:03Z' })).toEqual(['Dory'])
  for (const text of ['dory', 'grÜn', '"50%"', 'GRÜN "50'])
    expect([text, await names(guard, { text })]).toEqual([text, ['Dory']])
  for (const text of ['50_', '50\\', app.accountId.toLowerCase(), '"previous"'])
    expect([text, await names(guard, { text, objectType: 'boat' })]).toEqual([text, []])
  expect((await guard.call(audit.list, { from: 'yesterday' })).code).toBe(CODES.BadInput.code)
  const { objectTypes } = (await guard.call(audit.objectTypes, {})).data
  expect(objectTypes).toEqual(expect.arrayContaining(['boat', 'pier']))
  expect(objectTypes).toEqual([...new Set(objectTypes)].toSorted())
})

test('a search without an index reads a limited part at a time, and continues from there', async () => {
  const { app, guard } = await start()
  await record(app, [{}])
  // Beside the chain, which is not what this is about.
  await app.store.pool.query(
    `insert into audit_entries (account_id, number, entry)
     select account_id, 10000 + n, replace(entry, 'Argo', 'Hay') from audit_entries, generate_series(1, 2000) n
     where account_id = $1 and entry like '%Argo%'`,
    [app.accountId],
  )
  const hay = (await guard.call(audit.list, { text: 'nothing-like-it', objectType: 'boat' })).data
  expect(hay).toMatchObject({ entries: [], searchedTo: '2026-02-01T09:00:00.000Z' })
  const rest = (await guard.call(audit.list, { text: 'argo', objectType: 'boat', after: hay.next ?? '' }))
    .data
  expect(rest).toMatchObject({ entries: [{ objectName: 'Argo' }], next: null, searchedTo: null })
})

test('an entry is shown whole with its hash, a long one is cut in the list, and secrets are in neither', async () => {
  const { app, guard } = await start()
  const long = 'x'.repeat(20_000)
  await record(app, [{ after: { long, password: 'Rowing_2026' } }])
  const [listed] = (await guard.call(audit.list, { objectType: 'boat' })).data.entries
  expect(listed).toMatchObject({ objectName: 'Argo', changes: [], isCut: true })
  const { entry, text, hash, previous } = (await guard.call(audit.detail, { number: listed?.number ?? 0 }))
    .data
  expect(hash).toBe(hashOf(text))
  expect(JSON.parse(text)).toMatchObject({ previous, after: { long, password: '***' } })
  expect(entry.changes).toContainEqual({ field: 'password', before: null, after: '***' })
  expect(entry.changes.find(({ field }) => field === 'long')?.after).toHaveLength(4_097)
  expect((await guard.call(audit.detail, { number: 9_999 })).code).toBe(CODES.NotFound.code)
})

test('entries of another account are neither listed, shown, verified nor downloaded', async () => {
  const { app, guard } = await start()
  const other = await app.otherAccount()
  const stranger = await other.admin()
  await record(app, [{ object: { type: 'boat', id: 'own', name: 'Own' } }])
  const { number } = (await guard.call(audit.list, { objectType: 'boat' })).data.entries[0] ?? { number: 0 }
  expect(await names(stranger, { objectType: 'boat' })).toEqual([])
  const { data } = await stranger.call(audit.detail, { number })
  expect(data?.text ?? '').not.toContain('Own')
  expect((await stranger.call(audit.objectTypes, {})).data.objectTypes).not.toContain('boat')
  expect((await stranger.call(audit.texts, {})).data.texts.join('')).not.toContain('Own')
})

async function verifyAll(user: TestUser) {
  let found = (await user.call(audit.verify, {})).data
  let steps = 1
  while (found.problem === null && found.checked < found.total) {
    const { checked, head } = found
    found = (await user.call(audit.verify, { checked, head })).data
    steps += 1
  }
  return { ...found, steps }
}

test('the chain is checked part by part up to its head, and a change in it is found', async () => {
  const { app, guard } = await start()
  await record(
    app,
    Array.from({ length: 4 }, () => ({ after: { long: 'x'.repeat(200_000) } })),
  )
  const { head, entries } = await app.store.db
    .selectFrom('audit_chains')
    .selectAll()
    .where('account_id', '=', app.accountId)
    .executeTakeFirstOrThrow()
  const verified = await verifyAll(guard)
  expect(verified).toMatchObject({ problem: null, checked: entries, total: entries, head })
  expect(verified.steps).toBeGreaterThan(1)
  expect((await guard.call(audit.verify, { checked: entries + 1 })).code).toBe(CODES.BadInput.code)
  expect((await guard.call(audit.verify, { checked: 1, head: 'x' })).code).toBe(CODES.BadInput.code)
  await app.store.pool.query('alter table audit_entries disable trigger user')
  await app.store.pool.query(
    `update audit_entries set entry = replace(entry, 'Argo', 'Ogra') where number = $1`,
    [entries - 1],
  )
  await app.store.pool.query('alter table audit_entries enable trigger user')
  expect((await verifyAll(guard)).problem).toBe(
    `Entry ${entries} does not follow the entry before it: one of the two was changed.`,
  )
})

test('the log is downloaded in its stored form, and is verified without the service', async () => {
  const { app, guard } = await start()
  await record(
    app,
    Array.from({ length: 4 }, () => ({ after: { long: 'x'.repeat(200_000) } })),
  )
  const check = createChainCheck(app.accountId)
  const { head } = await verifyAll(guard)
  for (let after: number | null = 0; after !== null;) {
    const page: { texts: string[]; next: number | null } = (await guard.call(audit.texts, { after })).data
    for (const text of page.texts) check.add(text)
    expect(page.texts.length).toBeLessThanOrEqual(500)
    after = page.next
  }
  expect(check.verdict()).toMatchObject({ problem: null, head })
})

test('ids are shown by their current names, of the own account alone; the stored text has the ids', async () => {
  const { app, guard } = await start()
  const admin = await app.admin()
  const grace = await app.user()
  const stranger = await app.stranger([])
  const ids = await app.store.db
    .selectFrom('users')
    .select(['user_id', 'name', 'account_id'])
    .where('name', 'in', [grace.name, stranger.name])
    .execute()
  const idOf = (of: TestUser) => ids.find(({ name }) => name === of.name)?.user_id ?? ''
  const [warehouse] = (await admin.call(warehouseCalls.list, {})).data.warehouses
  const after = {
    owner: idOf(grace),
    other: idOf(stranger),
    comment: `asked by ${idOf(grace)}`,
    passedOn: [`SELECT on TABLE a.b.c of user ${idOf(grace)}`],
    account: app.accountId,
    warehouse: warehouse?.warehouseId,
  }
  await record(app, [
    { action: 'boat.own', object: { type: 'user', id: idOf(grace) }, before: null, after },
    { action: 'budget.set', object: { type: 'budget', id: randomUUID() }, before: null, after },
  ])
  const { entries } = (await guard.call(audit.list, { text: 'asked by' })).data
  expect(new Set(entries.map(({ objectName }) => objectName))).toEqual(new Set([warehouse?.name, grace.name]))
  const found = Object.fromEntries(entries[0]?.changes.map(({ field, after: text }) => [field, text]) ?? [])
  expect(found).toMatchObject({
    owner: grace.name,
    other: idOf(stranger),
    comment: after.comment,
    passedOn: `SELECT on TABLE a.b.c of user ${grace.name}`,
    warehouse: warehouse?.name,
  })
  expect(found['account']).not.toBe(app.accountId)
  const detail = (await guard.call(audit.detail, { number: entries[0]?.number ?? 0 })).data
  expect(detail.entry.changes).toEqual(entries[0]?.changes)
  expect(detail.text).toContain(idOf(grace))
  expect(detail.hash).toBe(hashOf(detail.text))
})
