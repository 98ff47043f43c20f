import { randomUUID } from 'node:crypto'
import { audit, CODES, dashboard, embed, EMBED_MESSAGES, LIMITS, type Sent } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { cameBy, setUpEmbed } from '../../testing/embed-kit.ts'
import { HOURS } from '../../testing/fake-clock.ts'
import { AT_OFFICE, callFrom, ELSEWHERE, letInOffice } from '../../testing/firewall-kit.ts'
import { done } from '../../testing/view-kit.ts'
import { OPERATOR } from '../audit/author.ts'

const UNKNOWN = { code: CODES.LinkUnusable.code, message: EMBED_MESSAGES.unknown, data: null }

test('a wrong key, that of another link, and none open nothing, and the answer is the same', async () => {
  const { app, admin, make, settle, own, runId, link, look } = await setUpEmbed()
  const came = await link(admin, own)
  const other = await make(admin, 'SELECT 2 AS a')
  await settle(admin, other, {})
  const elsewhere = await link(admin, other)
  const wrong: Sent<typeof embed.open>[] = [
    { ...came, key: '' },
    { ...came, key: `${came.key}x` },
    { ...came, key: elsewhere.key },
    { embedId: elsewhere.embedId, key: came.key },
    { embedId: randomUUID(), key: came.key },
  ]
  for (const one of wrong) {
    expect(await look(one)).toEqual(UNKNOWN)
    expect(await app.call(embed.rows, { ...one, runId })).toEqual(UNKNOWN)
  }
  expect((await look(came)).data.name).toBe('Fleet')
})

test('who guesses many keys waits longer and longer, and who has one does not wait for them', async () => {
  const { admin, own, link, look } = await setUpEmbed()
  const came = await link(admin, own)
  const codes: number[] = []
  for (let at = 0; at < 60; at++) codes.push((await look({ ...came, key: `guess ${at}` })).code)
  expect(codes.at(0)).toBe(CODES.LinkUnusable.code)
  expect(codes.at(-1)).toBe(CODES.TooManyAttempts.code)
  expect((await look(came)).code).toBe(CODES.Ok.code)
})

test('an expired link, and one that was revoked, show nothing from that moment on', async () => {
  const { app, admin, own, runId, link, look } = await setUpEmbed()
  const expiresAt = new Date(app.clock.now().getTime() + HOURS).toISOString()
  const brief = await link(admin, own, { expiresAt })
  const lasting = await link(admin, own)
  app.clock.advance(HOURS)
  expect(await look(brief)).toMatchObject({ code: CODES.LinkUnusable.code, message: EMBED_MESSAGES.expired })
  expect((await app.call(embed.rows, { ...lasting, runId })).data.rows).toEqual([['1']])
  expect((await admin.call(embed.revoke, { embedId: lasting.embedId })).code).toBe(CODES.Ok.code)
  expect(await look(lasting)).toEqual(UNKNOWN)
  expect(await app.call(embed.rows, { ...lasting, runId })).toEqual(UNKNOWN)
  expect((await admin.call(embed.revoke, { embedId: lasting.embedId })).code).toBe(CODES.NotFound.code)
})

test('no account allows embedding at first, and one that stops it stops all of its links', async () => {
  const { app, admin, own, runId, link, look, allow } = await setUpEmbed()
  const came = await link(admin, own)
  await allow(false)
  const off = { code: CODES.NoPermission.code, message: EMBED_MESSAGES.off }
  expect(await look(came)).toMatchObject(off)
  expect(await app.call(embed.rows, { ...came, runId })).toMatchObject(off)
  expect(await admin.call(embed.create, { dashboardId: own.dashboardId })).toMatchObject(off)
  const stranger = await app.stranger(['account_admin'])
  expect((await stranger.call(embed.listAll, {})).data).toEqual({ isAllowed: false, embeds: [] })
})

