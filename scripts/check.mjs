import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Types, lint, format, walls, exports that nobody imports and owners of tables: everything that needs no running part. */
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name) => join(root, 'node_modules', '.bin', name)

const STEPS = [
  { name: 'types', command: bin('tsc'), args: ['-p', 'tsconfig.json'] },
  { name: 'lint', command: bin('oxlint'), args: ['--type-aware', '--quiet'] },
  { name: 'format', command: bin('oxfmt'), args: ['--check', '.'] },
  { name: 'zones', command: process.execPath, args: ['scripts/check-zones.mjs'] },
  { name: 'exports', command: bin('knip'), args: ['--no-progress', '--no-config-hints'] },
  { name: 'tables', command: process.execPath, args: ['scripts/check-tables.mjs'] },
]

for (const { name, command, args } of STEPS) {
  const startedAt = Date.now()
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error(`check: ${name} failed`)
    process.exit(1)
  }
  console.log(`check: ${name} ok (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
}
