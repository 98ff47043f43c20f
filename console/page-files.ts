import type { Plugin, Rolldown } from 'vite'
import { refuseCircles } from './circles.ts'

/**
 * What the first page of a visit is made of, by its address, or that below `/{region}/{aid}/`. The server names these files in the
 * HTML, so that the browser fetches them all at once instead of finding them one import after another.
 */
const SHELL = 'app/shell/shell-layout.tsx'
const PAGES: Readonly<Record<string, readonly string[]>> = {
  '/login': ['app/pages/login-page.tsx'],
  home: [SHELL, 'app/pages/home-route.tsx'],
  editor: [
    SHELL,
    'features/editor/editor-page.tsx',
    'features/editor/text/sql-editor.tsx',
    'features/editor/results/results.tsx',
    'features/editor/side.tsx',
  ],
  'editor/result': [SHELL, 'app/pages/shared-result-route.tsx'],
  dashboards: [SHELL, 'app/pages/dashboard-routes.tsx'],
  catalog: [SHELL, 'app/pages/catalog-routes.tsx'],
  integration: [SHELL, 'app/pages/integration-route.tsx'],
  activity: [SHELL, 'app/pages/activity-routes.tsx'],
  'admin/warehouse': [SHELL, 'app/pages/warehouse-routes.tsx'],
}

/** Found by the browser only when the text that needs it is there. */
const FONTS: Readonly<Record<string, RegExp>> = { editor: /\/jetbrains-mono-latin-[^/]*\.woff2$/ }

type Bundle = Rolldown.OutputBundle

function chunkOf(bundle: Bundle, module: string): Rolldown.OutputChunk {
  const chunk = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(`/console/src/${module}`),
  )
  if (chunk?.type !== 'chunk') throw new Error(`${module} is no chunk of the console; see page-files.ts.`)
  return chunk
}

/** The chunks of these modules with all that they import, and their style sheets. */
function filesOf(bundle: Bundle, modules: readonly string[]): string[] {
  const files = new Set<string>()
  const open = modules.map((module) => chunkOf(bundle, module).fileName)
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const chunk = bundle[name]
    if (files.has(name) || chunk?.type !== 'chunk') continue
    files.add(name)
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
    open.push(...chunk.imports)
  }
  return [...files]
}

/** Writes `page-files.json` beside the page. */
export const namePageFiles = (): Plugin => ({
  name: 'boathouse-name-page-files',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      refuseCircles(bundle, (id) => this.getModuleInfo(id)?.importedIds ?? [])
      const names = Object.keys(bundle)
      const entries = Object.entries(PAGES).map(([address, modules]) => {
        const fonts = FONTS[address] ? names.filter((name) => FONTS[address]?.test(name)) : []
        return [address, [...filesOf(bundle, modules), ...fonts].map((name) => `/${name}`)]
      })
      this.emitFile({
        type: 'asset',
        fileName: 'page-files.json',
        source: JSON.stringify(Object.fromEntries(entries)),
      })
    },
  },
})
