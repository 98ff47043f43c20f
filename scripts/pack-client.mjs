/**
 * Makes packages/client/dist, which is the package that others install, and packs it: `node scripts/pack-client.mjs
 * [FOLDER]`. Beside the workspace's own package.json, because that one leads to sources, which no other project can run.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { isolatedDeclarationSync } from 'rolldown/experimental'
import { contractDescriptions } from './contract-descriptions.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const home = join(root, 'packages/client')
const dist = join(home, 'dist')

/** What the declarations of index.ts name. Those of api.ts are made from the contract. */
const DECLARED = ['index', 'connect', 'errors', 'result', 'session', 'values']

const bundle = (input, dir) => ({
  input,
  platform: 'neutral',
  external: ['ws'],
  resolve: { mainFields: ['module', 'main'], conditionNames: ['import', 'default'] },
  output: { dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
})

function declarationsOf(name) {
  const file = join(home, 'src/public', `${name}.ts`)
  const { code, errors } = isolatedDeclarationSync(file, readFileSync(file, 'utf8'))
  if (errors.length > 0) throw new Error(`${file}: ${errors.map((error) => error.message).join('; ')}`)
  const named = [...code.matchAll(/from ["']([^"']+)["']/g)].map((match) => match[1])
  const unknown = named.filter((one) => ![...DECLARED, 'api'].some((own) => one === `./${own}.ts`))
  if (unknown.length > 0)
    throw new Error(`${file} declares what is not in the package: ${unknown.join(', ')}`)
  return code.replaceAll(/(from ["']\.\/\w+)\.ts/g, '$1.js')
}

/** The contract is TypeScript: it is bundled to be asked. */
async function apiDeclarations() {
  const folder = mkdtempSync(join(tmpdir(), 'boathouse-pack-'))
  try {
    await build(bundle({ types: join(home, 'src/packing/api-types.ts') }, folder))
    const { apiTypes } = await import(pathToFileURL(join(folder, 'types.js')).href)
    return apiTypes(contractDescriptions(join(root, 'packages/contract/src')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function manifest() {
  const { name, version, description, license, dependencies } = JSON.parse(
    readFileSync(join(home, 'package.json'), 'utf8'),
  )
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
    // All else that it needs is part of index.js.
    dependencies: { ws: dependencies.ws },
  }
}

async function makePackage() {
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  await build(bundle({ index: join(home, 'src/public/index.ts') }, dist))
  for (const name of DECLARED) writeFileSync(join(dist, `${name}.d.ts`), declarationsOf(name))
  writeFileSync(join(dist, 'api.d.ts'), await apiDeclarations())
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  copyFileSync(join(home, 'README.md'), join(dist, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))
  cpSync(join(home, 'examples'), join(dist, 'examples'), { recursive: true })
}

const destination = resolve(process.argv[2] ?? '.')
await makePackage()
const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], {
  cwd: dist,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [{ filename }] = JSON.parse(packed)
console.log(join(destination, filename))
