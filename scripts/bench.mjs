import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { nodeBundle } from '../server/rolldown.options.mjs'
import { ensureBuilt } from './build.mjs'

const bench = fileURLToPath(new URL('../bench', import.meta.url))
await ensureBuilt()
await build(
  nodeBundle({ run: join(bench, 'run.ts'), trouble: join(bench, 'trouble.ts') }, join(bench, 'dist')),
)
await import('../bench/dist/run.js')
