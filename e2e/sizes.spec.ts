import { type Call, contract, MESSAGE_TYPES } from '@boathouse/contract'
import type { Page } from '@playwright/test'
import { editor } from '../console/src/i18n/en/editor.ts'
import { home } from '../console/src/i18n/en/home.ts'
import { openNewQuery } from './console-page.ts'
import { expect, signedInTest, test } from './console-test.ts'
import { tellFigure } from './figures.ts'
import { inRepository } from './repository.ts'
import { type Bundle, bytesOf, chunkOf, lazyOf, readBundle, withImports } from './sizes.ts'

/** Bytes after gzip; a KB is 1000 of them. */
const KB = 1000

/**
 * The guide has all of its texts, so that it is searched without a request; a result has the rows of the editor; the guide
 * of an integration is drawn from Markdown.
 */
const LARGER_PAGES: Readonly<Record<string, number>> = {
  'guide-route': 90,
  'integration-guide-route': 65,
  'shared-result-route': 75,
}
const PAGE_KB = 60
/** Of one page, styles and fonts included. A browser fetches six at a time. */
const MOST_FILES = 45

interface Weighed {
  readonly what: string
  readonly bytes: number
  readonly limit: number
}

const signInChunks = (bundle: Bundle) => withImports(bundle, [...bundle.entry, chunkOf(bundle, 'login-page')])
const shellChunks = (bundle: Bundle) =>
  withImports(bundle, [...bundle.entry, chunkOf(bundle, 'shell-layout')])
/** Weighed separately, because it is loaded after the shell and the page. */
const afterShellChunks = (bundle: Bundle) =>
  withImports(bundle, [chunkOf(bundle, 'trial-left'), chunkOf(bundle, 'search-box')])
const editorPageChunks = (bundle: Bundle) => withImports(bundle, [chunkOf(bundle, 'editor-page')])
/** The side pane, the results and the text editor, which the page loads while it shows everything around them. */
const sideChunks = (bundle: Bundle) => withImports(bundle, [chunkOf(bundle, 'side')])
const resultChunks = (bundle: Bundle) => withImports(bundle, [chunkOf(bundle, 'results')])
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
    { what: 'sign-in, JavaScript', bytes: bytesOf(bundle, signInChunks(bundle)), limit: 150 * KB },
    { what: 'signed-in shell, JavaScript', bytes: bytesOf(bundle, shell), limit: 200 * KB },
    {
      what: 'text editor beyond its page',
      bytes: beyond(bundle, textEditorChunks(bundle), new Set([...shell, ...page])),
      // 1 KB of it are fields of snippets, in the same module of CodeMirror as completion.
      limit: 141 * KB,
    },
    {
      what: 'side pane beyond the editor page',
      bytes: beyond(bundle, sideChunks(bundle), new Set([...shell, ...page])),
      limit: 15 * KB,
    },
    {
      what: 'results beyond the editor page',
      bytes: beyond(bundle, resultChunks(bundle), new Set([...shell, ...page])),
      limit: 50 * KB,
    },
    {
      what: 'API reference beyond the guide',
      bytes: beyond(
        bundle,
        withImports(bundle, [chunkOf(bundle, 'reference-page')]),
        new Set([...shell, ...withImports(bundle, [chunkOf(bundle, 'guide-route')])]),
      ),
      limit: 20 * KB,
    },
    ...routes.map((file) => {
      const name = file.replace(/-[\w-]{8}\.js$/, '')
      return {
        what: `${name} beyond the shell`,
        bytes: beyond(bundle, withImports(bundle, [file]), shell),
        limit: (LARGER_PAGES[name] ?? PAGE_KB) * KB,
      }
    }),
    // Of all pages together; each one loads its own.
    { what: 'all style sheets', bytes: bundle.cssBytes, limit: 36 * KB },
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

/** Sentences of a page, as far as they stand in the built code as they are written. */
const sentencesIn = (texts: object): string[] =>
  Object.values(texts).flatMap((text: unknown) => {
    if (typeof text === 'string') return /^[\w ,.]{30,}$/.test(text) ? [text] : []
    return typeof text === 'object' && text !== null ? sentencesIn(text) : []
  })
