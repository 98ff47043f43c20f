import type { Page } from '@playwright/test'
import { openNewQuery } from './console-page.ts'
import { expect, signedInTest, test } from './console-test.ts'
import { tellFigure } from './figures.ts'
import { inRepository } from './repository.ts'
import { type Bundle, bytesOf, chunkOf, lazyOf, readBundle, withImports } from './sizes.ts'

/** Bytes after gzip; a KB is 1000 of them. */
const KB = 1000

interface Weighed {
  readonly what: string
  readonly bytes: number
  readonly limit: number
}

const signInChunks = (bundle: Bundle) => withImports(bundle, [...bundle.entry, chunkOf(bundle, 'login-page')])
const shellChunks = (bundle: Bundle) =>
  withImports(bundle, [...bundle.entry, chunkOf(bundle, 'shell-layout')])
const editorPageChunks = (bundle: Bundle) => withImports(bundle, [chunkOf(bundle, 'editor-page')])
/** The text editor itself, which the page loads while it shows everything around it. */
const textEditorChunks = (bundle: Bundle) => withImports(bundle, [chunkOf(bundle, 'sql-editor')])

function beyond(bundle: Bundle, chunks: Set<string>, known: Set<string>): number {
  return bytesOf(
    bundle,
    [...chunks].filter((name) => !known.has(name)),
  )
}

function weigh(bundle: Bundle): Weighed[] {
  const shell = shellChunks(bundle)
  const page = editorPageChunks(bundle)
  const apart = ['login-page', 'shell-layout'].map((name) => chunkOf(bundle, name))
  const routes = lazyOf(bundle, withImports(bundle, bundle.entry)).filter((name) => !apart.includes(name))
  return [
    { what: 'sign-in, JavaScript', bytes: bytesOf(bundle, signInChunks(bundle)), limit: 170 * KB },
    { what: 'signed-in shell, JavaScript', bytes: bytesOf(bundle, shell), limit: 240 * KB },
    {
      what: 'text editor beyond its page',
      bytes: beyond(bundle, textEditorChunks(bundle), new Set([...shell, ...page])),
      limit: 140 * KB,
    },
    ...routes.map((name) => ({
      what: `${name.replace(/-[\w-]{8}\.js$/, '')} beyond the shell`,
      bytes: beyond(bundle, withImports(bundle, [name]), shell),
      limit: 60 * KB,
    })),
    { what: 'all style sheets', bytes: bundle.cssBytes, limit: 30 * KB },
  ]
}

test('the console keeps to its sizes', () => {
  const weighed = weigh(readBundle(inRepository('console/dist')))
  for (const { what, bytes, limit } of weighed)
    tellFigure(`${what.padEnd(32)}${(bytes / KB).toFixed(1).padStart(7)} KB of ${limit / KB} KB`)
  for (const { what, bytes, limit } of weighed) expect.soft(bytes, what).toBeLessThanOrEqual(limit)
  expect(weighed.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['home-route beyond the shell', 'editor-page beyond the shell']),
  )
})

/** Names of the scripts that the page has asked for. */
function watchScripts(page: Page): Set<string> {
  const names = new Set<string>()
  page.on('request', (request) => {
    const name = /\/assets\/([^/]+\.js)$/.exec(new URL(request.url()).pathname)?.[1]
    if (name) names.add(name)
  })
  return names
}

test('what is weighed for sign-in is what a browser loads', async ({ page, product }) => {
  const loaded = watchScripts(page)
  await page.goto(product.url)
  await expect(page.getByLabel('Account ID')).toBeVisible()
  expect([...loaded].sort()).toEqual([...signInChunks(readBundle(inRepository('console/dist')))].sort())
})

signedInTest('what is weighed for the editor is what a browser loads', async ({ page, product }) => {
  const loaded = watchScripts(page)
  await openNewQuery(page, product)
  const bundle = readBundle(inRepository('console/dist'))
  const weighed = new Set([...shellChunks(bundle), ...editorPageChunks(bundle), ...textEditorChunks(bundle)])
  expect([...loaded].sort()).toEqual([...weighed].sort())
})
