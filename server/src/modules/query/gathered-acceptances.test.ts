import { expect, test } from 'vitest'
import { GatheredAcceptances } from './gathered-acceptances.ts'
import type { NewStatement } from './statement-row.ts'

const rowOf = (id: string) => ({ query_id: id }) as NewStatement

const refusal = () => Object.assign(new Error('this request is written already'), { code: '23505' })

interface Options {
  readonly refused?: string
  /** Why several together cannot be written. */
  readonly failure?: Error
}

/** Writes wait until they are let go, and are listed in their order. */
function heldWrites({ refused, failure }: Options = {}) {
  const written: string[][] = []
  const held: (() => void)[] = []
  async function write(rows: readonly NewStatement[]): Promise<void> {
    const ids = rows.map((row) => row.query_id)
    written.push(ids)
    await new Promise<void>((resolve) => held.push(resolve))
    if (rows.length > 1 && failure) throw failure
    if (refused && ids.includes(refused)) throw refusal()
  }
  return {
    written,
    letGo: () => held.splice(0).forEach((go) => go()),
    writes: {
      async acceptOne(row: NewStatement) {
        await write([row])
        return [{ identity_version: 1 }]
      },
      async acceptSeveral(rows: readonly NewStatement[]) {
        await write(rows)
        return new Map(rows.map((row) => [row.query_id, 2]))
      },
    },
  }
}

/** The first is being written; the others wait for it. */
async function threeAtOnce(options?: Options) {
  const { written, letGo, writes } = heldWrites(options)
  const gathered = new GatheredAcceptances(writes)
  const accepted = Promise.allSettled(['a', 'b', 'c'].map((id) => gathered.accept(rowOf(id))))
  letGo()
  await expect.poll(() => written.length).toBe(2)
  letGo()
  return { written, letGo, accepted }
}

const accepted = (identityVersion: number) => ({ status: 'fulfilled', value: { identityVersion } })

test('one that comes alone is written at once, those that come meanwhile together', async () => {
  const { written, accepted: all } = await threeAtOnce()
  expect(await all).toEqual([accepted(1), accepted(2), accepted(2)])
  expect(written).toEqual([['a'], ['b', 'c']])
})

test('one that is refused takes no other with it', async () => {
  const { written, letGo, accepted: all } = await threeAtOnce({ refused: 'b' })
  await expect.poll(() => written.length).toBe(4)
  letGo()
  expect(await all).toEqual([accepted(1), { status: 'rejected', reason: refusal() }, accepted(1)])
  expect(written).toEqual([['a'], ['b', 'c'], ['b'], ['c']])
})

test('nothing is written a second time when the answer of the database was lost', async () => {
  const failure = new Error('Connection terminated unexpectedly')
  const { written, accepted: all } = await threeAtOnce({ failure })
  const lost = { status: 'rejected', reason: failure }
  expect(await all).toEqual([accepted(1), lost, lost])
  expect(written).toEqual([['a'], ['b', 'c']])
})
