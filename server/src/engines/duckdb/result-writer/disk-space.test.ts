import { mkdir } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { resultIdsIn } from '../../../results/files.ts'
import { placesIn } from '../../../results/form.ts'
import { STATE, accountSpace, removeSpace } from '../../conformance/fixture.ts'
import { runKept } from '../../conformance/run-kept.ts'
import { openAccount } from '../account/account.ts'
import { DiskRoom } from '../../../results/disk-space.ts'

test('what was promised counts until it is written', () => {
  const room = new DiskRoom('/', () => 100)
  expect([room.promise(60), room.promise(60), room.promise(40)]).toEqual([true, false, true])
  room.settle(60)
  expect(room.promise(60)).toBe(true)
})

test('the system tells how much room there is', () => {
  const room = new DiskRoom('/')
  expect([room.promise(1), room.promise(Number.MAX_SAFE_INTEGER)]).toEqual([true, false])
  expect(new DiskRoom('/nowhere').promise(1)).toBe(false)
})

test.each(['SELECT 1', `SELECT repeat('x', 300000)`, 'SELECT * FROM range(5000)'])(
  'a select is answered on a full disk, and does not say that its rows are kept: %s',
  async (sql) => {
    const space = await accountSpace()
    await mkdir(space.directory, { recursive: true })
    let free = 0
    const account = await openAccount(space, { inMemory: true, freeBytes: () => free })
    onTestFinished(async () => {
      await account.close()
      await removeSpace(space)
    })
    const session = await account.openSession(STATE, () => undefined)
    onTestFinished(() => session.close())
    const full = await runKept(session, sql)
    expect([full.state, full.kept]).toEqual(['finished', null])
    await account.settled(full.queryId)
    expect(await resultIdsIn(placesIn(space.directory).results)).toEqual([])
    free = 1e9
    expect((await runKept(session, sql)).kept).not.toBeNull()
  },
)
