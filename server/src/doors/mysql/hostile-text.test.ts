import { expect, test } from 'vitest'
import { mysqlClient, refusalOf, WITH_MYSQL } from '../../testing/mysql-kit.ts'
import { sharedApp } from '../../testing/start-app.ts'

const shared = sharedApp(WITH_MYSQL, { engine: 'embedded' })

/** In these sets the second byte of a character may be a backslash: one that reads bytes takes it for an escape. */
const HOSTILE = [
  '縗',
  "縗' or 1=1 -- ",
  "\\' or 1=1 -- ",
  'ソ',
  "ソ' or 1=1 #",
  '表\\',
  "'; drop table t; -- ",
]

const errorNumber = (error: { errno?: number }) => error.errno

interface Row {
  readonly text: string
}

/** A character may be another one in the client's set; what stands between quotes stays there. */
const plainIn = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '')

test.each(['LATIN1_SWEDISH_CI', 'ASCII_GENERAL_CI', 'UTF8_GENERAL_CI', 'UTF8MB4_UNICODE_CI'])(
  'a client in %s ends no text of its own',
  async (charset) => {
    const client = await mysqlClient(await shared(), { charset })
    for (const text of HOSTILE) {
      const asked = client.query('select ? as text', [text])
      const answer = await asked.then(([rows]) => (rows as Row[])[0]?.text ?? '', errorNumber)
      expect([text, answer === 1300 || String(answer).endsWith(plainIn(text))]).toEqual([text, true])
    }
    expect(await refusalOf(client.query('select 1'))).toBeNull()
  },
)

test.each(['GBK_CHINESE_CI', 'SJIS_JAPANESE_CI', 'BIG5_CHINESE_CI', 'CP1251_GENERAL_CI'])(
  'a client in %s is not let in: its bytes would be read as other characters',
  async (charset) => {
    const app = await shared()
    expect(await refusalOf(mysqlClient(app, { charset }))).toEqual({ errno: 1231, sqlState: '42000' })
  },
)

test('where a backslash means itself, a text ends at its quote, and a parameter never does', async () => {
  const client = await mysqlClient(await shared())
  await client.query(`set sql_mode = 'NO_BACKSLASH_ESCAPES'`)
  const [rows] = await client.query(`select '\\' as text, 'it''s' as quoted`)
  expect(rows).toEqual([{ text: '\\', quoted: `it's` }])
  // There is no way to write it in this mode.
  expect(await refusalOf(client.query(`select 'zero \0'`))).toEqual({ errno: 1064, sqlState: '42000' })
  const [prepared] = await client.execute('select ? as text', [`\\' or 1=1 -- `])
  expect(prepared).toEqual([{ text: `\\' or 1=1 -- ` }])
})

test.each(['gbk', 'sjis', 'big5', 'cp932'])('SET NAMES %s is refused', async (name) => {
  const client = await mysqlClient(await shared())
  expect(await refusalOf(client.query(`set names ${name}`))).toEqual({ errno: 1231, sqlState: '42000' })
})
