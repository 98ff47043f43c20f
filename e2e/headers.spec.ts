import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from './console-test.ts'
import { watchForTrouble } from './trouble.ts'

/** As it is on the wire: nothing is decompressed, cached or followed. */
async function get(url: string, headers: Record<string, string> = {}) {
  const asked = request(url, { headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

/** Addresses of files with this ending that the page names. */
async function assetsOf(url: string, ending: string): Promise<string[]> {
  const page = (await get(url)).body.toString()
  const found = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => url + match[1])
  const wanted = found.filter((one) => one.endsWith(ending))
  expect(wanted.length, `${ending} files in the page`).toBeGreaterThan(0)
  return wanted
}

test('every answer carries the headers of a careful server', async ({ product: { url } }) => {
  const [script] = await assetsOf(url, '.js')
  const answers = [
    url,
    `${url}/login`,
    `${url}/api/openapi.json`,
    `${url}/api/no/such/call`,
    `${url}/healthz`,
  ]
  for (const address of [...answers, script ?? '']) {
    const { headers } = await get(address)
    expect(headers, address).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /default-src 'none'.*script-src 'self';.*connect-src 'self'.*base-uri 'none'.*frame-ancestors 'none'/,
      ),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(headers, address).not.toHaveProperty('server')
    expect(headers, address).not.toHaveProperty('x-powered-by')
  }
})

test('files with a hash in their name are kept for good, the page is asked for again', async ({
  product: { url },
}) => {
  for (const ending of ['.js', '.css', '.woff2'])
    for (const asset of await assetsOf(url, ending))
      expect((await get(asset)).headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const page = await get(url)
  expect(page.headers['cache-control']).toBe('no-cache')
  const again = await get(url, { 'if-none-match': page.headers.etag ?? '' })
  expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) })
  expect((await get(`${url}/api/openapi.json`)).headers['cache-control']).toBe('no-store')
})

test('text is sent compressed to clients that accept it, fonts as they are', async ({ product: { url } }) => {
  for (const ending of ['.js', '.css']) {
    const [asset = ''] = await assetsOf(url, ending)
    const plain = await get(asset)
    const brotli = await get(asset, { 'accept-encoding': 'gzip, deflate, br' })
    const gzip = await get(asset, { 'accept-encoding': 'gzip' })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true)
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
    expect(gzip.body.length).toBeLessThan(plain.body.length)
  }
  const [font = ''] = await assetsOf(url, '.woff2')
  const { headers } = await get(font, { 'accept-encoding': 'gzip, deflate, br' })
  expect(headers['content-type']).toBe('font/woff2')
  expect(headers).not.toHaveProperty('content-encoding')
})

test('no address leads out of the console', async ({ product: { url } }) => {
  const page = (await get(url)).body
  const ways = ['/assets/../../package.json', '/..%2f..%2fpackage.json', '/assets/%2e%2e/%2e%2e/package.json']
  for (const way of [...ways, '/package.json', '/.vite/manifest.json'])
    expect((await get(url + way)).body.equals(page), way).toBe(true)
})

test('the policy is in force: a script that is written into the page does not run, and is noticed here', async ({
  browser,
  product,
}) => {
  const context = await browser.newContext()
  const trouble = watchForTrouble(context)
  const page = await context.newPage()
  await page.goto(product.url)
  await expect(page.getByLabel('Account ID')).toBeVisible()
  expect(trouble).toEqual([])
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "taken over"'
    document.body.append(script)
  })
  await expect.poll(() => trouble).toEqual([expect.stringContaining('Content Security Policy')])
  expect(await page.title()).not.toBe('taken over')
  await context.close()
})
