import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const STAMP = join(root, 'server', 'dist', 'built-from.txt')

/** What the product is made of; tests are not part of it. */
const SOURCES = [
  'packages/contract/src',
  'packages/client/src',
  'packages/sql/src',
  'server/src',
  'server/rolldown.options.mjs',
  'console/src',
  'console/public',
  'console/index.html',
  'console/vite.config.ts',
  'console/page-files.ts',
  'console/circles.ts',
  'docs/guide',
  'docs/pictures',
  'cli/src',
  'scripts/build.mjs',
  'scripts/contract-descriptions.mjs',
  'package-lock.json',
]

function filesBelow(path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort()
}

/** Changes when any source changes; the same on every machine. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesBelow)) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

const isBuilt = (print) => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === print

async function buildAll() {
  const [{ build }, { contractDescriptions }, { build: viteBuild }, { nodeBundle, serverBundle }] =
    await Promise.all([
      import('rolldown'),
      import('./contract-descriptions.mjs'),
      import('vite'),
      import('../server/rolldown.options.mjs'),
    ])
  for (const folder of ['server/dist', 'cli/dist'])
    rmSync(join(root, folder), { recursive: true, force: true })
  await build(serverBundle)
  const descriptions = contractDescriptions(join(root, 'packages/contract/src'))
  writeFileSync(join(root, 'server/dist/call-descriptions.json'), JSON.stringify(descriptions))
  execFileSync(process.execPath, [join(root, 'server/dist/engine-guard.js')], { stdio: 'inherit' })
  await build(nodeBundle({ boathouse: join(root, 'cli/src/boathouse.ts') }, join(root, 'cli/dist')))
  // A test may be what builds, with NODE_ENV=test: the console would then need what only React for developers has.
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  await viteBuild({
    configFile: join(root, 'console/vite.config.ts'),
    root: join(root, 'console'),
    logLevel: 'warn',
  })
  if (before === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = before
}

/** Builds what runs, unless it was built from these very sources already. */
export async function ensureBuilt() {
  // Without sources this is a packaged product: it runs as it is.
  if (!existsSync(join(root, 'server/src'))) return
  const print = fingerprint()
  if (isBuilt(print)) return
  process.stderr.write('Building Boathouse, once after each change of its sources …\n')
  await buildAll()
  writeFileSync(STAMP, print)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await ensureBuilt()
