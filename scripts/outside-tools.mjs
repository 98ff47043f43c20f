import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What tests of catalogs over buckets need beyond npm: an extension of DuckDB and a server that speaks S3 and checks
 * signatures, both as Python's packages. Found where they are named or were put before, else fetched by pip.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const CACHE = join(root, 'node_modules', '.cache', 'boathouse', 'outside')
const PYICEBERG = ['pyiceberg[pyarrow,sql-sqlite]==0.12.0']
const MOTO = ['moto[s3]==5.2.5', 'flask>=3,<4', 'flask-cors>=5']

function duckdbVersion() {
  const file = join(root, 'node_modules', '@duckdb', 'node-api', 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version.split('-')[0]
}

const pip = (...args) => {
  const tried = spawnSync('python3', ['-m', 'pip', '--disable-pip-version-check', ...args], {
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: 300_000,
  })
  return tried.status === 0
}

/** Into its place at once, or not at all: tests of several processes look there. */
function fetched(place, fetch) {
  if (existsSync(place)) return place
  mkdirSync(CACHE, { recursive: true })
  const draft = mkdtempSync(`${place}-`)
  try {
    if (!fetch(draft)) return undefined
    renameSync(draft, place)
    return place
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** A folder with the wheel of the extension. */
function httpfs() {
  const version = duckdbVersion()
  const folder = process.env.BOATHOUSE_TEST_HTTPFS ?? join(CACHE, `httpfs-${version}`)
  return fetched(folder, (draft) => {
    const wanted = `duckdb-extension-httpfs==${version}`
    return pip('download', '--no-deps', '--only-binary=:all:', '-q', '-d', draft, wanted)
  })
}

/** A folder with the packages of the server. */
function moto() {
  const folder = process.env.BOATHOUSE_TEST_MOTO ?? join(CACHE, 'moto-5.2.5')
  return fetched(
    folder,
    (draft) => pip('install', '-q', '--target', draft, ...MOTO) && readdirSync(draft).length > 0,
  )
}

/** A folder with what makes Iceberg tables. */
function pyiceberg() {
  const folder = process.env.BOATHOUSE_TEST_PYICEBERG ?? join(CACHE, 'pyiceberg-0.12.0')
  return fetched(folder, (draft) => pip('install', '-q', '--target', draft, ...PYICEBERG))
}

/** Sets what the tests look for; gives the reason when it cannot be had. */
export function findOutsideTools() {
  const [extension, server, tables] = [httpfs(), moto(), pyiceberg()]
  if (extension) process.env.BOATHOUSE_TEST_HTTPFS = extension
  if (server) process.env.BOATHOUSE_TEST_MOTO = server
  if (tables) process.env.BOATHOUSE_TEST_PYICEBERG = tables
  if (extension && server && tables) return null
  if (extension && server)
    return `catalogs over Iceberg REST servers: give python3 a pip that reaches its packages, or set BOATHOUSE_TEST_PYICEBERG (a folder made by pip install --target FOLDER '${PYICEBERG.join("' '")}')`
  return `catalogs over Iceberg REST servers and over buckets with a real S3 server: give python3 a pip that reaches its packages, or set BOATHOUSE_TEST_HTTPFS (a folder with the wheel duckdb-extension-httpfs ${duckdbVersion()}) and BOATHOUSE_TEST_MOTO (a folder made by pip install --target FOLDER '${MOTO.join("' '")}')`
}