test('only the owner makes and sees links of a dashboard, and only a security administrator revokes those of others', async () => {
  const { app, admin, make, settle, link } = await setUpEmbed()
  const ada = await app.user()
  const own = await make(ada, 'SELECT 1 AS a')
  const { dashboardId } = own
  expect(await ada.call(embed.create, { dashboardId })).toMatchObject({
    code: CODES.BadInput.code,
    message: expect.stringContaining('runs as you'),
  })
  await settle(ada, own, {})
  const { embedId } = await link(ada, own)
  const bob = await app.user()
  expect((await bob.call(embed.create, { dashboardId })).code).toBe(CODES.NoPermission.code)
  expect((await bob.call(embed.list, { dashboardId })).code).toBe(CODES.NoPermission.code)
  for (const other of [bob, await app.stranger(['account_admin'])]) {
    expect((await other.call(embed.revoke, { embedId })).code).toBe(CODES.NotFound.code)
  }
  expect((await (await app.stranger()).call(embed.create, { dashboardId })).code).toBe(CODES.NotFound.code)
  const { embeds } = (await admin.call(embed.listAll, {})).data
  expect(embeds).toMatchObject([{ embedId, dashboard: 'Fleet', owner: ada.name, lastUsedAt: null }])
  expect((await admin.call(embed.revoke, { embedId })).code).toBe(CODES.Ok.code)
  expect((await ada.call(embed.list, { dashboardId })).data.embeds).toEqual([])
})

test('who came by a link is shown the rows of its dashboard, and no statement, error or run of any other', async () => {
  const { app, admin, make, settle, refresh, own, runId, link, look } = await setUpEmbed()
  const came = await link(admin, own)
  const { data } = await look(came)
  expect(data).toMatchObject({ name: 'Fleet', tiles: [{ title: 'Boats' }], results: [{ runId, error: '' }] })
  expect(JSON.stringify(data)).not.toContain('SELECT')
  expect((await app.call(embed.rows, { ...came, runId })).data).toMatchObject({ rows: [['1']], totalRows: 1 })
  const broken = await make(admin, 'SELECT {{word}} AS word, secret FROM boats')
  await settle(admin, broken, {})
  await refresh(admin, broken, { word: ['x'] })
  const other = await link(admin, broken)
  expect((await look(other)).data.results).toMatchObject([{ runId: null, error: EMBED_MESSAGES.tileFailed }])
  expect(await app.call(embed.rows, { ...other, runId })).toMatchObject({ code: CODES.NotFound.code })
})

test('rows for values of filters that somebody else has chosen are not shown', async () => {
  const { app, admin, make, settle, refresh, link } = await setUpEmbed()
  const own = await make(admin, `SELECT {{word}} AS word`)
  await settle(admin, own, {})
  const [result] = await refresh(admin, own, { word: ['secret'] })
  const came = await link(admin, own)
  expect(result?.runId).toEqual(expect.any(String))
  const answer = await app.call(embed.rows, { ...came, runId: result?.runId ?? '' })
  expect(answer.code).toBe(CODES.NotFound.code)
})

test('nothing runs for who looks: a tile without kept rows stays empty', async () => {
  const { app, admin, make, settle, link, look, own } = await setUpEmbed()
  const empty = await make(admin, 'SELECT a FROM boats')
  await settle(admin, empty, {})
  expect((await look(await link(admin, empty))).data.results).toMatchObject([
    { runId: null, refreshedAt: null, isRunning: false },
  ])
  const came = await link(admin, own)
  app.clock.advance(25 * HOURS)
  expect((await look(came)).data.results).toMatchObject([{ runId: null }])
  const runs = await app.store.db.selectFrom('dashboard_runs').select('dashboard_id').execute()
  expect(runs.map(({ dashboard_id }) => dashboard_id)).toEqual([own.dashboardId])
})

test('an owner who may no longer read the table shows nobody its rows, and it says so', async () => {
  const { app, run, make, settle, refresh, link } = await setUpEmbed()
  const ada = await app.user()
  await done(run, `GRANT SELECT ON TABLE boats TO USER ${ada.name}`)
  const own = await make(ada, 'SELECT a FROM default_catalog.main.boats')
  await settle(ada, own, {})
  const [result] = await refresh(ada, own)
  const came = await link(ada, own)
  const rows = () => app.call(embed.rows, { ...came, runId: result?.runId ?? '' })
  expect((await rows()).data.rows).toEqual([['1']])
  await done(run, `REVOKE SELECT ON TABLE boats FROM USER ${ada.name}`)
  expect(await rows()).toMatchObject({ code: CODES.NoPermission.code, message: EMBED_MESSAGES.noAccess })
  await done(run, `DROP USER ${ada.name}`)
  expect(await rows()).toEqual(UNKNOWN)
})

