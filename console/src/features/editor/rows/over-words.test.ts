import { expect, test } from 'vitest'
import '../../../i18n/result-view.ts'
import { overWords } from './over-words.ts'

test.each([
  [{ seen: 5, all: 5, isPart: false }, null],
  [{ seen: 0, all: 0, isPart: false }, null],
  [{ seen: 1000, all: 1000, isPart: true }, 'Of the first 1,000 rows. The query has more.'],
  [{ seen: 1000, all: 199_999, isPart: false }, 'Of the first 1,000 of 199,999 rows.'],
  [{ seen: 200, all: 1000, isPart: true }, 'Of the first 200 of more than 1,000 rows.'],
  [{ seen: 0, all: 3, isPart: false }, 'Of the first 0 of 3 rows.'],
])('of %j it is said that it is %s', (over, words) => {
  expect(overWords(over)).toBe(words)
})
