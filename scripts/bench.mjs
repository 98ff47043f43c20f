import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { nodeBundle } from '../server/rolldown.options.mjs'
import { ensureBuilt } from './build.mjs'

const bench = fileURLToPath(new URL('../bench', import.meta.url))
await ensureBuilt()
// The others run in threads of their own.
const entries = ['run', 'trouble', 'sent-loads'].map((name) => [name, join(bench, `${name}.ts`)])
await build(nodeBundle(Object.fromEntries(entries), join(bench, 'dist')))
await import('../bench/dist/run.js')
