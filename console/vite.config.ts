import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

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
  plugins: [react(), preloadInterfaceFont()],
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
      treeshake: { moduleSideEffects: (id) => !DOES_NOTHING_BY_ITSELF.test(id) },
      output: {
        codeSplitting: {
          // What every page needs and what seldom changes, apart from what does.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            {
              name: 'router',
              test: /node_modules\/@tanstack\/(react-router|router-core|history|react-store|store)\//,
            },
          ],
        },
      },
    },
  },
})
