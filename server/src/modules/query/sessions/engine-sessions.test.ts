import { expect, test } from 'vitest'
import type { Engine } from '../../../engines/engine/engine.ts'
import type { Connection } from './connection.ts'
import { createEngineSessions, type Entering } from './engine-sessions.ts'

const CONNECTION: Connection = {
  id: 1,
  catalog: 'default_catalog',
  database: 'main',
  warehouseId: 'w',
  warehouse: 'w',
  engine: 'home',
  variables: {},
  inTransaction: true,
  hasTemporary: false,
}

/** An engine whose sessions say when they are opened and closed. */
function engineOf(kind: string, log: string[]): Engine {
  return {
    kind,
    attachments: null,
    openSession: async () => {
      log.push(`open ${kind}`)
      return { close: async () => void log.push(`close ${kind}`) }
    },
  } as unknown as Engine
}

function setUp() {
  const log: string[] = []
  const sessions = createEngineSessions((id) => log.push(`closed of ${id}`))
  const engines = { home: engineOf('home', log), other: engineOf('other', log) }
  const enter = (
    kind: keyof typeof engines,
    { part = 'user', ...change }: Partial<Connection> & Partial<Pick<Entering, 'part'>> = {},
  ) =>
    sessions.enter(engines[kind], {
      connection: { ...CONNECTION, ...change },
      user: 'anna',
      part,
      kind: 'select',
    })
  /** What happened since it was last asked. */
  const happened = () => log.splice(0)
  return { sessions, enter, happened }
}

test('statements of the service share the session of the user where that is in the home engine', async () => {
  const { enter, happened } = setUp()
  const { session } = await enter('home')
  expect((await enter('home', { part: 'looks' })).session).toBe(session)
  expect((await enter('home')).session).toBe(session)
  expect(happened()).toEqual(['open home'])
})

test('they have one of their own where the user is in another engine, and neither takes from the other', async () => {
  const { sessions, enter, happened } = setUp()
  const there = { engine: 'other' }
  const { session } = await enter('other', there)
  sessions.lossTold(1, { kind: 'other' })
  // What the connection has is in the other engine: nothing of it is missing here.
  expect(await enter('home', { ...there, part: 'looks' })).toMatchObject({ lost: { inTransaction: false } })
  expect(await enter('other', there)).toMatchObject({ session, lost: { inTransaction: false } })
  expect(happened()).toEqual(['open other', 'open home'])
})

test('the session in an engine that its user leaves is closed at once, with what was not committed in it', async () => {
  const { sessions, enter, happened } = setUp()
  await enter('home')
  sessions.lossTold(1, { kind: 'home' })
  await sessions.leave(1, 'home')
  expect(happened()).toEqual(['open home'])
  await sessions.leave(1, 'other')
  expect(happened()).toEqual(['close home', 'closed of 1'])
  const entered = await enter('other', { engine: 'other' })
  expect(entered).toMatchObject({ lost: { inTransaction: true }, hasLeft: true })
})

test('a session that only the service used is not the one that a user comes back to', async () => {
  const { sessions, enter, happened } = setUp()
  await enter('other', { engine: 'other' })
  await enter('home', { engine: 'other', part: 'looks' })
  await sessions.leave(1, 'home')
  expect(happened()).toEqual(['open other', 'open home', 'close other', 'closed of 1'])
  expect(await enter('home')).toMatchObject({ lost: { inTransaction: true }, hasLeft: true })
  // It may be in another place, and holds nothing that its user could miss.
  expect(happened()).toEqual(['close home', 'open home'])
})

test('a connection that is closed has no session left in any engine', async () => {
  const { sessions, enter, happened } = setUp()
  await enter('other', { engine: 'other' })
  await enter('home', { engine: 'other', part: 'looks' })
  happened()
  await sessions.close(1)
  expect(happened().toSorted()).toEqual(['close home', 'close other', 'closed of 1'])
  await sessions.close(1)
  expect(happened()).toEqual([])
})
