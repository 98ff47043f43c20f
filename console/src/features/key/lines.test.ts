import { KEY_DOORS } from '@boathouse/contract/key'
import { expect, test } from 'vitest'
import { linesFor } from './lines.ts'

const FACTS = {
  origin: 'https://lake.example',
  user: "ABC12345.o'hara",
  mysql: { host: '10.0.0.7', port: 9030, ownCertificate: true },
}

test('the lines are made of where this service is reached, and never hold the secret', () => {
  const lines = linesFor(KEY_DOORS, FACTS)
  expect(lines.map(({ door }) => door)).toEqual(['http', 'mysql', 'ingest', 'mcp'])
  const [http, mysql, ingest, mcp] = lines.map(({ code }) => code)
  expect(http).toContain('curl https://lake.example/api/user/info')
  expect(mysql).toContain(String.raw`-h 10.0.0.7 -P 9030 \
  -u 'ABC12345.o'\''hara' --ssl`)
  expect(ingest).toContain('https://lake.example/api/main/my_table/_stream_load')
  expect(JSON.parse(mcp ?? '')).toEqual({
    mcpServers: {
      boathouse: {
        type: 'http',
        url: 'https://lake.example/mcp',
        headers: { Authorization: 'Bearer ${BOATHOUSE_KEY}' },
      },
    },
  })
  for (const code of [http, mysql, ingest]) expect(code).toContain('$BOATHOUSE_KEY')
})

test('there is no line for a source that the key does not allow, nor for an endpoint that is closed', () => {
  expect(linesFor(['ingest'], FACTS).map(({ door }) => door)).toEqual(['ingest'])
  expect(linesFor(['mysql'], { ...FACTS, mysql: null })).toEqual([])
})
