import { expect, test } from 'vitest'
import { analyse } from '../statement.ts'

const textsOf = (text: string) => analyse(text).statements.map((statement) => statement.text)

test.each([
  ['/*!40101 SET NAMES utf8mb4 */', ['SET NAMES utf8mb4']],
  ['/*!40101 SET NAMES utf8mb4 */;', ['SET NAMES utf8mb4']],
  ['/*! set x = 1 */ ; SELECT 1', ['set x = 1', 'SELECT 1']],
  ['SELECT 1; /*!40101 SET a=1, @b = @@c */; SELECT 2', ['SELECT 1', 'SET a=1, @b = @@c', 'SELECT 2']],
  ['/*!80033 SET x = 1 */', ['SET x = 1']],
])('a comment that holds a SET is one: %s', (text, found) => {
  expect(textsOf(text)).toEqual(found)
})

test.each([
  // Of a newer server, or of another.
  '/*!80034 SET x = 1 */',
  '/*M!100100 SET x = 1 */',
  // Something else than one whole SET: engines take it for a comment.
  '/*!40000 ALTER TABLE t DISABLE KEYS */',
  '/*!40101 SET x = 1; DROP TABLE t */',
  `/*!40101 SET x = 'a */`,
  '/*!40101 SETTLE */',
  '/* SET x = 1 */',
  '/*!40101 SET x = 1',
])('any other is a comment: %s', (text) => {
  expect(textsOf(text)).toEqual([])
})

test.each([
  'SELECT 1 /*!40101 SET x = 1 */',
  `SELECT '/*!40101 SET x = 1 */'`,
  '/*!40101 SET x = 1 */ SELECT 1',
  '(/*!40101 SET x = 1 */)',
])('inside of a statement it is a comment: %s', (text) => {
  expect(analyse(text).statements.map(({ kind }) => kind)).not.toContain('set-variable')
  expect(analyse(text).count).toBe(1)
})

test('places are those of the whole text', () => {
  const text = 'SELECT 1;\n/*!40101 SET NAMES utf8 */'
  const [, set] = analyse(text).statements
  expect([set?.start, set?.end, text.slice(set?.start, set?.end)]).toEqual([19, 33, 'SET NAMES utf8'])
})
