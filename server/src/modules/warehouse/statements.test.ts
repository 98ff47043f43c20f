import { readStatement } from '@boathouse/sql'
import { expect, test } from 'vitest'
import { actorWith } from '../../testing/actor.ts'
import { startApp } from '../../testing/start-app.ts'
import { endingOfError } from '../query/running/ending.ts'
import type { SessionTools } from '../query/sessions/session-tools.ts'
import { warehouseStatements } from './statements.ts'

async function setUp() {
  const app = await startApp()
  const statements = warehouseStatements(app.warehouses)
  const manager = actorWith(app.accountId, ['cluster_admin'], 'manager')
  async function run(sql: string, actor = manager) {
    const statement = readStatement(sql)
    const answer = statements[statement.kind]
    if (!answer) throw new Error(`${statement.kind} is not answered here.`)
    // These statements look at nothing of the session but who asks.
    return (await answer(statement, { actor } as SessionTools)).result
  }
  return { app, run, manager }
}

const column = (
  { columns, rows }: Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>['run']>>,
  name: string,
) => rows.map((row) => row[columns.findIndex((one) => one.name === name)])

test('a warehouse is made, changed and dropped by statements [WH-01]', async () => {
  const { app, run } = await setUp()
  await run(`CREATE WAREHOUSE oars COMMENT 'for rowing' PROPERTIES ("size" = 'small', "auto_suspend" = '0')`)
  const [row] = (await run(`SHOW WAREHOUSES LIKE 'oa%'`)).rows
  expect(row).toEqual([
    expect.any(String),
    'oars',
    'Running',
    'Small',
    '0',
    '0',
    '2026-03-01 09:00:00',
    '2026-03-01 09:00:00',
    '{"auto_suspend":0,"auto_resume":true}',
    'for rowing',
    'Scripted',
  ])
  await run('SUSPEND WAREHOUSE OARS')
  expect(column(await run('SHOW WAREHOUSES'), 'State')).toEqual(['Suspended', 'Suspended'])
  await run('RESUME WAREHOUSE oars')
  await run(`ALTER WAREHOUSE oars SET (size = XLARGE, auto_suspend = 10, auto_resume = off)`)
  await run(`ALTER WAREHOUSE oars COMMENT ''`)
  await run('ALTER WAREHOUSE oars RENAME TO Blades')
  expect((await run(`SHOW WAREHOUSES LIKE 'blades'`)).rows[0]).toMatchObject({
    1: 'Blades',
    2: 'Running',
    3: 'X-Large',
    8: '{"auto_suspend":10,"auto_resume":false}',
    9: '',
  })
  await run('DROP WAREHOUSE blades')
  expect(column(await run('SHOW WAREHOUSES'), 'Name')).toEqual(['default_warehouse'])
  expect(app.compute.running()).toEqual([])
})

test('a warehouse is described by a statement as it is by its call', async () => {
  const { app, run, manager } = await setUp()
  await run(`CREATE WAREHOUSE oars COMMENT 'for rowing' WITH (size = Medium, auto_suspend = 10)`)
  const { columns, rows } = await run('DESC WAREHOUSE OARS')
  expect(columns.map(({ name }) => name)).toEqual(['Field', 'Value'])
  const row = await app.warehouses.findByName(manager, 'oars')
  const { offer } = await app.warehouses.describe(manager, row?.warehouse_id ?? '')
  expect(Object.fromEntries(rows)).toEqual({
    Id: row?.warehouse_id,
    Name: 'oars',
    State: 'Running',
    Size: 'Medium',
    RunningSql: '0',
    QueuedSql: '0',
    CreatedBy: 'manager',
    CreatedOn: '2026-03-01 09:00:00',
    ResumedOn: '2026-03-01 09:00:00',
    auto_suspend: '10',
    auto_resume: 'true',
    Slots: '8',
    Threads: String(offer.threads),
    MemoryBytes: String(offer.memoryBytes),
    CcuPerHour: offer.pricePerHour.ccu,
    UsdPerHour: offer.pricePerHour.usd,
    Engine: 'Scripted',
    Comment: 'for rowing',
  })
  expect((await run('DESCRIBE WAREHOUSE IF EXISTS nowhere')).rows).toEqual([])
  const rower = actorWith(app.accountId, ['db_admin'])
  await expect(run('DESCRIBE WAREHOUSE oars', rower)).rejects.toMatchObject({ code: 'NotFound' })
})

test('IF EXISTS and IF NOT EXISTS make nothing of what is not to be done', async () => {
  const { run } = await setUp()
  await run('CREATE WAREHOUSE oars')
  await run('CREATE WAREHOUSE IF NOT EXISTS OARS WITH (size = Large)')
  expect(column(await run(`SHOW WAREHOUSES LIKE 'oars'`), 'Size')).toEqual(['X-Small'])
  for (const sql of [
    'DROP WAREHOUSE IF EXISTS nowhere',
    'SUSPEND WAREHOUSE IF EXISTS nowhere',
    'RESUME WAREHOUSE IF EXISTS nowhere',
    'ALTER WAREHOUSE IF EXISTS nowhere RENAME TO somewhere',
  ])
    expect((await run(sql)).rows).toEqual([])
})

