import { expect, test } from 'vitest'
import type { FinishedOutcome } from '../engine/outcome.ts'
import { cells, openSession, rowsOf, rowsUpTo, sharedEngine } from './fixture.ts'
import type { Suite } from './suite.ts'

export function resultTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)

  test('hands over columns with name, type and family, and rows as text', async () => {
    const { sql, columns, row } = words.example
    const result = await rowsOf(await openSession(shared.engine()), sql)
    expect(result).toEqual({ columns, rows: [row], truncated: false, rowsChanged: null })
  })

  test('keeps the columns of an empty result', async () => {
    const result = await rowsOf(await openSession(shared.engine()), words.numbers(0))
    expect(result.columns.map(({ name, family }) => [name, family])).toEqual([['i', 'number']])
    expect([result.rows, result.truncated]).toEqual([[], false])
  })

  test.each([
    [11, 10, true],
    [10, 10, false],
    [10, 0, true],
    [10_000, 5000, true],
  ])('of %d rows with a cap of %d it says that there were more: %s', async (count, cap, truncated) => {
    const session = await openSession(shared.engine())
    const result = await rowsOf(session, words.numbers(count), cap)
    expect(result.rows).toEqual(Array.from({ length: cap }, (_, i) => [String(i)]))
    expect(result.truncated).toBe(truncated)
  })

  test('does not read to the end to show the beginning', async () => {
    const session = await openSession(shared.engine())
    const result = await rowsOf(session, words.numbers(1_000_000_000_000_000), 3)
    expect(result).toMatchObject({ rows: [['0'], ['1'], ['2']], truncated: true })
  })

  test('keeps the order asked for under the cap', async () => {
    const session = await openSession(shared.engine())
    const { rows } = await rowsOf(session, words.numbers(10_000, 'descending'), 3)
    expect(rows).toEqual([['9999'], ['9998'], ['9997']])
  })

  test('counts the rows that a statement wrote, and none where it defines or reads', async () => {
    const session = await openSession(shared.engine())
    const changed = async (sql: string) => (await rowsOf(session, sql)).rowsChanged
    expect(await changed(words.createNumbered('counted', 7))).toBe(7)
    expect(await changed(words.insert('counted', 100, 100))).toBe(2)
    expect(await changed(words.insertNumbers('counted', 5))).toBe(5)
    expect(await changed(words.deleteValue('counted', 100))).toBe(2)
    expect(await changed(words.deleteValue('counted', 100))).toBe(0)
    expect(await changed(words.select('counted'))).toBeNull()
    expect(await changed(words.createTable('defined'))).toBeNull()
    expect(await cells(session, words.count('counted'))).toEqual([['12']])
  })

  test('reports how much it handed over, as the whole of it', async () => {
    const session = await openSession(shared.engine())
    const outcomeOf = (sql: string) =>
      session.execute(sql, { ...rowsUpTo(10), longestCell: 10 }).outcome as Promise<FinishedOutcome>
    expect((await outcomeOf(words.longText('é', 1000))).bytes).toBe(2000)
    expect((await outcomeOf(words.numbers(3))).bytes).toBe(3)
    expect((await outcomeOf(words.createTable('no_rows'))).bytes).toBe(0)
  })

  test('cuts cells that are longer than asked for, and tells their true length', async () => {
    const session = await openSession(shared.engine())
    const outcomeOf = (longestCell?: number) =>
      session.execute(words.longText('x', 5000), { ...rowsUpTo(10), longestCell })
        .outcome as Promise<FinishedOutcome>
    expect((await outcomeOf(4096)).result).toMatchObject({
      rows: [['x'.repeat(4096)]],
      longCells: [{ row: 0, column: 0, length: 5000 }],
    })
    const whole = (await outcomeOf()).result
    expect([whole.rows, whole.longCells]).toEqual([[['x'.repeat(5000)]], undefined])
  })
}
