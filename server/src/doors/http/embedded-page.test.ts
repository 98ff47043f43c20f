import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { mountEmbeddedPage } from './embedded-page.ts'
import { securityHeaders } from './security-headers.ts'

const ID = '0b8f7a52-5d0c-4d1a-9c57-3d6f0b1f2a11'

/** The page, as it is served for links that these websites can show. */
async function served(path: string, frames: Readonly<Record<string, readonly string[]>>) {
  const app = fastify()
  onTestFinished(() => app.close())
  const always = securityHeaders({ isSecure: false, centralUrl: undefined, takesStripeCards: false })
  app.addHook('onRequest', async (_, reply) => void reply.headers(always))
  const embeddedPage = { type: 'text/html', etag: '"x"', isImmutable: false, plain: Buffer.from('<html>') }
  mountEmbeddedPage(app, { embeddedPage }, async (embedId) => frames[embedId] ?? [])
  return app.inject({ url: path })
}

test('no page of another website shows a link in a frame that names none', async () => {
  for (const path of [`/embed/${ID}`, '/embed/nothing', `/embed/${ID}'`]) {
    const { headers } = await served(path, {})
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-frame-options']).toBe('DENY')
  }
})

test('pages of the websites of a link show it in a frame, and those alone', async () => {
  const { headers, body } = await served(`/embed/${ID}`, {
    [ID]: ['https://wiki.example.com', 'http://localhost:3000'],
  })
  expect(body).toBe('<html>')
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'self';.*frame-ancestors https:\/\/wiki\.example\.com http:\/\/localhost:3000$/,
  )
  expect(headers['x-frame-options']).toBeUndefined()
  expect(headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
  })
})
