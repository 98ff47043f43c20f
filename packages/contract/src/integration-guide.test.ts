import { expect, test } from 'vitest'
import { fillGuide, type GuideFacts, readIntegrationGuide } from './integration-guide.ts'

const FACTS: GuideFacts = {
  account: 'ABC12345',
  userName: "o'hara",
  host: '2001:db8::1',
  port: 9030,
  ownCertificate: true,
  catalog: 'default_catalog',
  databaseName: 'main',
  table: 'boats',
  warehouse: 'nightly',
  origin: 'https://console.example.com',
  ingest: { scheme: 'https', host: 'ingest.example.com', port: 443 },
}
const fill = (text: string, facts: Partial<GuideFacts> = {}) => fillGuide(text, { ...FACTS, ...facts })

test('places become what is true here, quoted for where they stand', () => {
  expect(fill('{{user}}')).toBe("ABC12345.o'hara")
  expect(fill('{{user|shell}}')).toBe(String.raw`'ABC12345.o'\''hara'`)
  expect(fill('{{user|code}}')).toBe(`"ABC12345.o'hara"`)
  expect(fill('{{user|url}}')).toBe("ABC12345.o'hara")
  expect(fill('{{host|host}}:{{port}}')).toBe('[2001:db8::1]:9030')
  expect(fill('{{database}} {{ingestUrl}}/x')).toBe('default_catalog.main https://ingest.example.com:443/x')
})

test('a value that is hostile to a shell or a program stays a value', () => {
  const userName = `"; rm -rf ~ #'$(id)`
  expect(fill('{{user|shell}}', { userName })).toBe(String.raw`'ABC12345."; rm -rf ~ #'\''$(id)'`)
  expect(JSON.parse(fill('{{user|code}}', { userName }))).toBe(`ABC12345.${userName}`)
})

test('what is in a value is not filled again, and what is not known stays', () => {
  expect(fill('{{userName}}', { userName: '{{account}}' })).toBe('{{account}}')
  expect(fill("{{ env_var('X') }} {{unknown}} {{user|unknown}}")).toBe(
    "{{ env_var('X') }} {{unknown}} {{user|unknown}}",
  )
})

test('a certificate that clients know is checked, and a line without a value is left out', () => {
  const text = 'a\n  {{pythonTls}}\nb {{jdbcTls}}'
  expect(fill(text)).toBe('a\n  tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE\nb REQUIRED')
  expect(fill(text, { ownCertificate: false })).toBe('a\nb VERIFY_IDENTITY')
})

test('a guide has a head, and is never lost by a missing one', () => {
  const source = '---\ntitle: A tool: with a colon\ntab: bi\nsummary: Draws.\ndoor: mysql\n---\n\n## Steps\n'
  expect(readIntegrationGuide('tool', source)).toEqual({
    name: 'tool',
    title: 'A tool: with a colon',
    tab: 'bi',
    summary: 'Draws.',
    door: 'mysql',
    text: '## Steps',
  })
  expect(readIntegrationGuide('bare', '## Steps')).toMatchObject({
    title: 'bare',
    tab: 'others',
    door: null,
    text: '## Steps',
  })
})
