import { expect, test } from 'vitest'
import { sharedApp } from '../../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })

test.each([
  ['SHOW TABLES FROM main EXTRA', 22, 'EXTRA is not expected at this place'],
  ['USE', 3, 'The statement is incomplete'],
  ['CREATE WAREHOUSE w SIZE = (1)', 26, '( is not expected at this place'],
  ['CREATE USER u IDENTIFIED WITH x', 14, 'IDENTIFIED is not expected at this place'],
  ['GRANT SELECT ON TABLE t INTO u', 24, 'INTO is not expected at this place'],
  ['SHOW GRANTS OF u', 12, 'OF is not expected at this place'],
  ['KILL QUERY 1 2', 13, '2 is not expected at this place'],
  ['DESCRIBE a.b c d', 15, 'd is not expected at this place'],
  ['selct 1', 0, 'Did you mean SELECT?'],
  ['SHOW TABELS', 5, 'Did you mean TABLES?'],
  ['SELECT 1 FORM range(3)', 14, 'Did you mean FROM instead of FORM?'],
  ['SELECT * FROM range(3) WHRE range = 1', 28, 'Did you mean WHERE instead of WHRE?'],
  ['USE mian', null, 'Did you mean main?'],
  ['SET WAREHOUSE default_warehose', null, 'Did you mean default_warehouse?'],
])('%s is reported at its place: %s, %s', async (sql, offset, words) => {
  const channel = await (await (await shared()).admin()).channel()
  const [answer] = await channel.run(sql)
  expect(answer?.errMsg).toContain(words)
  expect(answer?.errPosition?.offset ?? null).toBe(offset)
})
