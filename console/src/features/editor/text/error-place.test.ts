import { describe, expect, test } from 'vitest'
import { errorPlace } from './error-place.ts'
import { answerRun, newRun } from '../running/run.ts'
import { answer } from '../testing/answers.ts'

const failedRun = (sql: string, from: number, offset: number) => {
  const start = { requestId: 'request-1', sql, from, visible: true, now: 0 }
  const errPosition = { offset, line: 1, column: offset + 1 }
  return answerRun(newRun(start), answer(start, { queryState: 3, errMsg: 'no such table', errPosition }), 1)
}

const TEXT = 'select 1;\n\nselect *\nfrom oops\nwhere a > 1'
const SQL = TEXT.slice(11)
const OFFSET = SQL.indexOf('oops')

describe('the place of an error', () => {
  test('pain 24: is the exact token in the tab, not in the part that was sent', () => {
    expect(errorPlace(TEXT, failedRun(SQL, 11, OFFSET))).toEqual({
      from: 25,
      to: 29,
      line: 4,
      column: 6,
      message: 'no such table',
    })
  })

  test('moves with the text that was run when something before it was edited', () => {
    const place = errorPlace(`-- new line\n${TEXT}`, failedRun(SQL, 11, OFFSET))
    expect(place).toMatchObject({ from: 37, to: 41, line: 5 })
  })

  test('is unknown once the text that was run was changed', () => {
    expect(errorPlace(TEXT.replace('oops', 'orders'), failedRun(SQL, 11, OFFSET))).toBeNull()
    expect(errorPlace(`select 2;${SQL} ${SQL}`, failedRun(SQL, 11, OFFSET))).toBeNull()
  })

  test('at the end of the text is the last character before it', () => {
    expect(errorPlace('select (  ', failedRun('select (  ', 0, 10))).toMatchObject({ from: 7, to: 8 })
    expect(errorPlace('x', failedRun('x', 0, 99))).toMatchObject({ from: 0, to: 1 })
  })

  test('is one character where there is no word, and whole words beyond ASCII', () => {
    expect(errorPlace('select ,', failedRun('select ,', 0, 7))).toMatchObject({ from: 7, to: 8 })
    expect(errorPlace('from größe x', failedRun('from größe x', 0, 5))).toMatchObject({ from: 5, to: 10 })
  })

  test('does not exist for a run without an error', () => {
    const start = { requestId: 'request-1', sql: 'select 1', from: 0, visible: true, now: 0 }
    expect(errorPlace('select 1', answerRun(newRun(start), answer(start), 1))).toBeNull()
    expect(errorPlace('select 1', undefined)).toBeNull()
  })
})
