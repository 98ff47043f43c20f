import { expect, test } from 'vitest'
import { readStatement } from '../index.ts'
import { readSessionQuestion } from './session-question.ts'

const asked = (sql: string) => {
  const question = readSessionQuestion(readStatement(sql))
  return question && [question.values.map(({ heading, name }) => `${heading}=${name}`), question.limit]
}

test.each([
  ['select @@version_comment limit 1', [['@@version_comment=version_comment'], 1]],
  ['SELECT @@session.tx_isolation', [['@@session.tx_isolation=tx_isolation'], 1]],
  ['SELECT  @@a AS b, @@global.c d;', [['b=a', 'd=c'], 1]],
  ['SELECT DATABASE(), USER() limit 1', [['DATABASE()=DATABASE', 'USER()=USER'], 1]],
  ['select current_user, version() as `v`', [['current_user=CURRENT_USER', 'v=VERSION'], 1]],
  ['SELECT @@a FROM DUAL', [['@@a=a'], 1]],
  ['SELECT @@a LIMIT 0', [['@@a=a'], 0]],
])('%s asks about the session', (sql, expected) => {
  expect(asked(sql)).toEqual(expected)
})

test.each([
  'SELECT 1',
  'SELECT @@a + 1',
  'SELECT @@a, 1',
  'SELECT @@a FROM t',
  'SELECT @@a FROM dual, t',
  'SELECT version(1)',
  'SELECT concat(@@a)',
  'SELECT @@a UNION SELECT 1',
  'SELECT @@a LIMIT 1, 2',
  'SELECT @@a WHERE false',
  'SELECT database',
  'SHOW VARIABLES',
])('%s asks for more', (sql) => {
  expect(asked(sql)).toBeNull()
})