test('a dashboard that runs as its viewers again shows nothing', async () => {
  const { app, admin, settle, own, runId, link, look } = await setUpEmbed()
  const came = await link(admin, own)
  await settle(admin, own, { runsAs: 'viewer' })
  const refused = { code: CODES.NoPermission.code, message: EMBED_MESSAGES.notOwners }
  expect(await look(came)).toMatchObject(refused)
  expect(await app.call(embed.rows, { ...came, runId })).toMatchObject(refused)
})

test('the firewall of the account and its states hold for links too', async () => {
  const { app, admin, own, runId, link } = await setUpEmbed({ BOATHOUSE_TRUST_PROXY: '1' })
  const came = await link(admin, own)
  expect((await letInOffice(app, admin)).message).toBe('')
  const lookFrom = (address: string) => callFrom({ app, token: '', address }, embed.open, came)
  expect(await lookFrom(ELSEWHERE)).toMatchObject({
    code: CODES.IpBlocked.code,
    message: expect.stringContaining(ELSEWHERE),
  })
  const rows = await callFrom({ app, token: '', address: ELSEWHERE }, embed.rows, { ...came, runId })
  expect(rows.code).toBe(CODES.IpBlocked.code)
  expect((await lookFrom(AT_OFFICE)).code).toBe(CODES.Ok.code)
  await app.accountLife.freeze(app.accountId, OPERATOR)
  await app.accountLife.advance()
  expect((await lookFrom(AT_OFFICE)).code).toBe(CODES.AccountFrozen.code)
})

test('what is no origin is not taken as one', async () => {
  const { admin, own } = await setUpEmbed()
  for (const origin of [
    "https://a.example.com; script-src 'unsafe-inline'",
    '*',
    'https://wiki.example.com/page',
  ]) {
    const refused = await admin.call(embed.create, { dashboardId: own.dashboardId, origins: [origin] })
    expect([refused.code, refused.message]).toEqual([
      CODES.BadInput.code,
      expect.stringContaining(EMBED_MESSAGES.origin),
    ])
  }
})

test('of more links than a dashboard may have, at the same moment too, no more are made', async () => {
  const { admin, own } = await setUpEmbed()
  const { dashboardId } = own
  const made = await Promise.all(
    Array.from({ length: LIMITS.embedsPerDashboard + 3 }, () => admin.call(embed.create, { dashboardId })),
  )
  expect(made.filter(({ code }) => code === CODES.Ok.code)).toHaveLength(LIMITS.embedsPerDashboard)
  const past = await admin.call(embed.create, { dashboardId, expiresAt: '2020-01-01T00:00:00Z' })
  expect(past.code).not.toBe(CODES.Ok.code)
})

test('the key is kept as a hash alone, the last use to the minute, and links are in the audit log', async () => {
  const { app, admin, own, look, allow } = await setUpEmbed()
  const { dashboardId } = own
  const origins = ['https://wiki.example.com', 'http://localhost:3000']
  const made = (await admin.call(embed.create, { dashboardId, origins })).data
  const came = cameBy(made.path)
  const row = await app.store.db.selectFrom('dashboard_embeds').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain(came.key)
  await look(came)
  const at = app.clock.now().toISOString()
  expect((await admin.call(embed.list, { dashboardId })).data).toMatchObject({
    isAllowed: true,
    embeds: [{ origins, lastUsedAt: at, isExpired: false }],
  })
  await admin.call(embed.revoke, { embedId: came.embedId })
  await allow(false)
  await allow(false)
  const { entries } = (await admin.call(audit.list, {})).data
  expect(entries.map(({ action }) => action).filter((action) => action.startsWith('embed.'))).toEqual([
    'embed.forbid',
    'embed.revoke',
    'embed.create',
    'embed.allow',
  ])
  expect(JSON.stringify(entries)).not.toContain(came.key)
})

test('links are gone with their dashboard', async () => {
  const { app, admin, own, link, look } = await setUpEmbed()
  const came = await link(admin, own)
  await admin.call(dashboard.delete, { dashboardId: own.dashboardId })
  expect(await look(came)).toEqual(UNKNOWN)
  expect(await app.store.db.selectFrom('dashboard_embeds').select('embed_id').execute()).toEqual([])
})
