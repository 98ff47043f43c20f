import { CODES, QUERY_STATES, type QueryRsp } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { Book, type Task } from './book.ts'
import { seeded } from './random.ts'

/** The first task of a kind that chance brings. */
function taskOf(book: Book, isWanted: (task: Task) => boolean): Task {
  const random = seeded(1)
  for (let tries = 0; tries < 1000; tries++) {
    const task = book.next(random)
    if (isWanted(task)) return task
  }
  throw new Error('No such task came.')
}

const says = (part: Partial<QueryRsp>): QueryRsp =>
  ({
    errCode: CODES.Ok.code,
    queryState: QUERY_STATES.Finished,
    queryId: 'a query',
    errMsg: '',
    notice: '',
    statementIndex: 0,
    statementCount: 1,
    fields: [],
    result: [],
    ...part,
  }) as QueryRsp

const insert = (book: Book) => taskOf(book, ({ numbers }) => numbers.length === 1)
const numberOf = (task: Task): number => task.numbers.flat()[0] ?? 0
const FAILED = { queryState: QUERY_STATES.Failed, errCode: CODES.QueryFailed.code } as const

test('an acknowledged number that is not there is lost, and one that is there twice is doubled', () => {
  const book = new Book('test')
  const [lost, doubled] = [insert(book), insert(book)]
  expect(book.hear(lost, [says({})])).toBe(true)
  expect(book.hear(doubled, [says({})])).toBe(true)
  book.compare(new Map([[numberOf(doubled), 2]]))
  expect(book.violations).toEqual([
    expect.stringContaining(`${numberOf(lost)} is lost`),
    expect.stringContaining(`${numberOf(doubled)} is there 2 times`),
  ])
})

test('a number that is there though it was said to be not taken is an untruth', () => {
  const book = new Book('test')
  const task = insert(book)
  book.hear(task, [says(FAILED)])
  book.compare(new Map([[numberOf(task), 1]]))
  expect(book.violations).toEqual([expect.stringContaining('was answered as not taken')])
})

test('truths are not accused', () => {
  const book = new Book('test')
  const [there, absent] = [insert(book), insert(book)]
  book.hear(there, [says({})])
  book.hear(absent, [says(FAILED)])
  book.compare(new Map([[numberOf(there), 1]]))
  expect(book.violations).toEqual([])
  expect(book.acknowledged).toBe(1)
})

test('an open answer is not the end, and an insert that is said to read is accused', () => {
  const book = new Book('test')
  const task = insert(book)
  expect(book.hear(task, [says({ ...FAILED, errCode: CODES.Internal.code })])).toBe(false)
  const errMsg = 'It ended. It only reads, so you can run it again.'
  book.hear(task, [says({ ...FAILED, errCode: CODES.Interrupted.code, errMsg })])
  expect(book.violations).toEqual([expect.stringContaining('said only to read')])
})

test('a transaction takes effect only with its COMMIT', () => {
  const book = new Book('test')
  const task = taskOf(book, ({ isTransaction }) => isTransaction)
  const answers = [0, 1, 2].map((statementIndex) => says({ statementIndex, statementCount: 4 }))
  book.hear(task, [...answers, says({ ...FAILED, statementIndex: 3, statementCount: 4 })])
  book.compare(new Map())
  expect(book.violations).toEqual([])
  book.compare(new Map(task.numbers.flat().map((number) => [number, 1])))
  expect(book.violations).toHaveLength(2)
})

test('a read that misses what was acknowledged before it is accused', () => {
  const book = new Book('test')
  book.hear(insert(book), [says({})])
  const read = taskOf(book, ({ sql }) => sql.includes('count(*)'))
  book.hear(read, [says({ result: [['1']] })])
  expect(book.violations).toEqual([])
  book.hear(read, [says({ result: [['0']] })])
  expect(book.violations).toEqual([expect.stringContaining('0 rows where 1 were acknowledged before')])
})
