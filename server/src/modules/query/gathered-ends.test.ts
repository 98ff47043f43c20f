import { expect, test, vi } from 'vitest'
import { startApp } from '../../testing/start-app.ts'
import { GatheredEnds } from './gathered-ends.ts'
import { createQueryStore } from './store.ts'
import type { EndedRow } from './statement-writes-store.ts'

const endOf = (id: string) => ({ query_id: id }) as EndedRow

test('ends of one moment are written together, and at once when somebody wants to read them', async () => {
  const write = vi.fn<(ends: readonly EndedRow[]) => Promise<void>>().mockResolvedValue()
  const gathered = new GatheredEnds(write)
  const written = Promise.all(['a', 'b', 'c'].map((id) => gathered.add(endOf(id))))
  expect(write).not.toHaveBeenCalled()
  gathered.flush()
  expect(write.mock.calls).toEqual([[['a', 'b', 'c'].map(endOf)]])
  await written
})

test('an end that could not be written rejects for the caller that waits for it', async () => {
  const gathered = new GatheredEnds(async () => {
    throw new Error('no room')
  })
  await expect(gathered.add(endOf('a'))).rejects.toThrow('no room')
})

test('ends that are written together are the same as those written alone', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  const ids: string[] = []
  for (let times = 0; times < 6; times++) ids.push((await channel.run('SELECT 1'))[0]?.queryId ?? '')
  await app.endsWritten()
  const { db } = app.store
  const written = () =>
    db.selectFrom('statements').selectAll().where('query_id', 'in', ids).orderBy('query_id').execute()
  const alone = await written()
  await db.updateTable('statements').set({ state: 'running', ended_at: null, row_count: null }).execute()
  await createQueryStore(db).endAll(alone)
  expect(await written()).toEqual(alone)
  expect(alone.every(({ state }) => state === 'finished')).toBe(true)
})
