import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSteps } from './steps.mjs'

/**
 * Types, lint, format, walls, where an engine is named, exports that nobody imports and owners of tables: everything that
 * needs no running part.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name) => join(root, 'node_modules', '.bin', name)

const STEPS = [
  { name: 'types', command: bin('tsc'), args: ['-p', 'tsconfig.json'] },
  { name: 'lint', command: bin('oxlint'), args: ['--type-aware', '--quiet'] },
  { name: 'format', command: bin('oxfmt'), args: ['--check', '.'] },
  { name: 'zones', command: process.execPath, args: ['scripts/check-zones.mjs'] },
  { name: 'engine words', command: process.execPath, args: ['scripts/check-engine-words.mjs'] },
  { name: 'exports', command: bin('knip'), args: ['--no-progress', '--no-config-hints'] },
  { name: 'tables', command: process.execPath, args: ['scripts/check-tables.mjs'] },
]

const { run, finish } = createSteps({ label: 'check', root })
for (const { name, command, args } of STEPS) run(name, command, args)
process.exit(finish('All checks passed.'))