test.each([
  ['CREATE WAREHOUSE default', 'QueryFailed', 'This name is reserved'],
  ['CREATE WAREHOUSE "1st"', 'QueryFailed', 'Start with a letter'],
  ['CREATE WAREHOUSE w WITH (size = Huge)', 'QueryFailed', 'size takes one of X-Small, Small'],
  [
    'CREATE WAREHOUSE w WITH (auto_suspend = -5)',
    'QueryFailed',
    'auto_suspend takes a whole number of minutes',
  ],
  ['CREATE WAREHOUSE w WITH (auto_suspend = 9999999)', 'QueryFailed', 'Enter the correct value'],
  ['CREATE WAREHOUSE w WITH (auto_resume = maybe)', 'QueryFailed', 'auto_resume takes true or false'],
  ['CREATE WAREHOUSE w WITH (constructor = 1)', 'QueryFailed', 'The option constructor does not exist'],
  ['CREATE OR REPLACE WAREHOUSE w', 'QueryFailed', 'This form of the statement is not supported.'],
  ['DESCRIBE WAREHOUSE', 'QueryFailed', 'This form of the statement is not supported.'],
  ['DESCRIBE WAREHOUSE nowhere', 'NotFound', 'The warehouse nowhere does not exist'],
  ['SHOW WAREHOUSES oars', 'QueryFailed', 'This form of the statement is not supported.'],
  ['ALTER WAREHOUSE nowhere SET (size = Small)', 'NotFound', 'The warehouse nowhere does not exist'],
  ['DROP WAREHOUSE nowhere', 'NotFound', 'The warehouse nowhere does not exist'],
  ['DROP WAREHOUSE default_warehouse', 'Conflict', 'default_warehouse cannot be deleted'],
  ['ALTER WAREHOUSE default_warehouse RENAME TO mine', 'Conflict', 'cannot be renamed'],
])('%s is refused', async (sql, code, message) => {
  const { run } = await setUp()
  const ending = await run(sql).then(() => null, endingOfError)
  expect(ending).toMatchObject({ error: { code, message: expect.stringContaining(message) } })
})

test('a statement needs the same privilege as its call, and shows what its user may use', async () => {
  const { app, run } = await setUp()
  await run('CREATE WAREHOUSE oars')
  const rower = actorWith(app.accountId, ['db_admin'])
  for (const sql of [
    'CREATE WAREHOUSE mine',
    'ALTER WAREHOUSE default_warehouse SET (size = Small)',
    'DROP WAREHOUSE default_warehouse',
    'SUSPEND WAREHOUSE default_warehouse',
    'RESUME WAREHOUSE default_warehouse',
  ])
    await expect(run(sql, rower)).rejects.toMatchObject({
      code: 'NoPermission',
      message: expect.stringContaining('requires the privilege'),
    })
  // A user who may not use a warehouse does not learn that it exists.
  await expect(run('DROP WAREHOUSE oars', rower)).rejects.toMatchObject({ code: 'NotFound' })
  expect(column(await run('SHOW WAREHOUSES', rower), 'Name')).toEqual(['default_warehouse'])
})

test.each([
  `CREATE WAREHOUSE oars SIZE 'Medium'`,
  `CREATE WAREHOUSE oars WITH SIZE = 'medium'`,
  `CREATE WAREHOUSE oars (size 'Medium')`,
  `CREATE WAREHOUSE oars WITH PROPERTIES ("size" = 'Medium')`,
])('common forms do the same: %s', async (sql) => {
  const { run } = await setUp()
  await run(sql)
  expect(column(await run(`SHOW WAREHOUSES LIKE 'oars'`), 'Size')).toEqual(['Medium'])
  await run(`ALTER WAREHOUSE oars SET size='Large', auto_suspend = 7`)
  const changed = await run(`SHOW WAREHOUSES LIKE 'oars'`)
  expect(column(changed, 'Size')).toEqual(['Large'])
  expect(column(changed, 'Property')).toEqual(['{"auto_suspend":7,"auto_resume":true}'])
})

test('an error names the place of an unknown option, and for an unknown form one that is valid', async () => {
  const { run } = await setUp()
  await expect(run(`CREATE WAREHOUSE oars SIZE 'Small' ROWERS 8`)).rejects.toMatchObject({
    ending: {
      error: {
        offset: 35,
        message: expect.stringMatching(/^The option rowers does not exist\. .*SIZE = 'Medium'/),
      },
    },
  })
  await expect(run(`ALTER WAREHOUSE oars SET size = 'Huge'`)).rejects.toMatchObject({
    ending: { error: { offset: 25, message: expect.stringContaining('The option size takes one of') } },
  })
  await expect(run('CREATE WAREHOUSE a.b')).rejects.toThrow('Write CREATE WAREHOUSE [IF NOT EXISTS] name')
})

test('a warehouse has the engine that it was created with, and an unknown one is refused', async () => {
  const { app, run, manager } = await setUp()
  await run("CREATE WAREHOUSE oars ENGINE = 'Scripted'")
  expect(column(await run(`SHOW WAREHOUSES LIKE 'oars'`), 'Engine')).toEqual(['Scripted'])
  expect(await app.warehouses.findByName(manager, 'oars')).toMatchObject({ engine: 'scripted' })
  const unknown = await run("CREATE WAREHOUSE other ENGINE = 'steam'").then(() => null, endingOfError)
  expect(unknown).toMatchObject({
    error: { message: 'The engine steam does not exist here. A warehouse has one of: scripted.' },
  })
  expect(await app.warehouses.findByName(manager, 'other')).toBeUndefined()
  await expect(run("ALTER WAREHOUSE oars SET engine = 'scripted'")).rejects.toMatchObject({
    ending: { error: { message: expect.stringContaining('You cannot change the engine of a warehouse.') } },
  })
})
