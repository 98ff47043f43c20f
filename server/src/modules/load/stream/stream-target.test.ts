import type { AccessObject } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { AppError } from '../../../kernel/app-error.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { createTargets } from './stream-target.ts'

const TARGET = { catalog: null, database: 'main', table: 'people' }
const actor = { accountId: 'a', userId: 'u' } as Actor

/** Lookups wait until they are answered; how often one was begun is counted. */
function counted() {
  const looks: ((found: AccessObject | null) => void)[] = []
  const required: (string | undefined)[] = []
  const clock = fakeClock()
  const state = { mayInsert: Number.POSITIVE_INFINITY }
  const find = createTargets({
    clock,
    authority: {
      require: async (_actor, { object }) => {
        required.push(object?.name)
        if (required.length > state.mayInsert) throw new AppError('NoPermission', 'You may not.')
      },
    },
    resolve: () => new Promise((resolve) => void looks.push(resolve)),
    warehouses: { list: async () => [{ warehouse_id: 'w', name: 'default_warehouse' }] },
  })
  const people: AccessObject = { type: 'table', catalog: 'default_catalog', database: 'main', name: 'people' }
  return { find: () => find(actor, TARGET, null), looks, required, clock, state, people }
}

test('loads of one moment look for their table once, and the privilege is asked for each', async () => {
  const { find, looks, required, clock, people } = counted()
  const all = Promise.all(Array.from({ length: 200 }, find))
  expect(looks).toHaveLength(1)
  looks[0]?.(people)
  expect(new Set((await all).map(({ table }) => table.name))).toEqual(new Set(['people']))
  expect(required).toHaveLength(200)
  clock.advance(5_000)
  void find()
  expect(looks).toHaveLength(2)
})

test('who waited for a look and may not insert any more is refused', async () => {
  const { find, looks, state, people } = counted()
  state.mayInsert = 1
  const first = find()
  const second = find()
  looks[0]?.(people)
  await first
  await expect(second).rejects.toMatchObject({ code: 'NoPermission' })
})

test('a table that was not found is looked for again by those who waited', async () => {
  const { find, looks, people } = counted()
  const first = find()
  const second = find()
  looks[0]?.(null)
  await expect(first).rejects.toMatchObject({ code: 'NotFound' })
  await expect.poll(() => looks.length).toBe(2)
  looks[1]?.(people)
  expect(await second).toMatchObject({ table: { name: 'people' } })
})
