import { fillGuide, type GuideFacts } from '@boathouse/contract/integration-guide'
import { expect, test } from 'vitest'
import { guides } from './guides.ts'

const FACTS: GuideFacts = {
  account: 'ABC12345',
  userName: 'ada',
  host: 'sql.example.com',
  port: 9030,
  ownCertificate: false,
  catalog: 'default_catalog',
  databaseName: 'main',
  table: 'boats',
  warehouse: 'nightly',
  origin: 'https://console.example.com',
  ingest: { scheme: 'https', host: 'ingest.example.com', port: 443 },
}

const connecting = guides.filter(({ door }) => door !== null)

test('there is a guide for each tool of the specification [INT-08, INT-09, INT-10, INT-11, INT-12, INT-13, INT-14]', () => {
  const names = connecting.map(({ name }) => name)
  for (const name of [
    'superset',
    'tableau-desktop',
    'querybook',
    'hex',
    'metabase',
    'redash',
    'streaming-api',
  ])
    expect(names).toContain(name)
  expect(connecting).toHaveLength(17)
})

test.each(connecting)(
  '$name says what is needed, the steps, what to expect and what can go wrong',
  (guide) => {
    const headings = [...guide.text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    for (const heading of ['What you need', 'What to expect', 'If it does not work'])
      expect(headings).toContain(heading)
    expect(headings.some((heading) => heading?.startsWith('Steps'))).toBe(true)
    expect(guide.summary).not.toBe('')
    expect(guide.text, 'steps are numbered').toMatch(/^1\. /m)
  },
)

test.each(guides)('$name has no place that nobody fills, and says how it was tried', ({ text, door }) => {
  expect(fillGuide(text, FACTS)).not.toMatch(/\{\{\w/)
  if (door !== null) expect(text).toMatch(/tests/)
})

test.each(connecting)('$name has the host or the user of the reader in it, and no password', ({ text }) => {
  const filled = fillGuide(text, FACTS)
  expect(filled).toContain('ABC12345.ada')
  expect(filled).toMatch(/(?:sql|ingest|console)\.example\.com/)
})