const pathsOf = (modules: readonly (keyof typeof contract)[]): string[] =>
  modules.flatMap((module) => Object.values<Call>(contract[module]).map((call) => call.path))

/** What one page says and asks, and no other place of the console. */
const OF_PAGES = {
  'home-route': [...sentencesIn(home)],
  'editor-page': [...sentencesIn(editor), ...pathsOf(['schema', 'warehouse'])],
}

test('calls and texts of a page come with the page: another page adds nothing to sign-in and shell', () => {
  const bundle = readBundle(inRepository('console/dist'))
  const everyones = [...signInChunks(bundle), ...shellChunks(bundle)].map(bundle.textOf).join('\n')
  for (const [page, own] of Object.entries(OF_PAGES)) {
    const parts = page === 'editor-page' ? [page, 'side'] : [page]
    const chunks = withImports(
      bundle,
      parts.map((part) => chunkOf(bundle, part)),
    )
    const text = [...chunks].map(bundle.textOf).join('\n')
    expect(own.length, `${page} has something of its own`).toBeGreaterThan(5)
    expect(
      own.filter((part) => !text.includes(part)),
      `missing from ${page}`,
    ).toEqual([])
    expect(
      own.filter((part) => everyones.includes(part)),
      `of ${page}, in sign-in or shell`,
    ).toEqual([])
  }
  // Shared by the two pages.
  const shared = pathsOf(['editor', 'region'])
  expect(shared.filter((path) => everyones.includes(path))).toEqual([])
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
  const weighed = signInChunks(readBundle(inRepository('console/dist')))
  await expect.poll(() => [...loaded].sort()).toEqual([...weighed].sort())
})

signedInTest('what is weighed for the editor is what a browser loads', async ({ page, product }) => {
  const loaded = watchScripts(page)
  // Of the account, but nothing that a dialog speaks of.
  await page.route(`**${contract.user.listUnreadMessages.path}`, async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = (await response.json()) as { data: { messages: unknown[] } }
    const suspended = { messageId: '1', type: MESSAGE_TYPES.PipeSuspended, about: '', read: false }
    const messages = [...data.messages, { ...suspended, createdAt: new Date().toISOString() }]
    await route.fulfill({ response, json: { ...rest, data: { ...data, messages } } })
  })
  await openNewQuery(page, product)
  const bundle = readBundle(inRepository('console/dist'))
  const weighed = new Set([
    ...shellChunks(bundle),
    ...afterShellChunks(bundle),
    ...editorPageChunks(bundle),
    ...sideChunks(bundle),
    ...resultChunks(bundle),
    ...textEditorChunks(bundle),
  ])
  // Some of it comes after what can be seen first.
  await expect.poll(() => [...loaded].sort()).toEqual([...weighed].sort())
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

signedInTest('a page names the files that it is made of, and they are few', async ({ page, product }) => {
  const bundle = readBundle(inRepository('console/dist'))
  const later = afterShellChunks(bundle)
  const place = `${product.url}/local-1/${product.accountId}`
  // Of a query without a text: what another journey has opened last may need more.
  await openNewQuery(page, product)
  for (const [name, address, shown] of [
    ['editor', page.url(), page.locator('.cm-content')],
    ['home', `${place}/home`, page.getByRole('heading', { name: /^Welcome, / })],
  ] as const) {
    await page.goto('about:blank')
    const loaded = watchScripts(page)
    const response = await page.goto(address)
    const named = [...((await response?.text()) ?? '').matchAll(/"\/assets\/([^"]+)"/g)].map(
      ([, file]) => file,
    )
    await expect(shown).toBeVisible()
    const unnamed = [...loaded].filter((file) => !named.includes(file) && !later.has(file))
    expect(unnamed, name).toEqual([])
    expect(named.length, name).toBeLessThanOrEqual(MOST_FILES)
    tellFigure(`${name.padEnd(32)}${String(named.length).padStart(7)} files named by the page`)
    page.removeAllListeners('request')
  }
})
