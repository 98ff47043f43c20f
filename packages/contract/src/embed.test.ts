import { expect, test } from 'vitest'
import { EmbedOrigin, originIn } from './embed.ts'

test.each([
  'https://wiki.example.com/page',
  'https://*.example.com',
  "https://a.example.com; script-src 'unsafe-inline'",
  'javascript:alert(1)',
  'https://UPPER.example.com',
  'https://a.example.com https://b.example.com',
  'https://user@wiki.example.com',
  "'self'",
  '*',
  '',
])('%j is not taken as the origin of a website', (origin) => {
  expect(EmbedOrigin.safeParse(origin).success).toBe(false)
})

test('the origin of an address that was pasted is found', () => {
  expect(originIn(' https://Wiki.example.com:8443/page?a=1#b ')).toBe('https://wiki.example.com:8443')
  expect(originIn('http://localhost:3000')).toBe('http://localhost:3000')
  for (const none of ['wiki.example.com', 'file:///etc', 'data:text/html,x', 'https://', '*'])
    expect(originIn(none)).toBeNull()
})
