import { randomUUID } from 'node:crypto'
import { type Call, CODES, RESERVED_NAMES, type Sent, warehouse } from '@boathouse/contract'
import { expect, test, vi } from 'vitest'
import { whileOtherWrites } from '../../testing/locked-out.ts'
import { sharedApp, startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'

const shared = sharedApp()

async function setUp(started?: TestApp) {
  const app = started ?? (await startApp())
  const manager = await app.user(['cluster_admin'])
  const create = (name: string, more: Partial<Sent<typeof warehouse.create>> = {}) =>
    manager.call(warehouse.create, { name, ...more })
  return { app, manager, create }
}

const names = async (user: TestUser) =>
  (await user.call(warehouse.list, {})).data.warehouses.map(({ name }) => name)

const activities = async (user: TestUser, warehouseId: string) =>
  (await user.call(warehouse.activity, { warehouseId })).data.activities.map(
    ({ action, detail, result, actor }) => [action, detail, result, actor],
  )

test('a warehouse is created with what was asked for, and runs [WH-01, WH-02, WH-33]', async () => {
  const { app, manager, create } = await setUp()
  const { code, data } = await create('Oars', {
    description: ' for rowing ',
    size: 'Medium',
    idleMinutes: 30,
  })
  expect(code).toBe(CODES.Ok.code)
  expect(data).toEqual({
    warehouseId: expect.any(String),
    name: 'Oars',
    engine: { id: 'scripted', label: 'Scripted' },
    description: 'for rowing',
    size: 'Medium',
    idleMinutes: 30,
    status: 'Running',
    createdBy: manager.name,
    createdAt: app.clock.now().toISOString(),
    resumedOn: app.clock.now().toISOString(),
  })
  expect(await activities(manager, data.warehouseId)).toEqual([
    ['Create', 'size Medium', 'Success', manager.name],
  ])
})

test('what is left out has a default: X-Small, five idle minutes, auto-resume on [WH-19]', async () => {
  const { manager, create } = await setUp()
  const { warehouseId } = (await create('plain')).data
  expect((await manager.call(warehouse.describe, { warehouseId })).data).toMatchObject({
    description: '',
    size: 'X-Small',
    idleMinutes: 5,
    autoResume: true,
  })
})

test.each([
  ['', 'name: Enter the name'],
  ['1st', 'name: Start with a letter; use letters, digits and underscores only'],
  ['a b', 'name: Start with a letter; use letters, digits and underscores only'],
  ['x'.repeat(33), 'name: The maximum length is 32'],
])('the name %j is refused [WH-14, WH-17]', async (name, message) => {
  const { create } = await setUp(await shared())
  expect(await create(name)).toMatchObject({ code: CODES.BadInput.code, message })
})

test('reserved names are refused, in any letter case [WH-15, WH-16]', async () => {
  const { create } = await setUp(await shared())
  for (const name of RESERVED_NAMES)
    for (const spelling of [name, name.toUpperCase()]) {
      const answer = await create(spelling)
      expect([spelling, answer.code]).toEqual([spelling, CODES.BadInput.code])
      // One of them cannot be a name in any case.
      expect(answer.message).toMatch(/^name: (This name is reserved$|Start with a letter)/)
    }
  expect((await create('DEFAULT_warehouse')).message).toBe('name: This name is reserved')
})

test.each([
  [0, 'idleMinutes: Enter the idle time'],
  [1.5, 'idleMinutes: Enter the idle time'],
  [1_000_000, 'idleMinutes: Enter the correct value'],
])('%d idle minutes are refused [WH-18, WH-19]', async (idleMinutes, message) => {
  const { create } = await setUp(await shared())
  expect(await create('idle', { idleMinutes })).toMatchObject({ code: CODES.BadInput.code, message })
})

test('a name is taken in any letter case, and free again after deletion [WH-17, WH-26]', async () => {
  const { manager, create } = await setUp()
  const { data } = await create('Oars')
  expect(await create('oARS')).toMatchObject({
    code: CODES.NameTaken.code,
    message: 'A warehouse named oARS already exists. Choose another name.',
  })
  expect((await manager.call(warehouse.delete, { warehouseId: data.warehouseId })).code).toBe(CODES.Ok.code)
  expect((await create('oARS')).code).toBe(CODES.Ok.code)
})

test('an account has ten warehouses at most, also when two are created at the same moment [WH-31, WH-32]', async () => {
  const { app, manager, create } = await setUp()
  for (let count = 1; count < 9; count++) await create(`w${count}`)
  const account = `account_id = '${app.accountId}'`
  const tenth = [
    `select 1 from accounts where ${account} for no key update`,
    `insert into warehouses (warehouse_id, account_id, name, size, auto_resume, status, created_by, created_at)
     values (gen_random_uuid(), '${app.accountId}', 'tenth', 'Small', true, 'Suspended', 'me', now())`,
  ]
  expect(await whileOtherWrites(app.store.pool, tenth, () => create('eleventh'))).toMatchObject({
    code: CODES.LimitReached.code,
    message: expect.stringContaining('at most 10 warehouses'),
  })
  expect(await names(manager)).toHaveLength(10)
})

test('one that does not start is there as Failed, with the reason in its activity, and can be resumed [WH-34]', async () => {
  const { app, manager, create } = await setUp()
  app.engines.failNextOpen('There is no room on the disk.')
  const { data } = await create('unlucky')
  expect(data).toMatchObject({ status: 'Failed', resumedOn: null })
  const { warehouseId } = data
  app.engines.failNextOpen('There is still no room.')
  expect(await manager.call(warehouse.resume, { warehouseId })).toMatchObject({
    code: CODES.Unavailable.code,
    message: 'The warehouse unlucky did not start. There is still no room.',
  })
  expect(await manager.call(warehouse.suspend, { warehouseId })).toMatchObject({
    code: CODES.Conflict.code,
    message: 'The warehouse unlucky cannot be suspended now: it is Failed.',
  })
  expect((await manager.call(warehouse.resume, { warehouseId })).data).toMatchObject({ status: 'Running' })
  expect(await activities(manager, warehouseId)).toEqual([
    ['Resume', '', 'Success', manager.name],
    ['Resume', 'There is still no room.', 'Failed', manager.name],
    ['Create', 'There is no room on the disk.', 'Failed', manager.name],
  ])
})

test('everyone sees the default warehouse; the others are visible only to users who may use them', async () => {
  const { app, manager, create } = await setUp()
  const { warehouseId } = (await create('oars')).data
  const plain = await app.user(['db_admin'])
  expect(await names(manager)).toEqual(['default_warehouse', 'oars'])
  expect(await names(await app.user(['account_admin']))).toEqual(['default_warehouse', 'oars'])
  expect(await names(plain)).toEqual(['default_warehouse'])
  expect((await plain.call(warehouse.describe, { warehouseId })).code).toBe(CODES.NotFound.code)
})

test('the details name price, slots and what the machine gives [WH-03]', async () => {
  const { app, manager, create } = await setUp()
  const { warehouseId } = (await create('oars', { size: 'Small' })).data
  expect((await manager.call(warehouse.describe, { warehouseId })).data).toMatchObject({
    name: 'oars',
    type: 2,
    offer: {
      size: 'Small',
      pricePerHour: { ccu: '2', usd: '3.16' },
      slots: 4,
      ...app.compute.capacityOf('Small'),
      isRecommended: false,
    },
    running: 0,
    queued: 0,
    actions: ['suspend', 'resize', 'edit', 'delete'],
  })
})

test('the sizes double in price, and Medium is recommended [WH-20, WH-22]', async () => {
  const { app } = await setUp()
  const { sizes } = (await (await app.user()).call(warehouse.sizes, {})).data
  expect(
    sizes.map(({ size, pricePerHour, slots }) => [size, pricePerHour.ccu, pricePerHour.usd, slots]),
  ).toEqual([
    ['X-Small', '1', '1.58', 2],
    ['Small', '2', '3.16', 4],
    ['Medium', '4', '6.32', 8],
    ['Large', '8', '12.64', 16],
    ['X-Large', '16', '25.28', 32],
    ['2X-Large', '32', '50.56', 64],
  ])
  expect(sizes.filter(({ isRecommended }) => isRecommended).map(({ size }) => size)).toEqual(['Medium'])
  const lake = (await (await app.stranger()).call(warehouse.sizes, {})).data.sizes
  expect(lake[0]?.pricePerHour).toEqual({ ccu: '1', usd: '0.68' })
})

test('a warehouse gets a new name and description', async () => {
  const { manager, create } = await setUp()
  const { warehouseId } = (await create('oars')).data
  const edit = { name: 'Blades', description: 'new', idleMinutes: null, autoResume: false }
  expect((await manager.call(warehouse.update, { warehouseId, ...edit })).data).toMatchObject({
    name: 'Blades',
    description: 'new',
    idleMinutes: null,
    status: 'Running',
  })
  expect((await manager.call(warehouse.describe, { warehouseId })).data.autoResume).toBe(false)
  expect((await activities(manager, warehouseId))[0]).toEqual([
    'Edit',
    'renamed from oars to Blades, description changed, auto-suspend off, auto-resume off',
    'Success',
    manager.name,
  ])
  await create('other')
  expect(await manager.call(warehouse.update, { warehouseId, name: 'OTHER' })).toMatchObject({
    code: CODES.NameTaken.code,
  })
})

test('another size is taken on while it runs and while it does not [WH-01]', async () => {
  const { app, manager, create } = await setUp()
  const { warehouseId } = (await create('oars')).data
  const sizeTo = (size: 'Small' | 'Large') => manager.call(warehouse.update, { warehouseId, size })
  expect((await sizeTo('Small')).data).toMatchObject({ size: 'Small', status: 'Running' })
  expect(app.compute.running()).toMatchObject([{ id: warehouseId, size: 'Small' }])
  await manager.call(warehouse.suspend, { warehouseId })
  expect((await sizeTo('Large')).data).toMatchObject({ size: 'Large', status: 'Suspended' })
  expect((await activities(manager, warehouseId)).map(([action, detail]) => [action, detail])).toEqual([
    ['Resize', 'from Small to Large'],
    ['Suspend', ''],
    ['Resize', 'from X-Small to Small'],
    ['Create', 'size X-Small'],
  ])
})

test('while it is resized, its current and its new size are both shown', async () => {
  const { app, manager, create } = await setUp()
  const { warehouseId } = (await create('oars')).data
  const { resize } = app.compute
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  vi.spyOn(app.compute, 'resize').mockImplementationOnce(async (id, change) => {
    await held
    await resize(id, change)
  })
  const resized = manager.call(warehouse.update, { warehouseId, size: 'Large' })
  const described = async () => (await manager.call(warehouse.describe, { warehouseId })).data
  await expect.poll(described).toMatchObject({ status: 'Expanding', size: 'X-Small', scalingTo: 'Large' })
  letGo()
  await resized
  expect(await described()).toMatchObject({ status: 'Running', size: 'Large', scalingTo: null })
})

/** What two windows can ask for at the same moment. */
const AT_ONCE = ['suspend', 'resume', 'resize', 'delete', 'suspend', 'resume'] as const

test.each([0, 1, 2, 3])(
  'deleted, resized, suspended and resumed at the same moment, it ends as one of them left it: order %i',
  async (turn) => {
    const { app, manager, create } = await setUp()
    const { warehouseId } = (await create('oars')).data
    const ask = {
      suspend: () => manager.call(warehouse.suspend, { warehouseId }),
      resume: () => manager.call(warehouse.resume, { warehouseId }),
      resize: () => manager.call(warehouse.update, { warehouseId, size: 'Small' }),
      delete: () => manager.call(warehouse.delete, { warehouseId }),
    }
    const order = [...AT_ONCE.slice(turn), ...AT_ONCE.slice(0, turn)]
    const answers = await Promise.all(order.map((what) => ask[what]()))
    const clear = [CODES.Ok.code, CODES.NotFound.code, CODES.Conflict.code] as number[]
    for (const { code, message } of answers) expect([clear.includes(code), message]).toEqual([true, message])
    expect(answers[order.indexOf('delete')]?.code).toBe(CODES.Ok.code)
    expect(app.compute.running()).toEqual([])
    expect((await manager.call(warehouse.describe, { warehouseId })).code).toBe(CODES.NotFound.code)
    expect((await activities(manager, warehouseId))[0]?.[0]).toBe('Delete')
    const { rows } = await app.store.pool.query(
      'select count(*)::int as open from warehouse_runs where ended_at is null',
    )
    expect(rows).toEqual([{ open: 0 }])
  },
)

test('when the engine refuses a size, the warehouse keeps the old one and keeps running', async () => {
  const { app, manager, create } = await setUp()
  const { warehouseId } = (await create('oars')).data
  vi.spyOn(app.compute, 'resize').mockRejectedValueOnce(new Error('There is not enough memory.'))
  expect(await manager.call(warehouse.update, { warehouseId, size: 'Large' })).toMatchObject({
    code: CODES.Unavailable.code,
    message: 'The warehouse oars was not resized. There is not enough memory.',
  })
  expect((await manager.call(warehouse.describe, { warehouseId })).data).toMatchObject({
    size: 'X-Small',
    status: 'Running',
  })
  expect(app.compute.running()).toMatchObject([{ size: 'X-Small' }])
})

test('a warehouse is suspended and resumed; asking twice changes nothing [WH-24, WH-25, WH-44]', async () => {
  const { app, manager, create } = await setUp()
  const { warehouseId } = (await create('oars')).data
  expect((await manager.call(warehouse.suspend, { warehouseId })).data).toMatchObject({
    status: 'Suspended',
    waitedAtMostMs: 5000,
  })
  expect((await manager.call(warehouse.suspend, { warehouseId })).data.status).toBe('Suspended')
  expect(app.compute.running()).toEqual([])
  app.clock.advance(1000)
  const resumed = await Promise.all([1, 2, 3].map(() => manager.call(warehouse.resume, { warehouseId })))
  expect(resumed.map(({ data }) => [data.status, data.resumedOn])).toEqual(
    Array.from({ length: 3 }, () => ['Running', app.clock.now().toISOString()]),
  )
  expect((await activities(manager, warehouseId)).map(([action]) => action)).toEqual([
    'Resume',
    'Suspend',
    'Create',
  ])
})

test('the default warehouse can be suspended, and neither deleted nor renamed', async () => {
  const { app, manager } = await setUp()
  const { warehouseId = '' } = (await manager.call(warehouse.list, {})).data.warehouses[0] ?? {}
  expect(await manager.call(warehouse.delete, { warehouseId })).toMatchObject({
    code: CODES.Conflict.code,
    message: expect.stringContaining('default_warehouse cannot be deleted'),
  })
  expect(await manager.call(warehouse.update, { warehouseId, name: 'mine' })).toMatchObject({
    code: CODES.Conflict.code,
  })
  expect((await manager.call(warehouse.resume, { warehouseId })).data.status).toBe('Running')
  expect((await manager.call(warehouse.suspend, { warehouseId })).data.status).toBe('Suspended')
  expect(app.compute.running()).toEqual([])
})

test('a deleted warehouse stops running and leaves its history [WH-26]', async () => {
  const { app, manager, create } = await setUp()
  const { warehouseId } = (await create('oars')).data
  expect((await manager.call(warehouse.delete, { warehouseId })).code).toBe(CODES.Ok.code)
  expect(app.compute.running()).toEqual([])
  expect((await manager.call(warehouse.describe, { warehouseId })).code).toBe(CODES.NotFound.code)
  expect(await activities(manager, warehouseId)).toEqual([
    ['Delete', '', 'Success', manager.name],
    ['Create', 'size X-Small', 'Success', manager.name],
  ])
})

test('activity is read page by page, newest first', async () => {
  const { app, manager, create } = await setUp()
  const { warehouseId } = (await create('oars')).data
  for (const description of ['a', 'b', 'c', 'd']) {
    app.clock.advance(1000)
    await manager.call(warehouse.update, { warehouseId, description })
  }
  const page = (cursor: number | null) => manager.call(warehouse.activity, { warehouseId, cursor, limit: 2 })
  const first = (await page(null)).data
  const second = (await page(first.nextCursor)).data
  const third = (await page(second.nextCursor)).data
  expect([first, second, third].map(({ activities: rows }) => rows.map(({ action }) => action))).toEqual([
    ['Edit', 'Edit'],
    ['Edit', 'Edit'],
    ['Create'],
  ])
  expect(third.nextCursor).toBeNull()
  expect((await page(1)).data).toEqual({ activities: [], nextCursor: null })
  expect(first.activities[0]).toMatchObject({ warehouseName: 'oars', at: app.clock.now().toISOString() })
})

/** Every call about one warehouse, with input that would do. */
const CALLS: [string, Call, (warehouseId: string) => object][] = [
  ['describe', warehouse.describe, (warehouseId) => ({ warehouseId })],
  ['update', warehouse.update, (warehouseId) => ({ warehouseId, description: 'mine' })],
  ['suspend', warehouse.suspend, (warehouseId) => ({ warehouseId })],
  ['resume', warehouse.resume, (warehouseId) => ({ warehouseId })],
  ['delete', warehouse.delete, (warehouseId) => ({ warehouseId })],
  ['activity', warehouse.activity, (warehouseId) => ({ warehouseId })],
  ['usage', warehouse.usage, (warehouseId) => ({ warehouseId })],
]

test('the warehouse of another account, or one that never was, is not found by any call', async () => {
  const { app, manager, create } = await setUp()
  const { warehouseId } = (await create('oars')).data
  const stranger = await app.stranger(['cluster_admin', 'account_admin'])
  for (const [name, call, input] of CALLS) {
    expect([name, (await stranger.call(call, input(warehouseId))).code]).toEqual([name, CODES.NotFound.code])
    expect([name, (await manager.call(call, input(randomUUID()))).code]).toEqual([name, CODES.NotFound.code])
  }
  expect((await manager.call(warehouse.describe, { warehouseId })).data.status).toBe('Running')
  expect((await stranger.call(warehouse.list, {})).data.warehouses).toEqual([])
})

test('users without cluster_admin change nothing and see no figures', async () => {
  const { app, manager, create } = await setUp()
  const { warehouseId } = (await create('oars')).data
  const other = await app.user(['security_admin', 'db_admin', 'user_admin'])
  expect(await other.call(warehouse.create, { name: 'mine' })).toMatchObject({
    code: CODES.NoPermission.code,
    message: expect.stringContaining('CREATE WAREHOUSE on SYSTEM'),
  })
  const { warehouses } = (await other.call(warehouse.list, {})).data
  const { warehouseId: everyones = '' } = warehouses.find(({ name }) => name === 'default_warehouse') ?? {}
  for (const [name, call, input] of CALLS.slice(1)) {
    expect([name, (await other.call(call, input(everyones))).code]).toEqual([name, CODES.NoPermission.code])
    // NotFound, because users must not learn that a warehouse exists which they may not use.
    expect([name, (await other.call(call, input(warehouseId))).code]).toEqual([name, CODES.NotFound.code])
  }
  for (const [name, call, input] of CALLS)
    expect([name, (await app.call(call, input(warehouseId))).code]).toEqual([name, CODES.LoginRequired.code])
  expect((await activities(manager, warehouseId)).map(([action]) => action)).toEqual(['Create'])
})

test('input that is no id, no size or no page is refused by every call', async () => {
  const { manager, create } = await setUp()
  const { warehouseId } = (await create('oars')).data
  for (const [name, call, input] of CALLS)
    expect([name, (await manager.call(call, { ...input(''), warehouseId: 'oars' })).code]).toEqual([
      name,
      CODES.BadInput.code,
    ])
  const bad: [Call, object][] = [
    [warehouse.create, { name: 'x', size: 'Huge' }],
    [warehouse.create, { name: 'x', description: 'x'.repeat(257) }],
    [warehouse.update, { warehouseId, description: 'x'.repeat(257) }],
    [warehouse.update, { warehouseId, name: 'x'.repeat(33) }],
    [warehouse.update, { warehouseId, size: 'small' }],
    [warehouse.update, { warehouseId, name: 'default' }],
    [warehouse.activity, { warehouseId, limit: 0 }],
    [warehouse.activity, { warehouseId, cursor: -1 }],
  ]
  for (const [call, input] of bad) expect((await manager.call(call, input)).code).toBe(CODES.BadInput.code)
  const longest = { name: 'x'.repeat(32), description: 'y'.repeat(256) }
  expect((await manager.call(warehouse.update, { warehouseId, ...longest })).data).toMatchObject(longest)
})
