import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { namePageFiles } from './page-files.ts'

/** Controls, and the cache of calls: a page is sent only those that it uses, whatever else a barrel holds. */
const DOES_NOTHING_BY_ITSELF = /\/src\/(ui\/(?!styles\.ts)[^/]+|lib\/(api|queries))\.tsx?$/

/**
 * Loaded after a click, or hardly ever. A bundle that refers to one of these need not list all of its chunks. Pages
 * that are fetched when the pointer is on their link, or that a mail leads to, are of this kind too.
 */
const OPENED_LATER = new RegExp(
  `/(${[
    '(relogin-dialog|user-dialogs|account-dialogs|search-box|trial-left)',
    '(warehouse|catalog|access)-routes|(account|security)-route',
    '(free-trial|reset-password|setup-password|active-mail|marketplace|sso)[a-z-]*-page',
  ].join('|')})-`,
)

/** Controls and words of sign-in and of every page after it. */
const START = new RegExp(
  [
    '/console/src/ui/(base|button|class-names|color-scheme|copy|field|leaving|logo|name-field|notice-history)\\.',
    '/console/src/ui/(password-field|refusal|spinner|states|styles|text-field|theme-provider|toasts|tokens)\\.',
    '/console/src/lib/(call-(events|toast)|console-log|copy|firewall-trial|hosts|ip-block|send|session(-values)?)\\.',
    '/console/src/i18n/(texts|en/(shell|sign-in|ui))\\.',
    '/contract/src/(call|codes|envelope|limits|log|roles|rules|signature|user)\\.',
    '/client/src/(call-error|caller|clock|emitter|signed-headers)\\.',
    '/node_modules/(zod|@noble)/',
    'vite/modulepreload-polyfill',
  ].join('|'),
)
/** What the shell has, and pages share beside. */
const CONTROLS = new RegExp(
  [
    '/console/src/ui/(?!grid/)',
    '/console/src/lib/(?!new-query)',
    '/console/src/app/shell/(?!search/)',
    '/node_modules/@tanstack/(query-core|react-query)/',
    '/client/src/',
    '/contract/src/(account-state|parameters|realtime)\\.',
  ].join('|'),
)
/** Not those of sign-in, which would bring the others with them. */
const RULES = /\/(contract|sql)\/src\/(?!(account|identity-messages|sso)\.)/

/** Not what needs CodeMirror or is read with it, which comes after the page, nor what another page shares with a dialog. */
const WORKSPACE = /\/console\/src\/features\/editor\/(?!text\/(sql-|query-blocks|token-groups)|schedules\/)/

const ROUTER = /\/node_modules\/@tanstack\/(react-router|router-core|history|react-store|store)\//

/**
 * Left alone, the bundler makes a file of each set of modules that some pages share: 84 for the editor, most of them below
 * 1 KB, and a browser fetches six at a time. A page gets few files; what seldom changes is apart from what does. What each
 * page then weighs is measured by e2e/sizes.spec.ts.
 */
const GROUPS = [
  { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// },
  { name: 'router', test: ROUTER },
  { name: 'icons', test: /\/node_modules\/@tabler\// },
  { name: 'start', test: START, minShareCount: 2 },
  { name: 'controls', test: CONTROLS, minShareCount: 2 },
  { name: 'rows', test: /\/console\/src\/(features\/editor\/(rows|results)|ui\/grid)\//, minShareCount: 2 },
  { name: 'workspace', test: WORKSPACE, minShareCount: 2 },
  { name: 'rules', test: RULES, minShareCount: 8 },
]

const SERVER = 'http://localhost:8080'

/** The interface font is needed for the first paint; the browser would else find it only in the style sheet. */
const preloadInterfaceFont = (): Plugin => ({
  name: 'boathouse-preload-interface-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const font = Object.keys(bundle ?? {}).find((name) => /\/inter-latin-[^/]*\.woff2$/.test(name))
      if (!font) throw new Error('The interface font is not in the bundle; see src/ui/base.css.')
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${font}` }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  },
})

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadInterfaceFont(), namePageFiles()],
  server: { proxy: { '/api': SERVER, '/websocket': { target: SERVER, ws: true } } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy allows no data: scripts, and small files are cached as well as large ones.
    assetsInlineLimit: 0,
    modulePreload: {
      resolveDependencies: (file, parts) =>
        OPENED_LATER.test(file) ? parts.filter((part) => part.endsWith('.css')) : parts,
    },
    rolldownOptions: {
      input: [`${import.meta.dirname}/index.html`, `${import.meta.dirname}/embedded.html`],
      treeshake: { moduleSideEffects: (id) => !DOES_NOTHING_BY_ITSELF.test(id) },
      output: {
        codeSplitting: {
          // Else a group takes with it all that its modules import.
          includeDependenciesRecursively: false,
          groups: GROUPS,
        },
      },
    },
  },
})
