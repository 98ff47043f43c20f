import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { nodeBundle } from '../server/rolldown.options.mjs'
import { ensureBuilt } from './build.mjs'

const bench = fileURLToPath(new URL('../bench', import.meta.url))
await ensureBuilt()
await build(nodeBundle({ 'sql-files': join(bench, 'sql-files', 'run.ts') }, join(bench, 'dist')))
await import('../bench/dist/sql-files.js')
