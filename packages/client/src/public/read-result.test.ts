import type { QueryRsp } from '@boathouse/contract/realtime'
import { expect, test } from 'vitest'
import type { Api } from './api.ts'
import { IncompleteError } from './errors.ts'
import { createResult } from './read-result.ts'
import type { Row } from './result.ts'

const FIELDS = [{ name: 'n', type: 'BIGINT', family: 'number' as const }]

/** A server that keeps so many rows, each its own number, and counts how often it is asked. */
function keeping(kept: number) {
  const asked: number[] = []
  const resultWindow = async ({ offset, limit }: { offset: number; limit: number }) => {
    asked.push(offset)
    const rows = Array.from({ length: Math.max(0, Math.min(limit, kept - offset)) }, (_, at) => [
      String(offset + at),
    ])
    return { fields: FIELDS, rows, longCells: [], totalRows: kept, complete: true, expiresAt: '' }
  }
  return { api: { query: { resultWindow } } as unknown as Api, asked }
}

const answerOf = (over: Partial<QueryRsp>): QueryRsp =>
  ({
    queryId: 'q',
    fields: FIELDS,
    result: [],
    longCells: [],
    totalRows: 0,
    truncated: false,
    resultKept: true,
    timeUsed: 1,
    notice: '',
    ...over,
  }) as QueryRsp

const rowsTo = (end: number): Row[] => Array.from({ length: end }, (_, at) => [String(at)])

async function read(rows: AsyncIterable<Row>): Promise<number> {
  let count = 0
  for await (const [n] of rows) expect(n).toBe(String(count++))
  return count
}

test('rows that are not kept end the iteration with an error, behind all those that are', async () => {
  const { api } = keeping(2500)
  const answer = answerOf({ result: rowsTo(1000), totalRows: 1000, truncated: true, firstRows: 2500 })
  const result = await createResult({ answer, api, isLimited: false, options: {} })
  const seen: Row[] = []
  const all = (async () => {
    for await (const row of result) seen.push(row)
  })()
  await expect(all).rejects.toBeInstanceOf(IncompleteError)
  expect(seen).toHaveLength(2500)
  const limited = await createResult({ answer, api, isLimited: true, options: {} })
  expect([await read(limited), limited.isComplete]).toEqual([2500, false])
})

test('a result that is too large to keep shows its first rows, and says that there are more', async () => {
  const { api, asked } = keeping(0)
  const answer = answerOf({
    result: rowsTo(1000),
    totalRows: 1000,
    truncated: true,
    firstRows: 1000,
    resultKept: false,
  })
  const result = await createResult({ answer, api, isLimited: false, options: {} })
  await expect(read(result)).rejects.toMatchObject({ codeName: 'Incomplete', rows: 1000 })
  expect(asked).toEqual([])
})

test('an answer that lost its rows on the way is read from what is kept', async () => {
  const { api } = keeping(1200)
  const answer = answerOf({ fields: [], totalRows: 1000, truncated: true })
  const result = await createResult({ answer, api, isLimited: false, options: {} })
  expect(result.fields).toEqual(FIELDS)
  expect(await read(result)).toBe(1200)
})

test('no window is asked for before the rows of the last one are taken', async () => {
  const { api, asked } = keeping(5000)
  const answer = answerOf({ result: rowsTo(1000), totalRows: 1000, truncated: true })
  const rows = (await createResult({ answer, api, isLimited: false, options: {} }))[Symbol.asyncIterator]()
  for (let taken = 0; taken < 1500; taken++) await rows.next()
  await rows.return()
  expect(asked).toEqual([1000])
})
