import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { findTrino } from './trino.mjs'

/**
 * The product with a warehouse that is a cluster, from a clean checkout: finds or fetches Trino and Java, starts everything in
 * a data directory of its own, and copies sample data of the connector tpch into the lake of its account. Settings of the
 * environment win over those of the demo.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const cli = join(root, 'cli', 'bin', 'boathouse.js')
const WAREHOUSE = 'cluster'
const TABLES = ['customer', 'lineitem', 'nation', 'orders', 'part', 'partsupp', 'region', 'supplier']

const say = (text) => console.log(text)

function settings() {
  const { BOATHOUSE_DATA_DIR: dataDir = join(root, 'data', 'demo-cluster') } = process.env
  return {
    BOATHOUSE_TRINO_HOME: process.env.BOATHOUSE_TEST_TRINO,
    BOATHOUSE_TRINO_JDK: process.env.BOATHOUSE_TEST_TRINO_JDK,
    BOATHOUSE_TRINO_HEAP_MB: '768',
    BOATHOUSE_TRINO_TPCH: 'true',
    ...process.env,
    BOATHOUSE_DATA_DIR: dataDir,
    BOATHOUSE_ADMIN_PASSWORD: passwordIn(dataDir),
  }
}

/** The same at each start, readable by its owner only. */
function passwordIn(dataDir) {
  const file = join(dataDir, 'demo-password')
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  if (!existsSync(file)) writeFileSync(file, `Aa1!${randomBytes(9).toString('base64url')}`, { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

/** Resolves with what `boathouse status` says of it; null when it ended before. */
async function started(server, env) {
  const ended = new Promise((resolve) => server.once('exit', () => resolve(null)))
  const ready = new Promise((resolve) => {
    server.stdout.on('data', (part) => {
      process.stdout.write(part)
      if (String(part).includes('Boathouse is ready')) resolve(true)
    })
  })
  if (!(await Promise.race([ready, ended]))) return null
  // It is announced a moment before it says so.
  const { stdout } = spawnSync(process.execPath, [cli, 'status', '--json'], { env, encoding: 'utf8' })
  return JSON.parse(stdout)
}

/** Runs statements as the administrator: its exit code, and what it said. */
function runSql(env, { url, accountId, user }, statements) {
  const { BOATHOUSE_ADMIN_PASSWORD: password, PATH, HOME } = env
  const options = ['-a', accountId, '-u', user, '--no-history', '--format', 'jsonl']
  const args = ['sql', url, ...options, ...statements.flatMap((sql) => ['-e', sql])]
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [cli, ...args], {
      // Not those of the service, which no client may have.
      env: { PATH, HOME, BOATHOUSE_PASSWORD: password },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let told = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (told += part))
    child.once('exit', (code) => resolve({ code, told }))
  })
}

async function prepare(env, server) {
  const { told } = await runSql(env, server, ['SHOW WAREHOUSES'])
  if (!told.includes(`"${WAREHOUSE}"`)) {
    const created = await runSql(env, server, [
      `CREATE WAREHOUSE ${WAREHOUSE} SIZE = 'X-Small', ENGINE = 'trino', COMMENT = 'A cluster of Trino'`,
    ])
    if (created.code !== 0) return created
  }
  say('Starting the cluster and copying the sample data, which takes a minute or two …')
  return runSql(env, server, [
    `SET WAREHOUSE ${WAREHOUSE}`,
    'SELECT count(*) FROM tpch.tiny.nation',
    'CREATE DATABASE IF NOT EXISTS lake.sample',
    ...TABLES.map(
      (name) => `CREATE TABLE IF NOT EXISTS lake.sample.${name} AS SELECT * FROM tpch.tiny.${name}`,
    ),
  ])
}

const missing = findTrino()
for (const line of missing) console.error(`MISSING ${line}`)
if (missing.length > 0) process.exit(1)
await ensureBuilt()
const env = settings()
const server = spawn(process.execPath, [cli, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill('SIGTERM'))
server.once('exit', (code) => process.exit(code ?? 1))
const status = await started(server, env)
if (status) {
  const { code, told } = await prepare(env, status)
  if (code === 0) {
    say(
      `\nThe cluster is ready: warehouse ${WAREHOUSE}, tables in lake.sample, and the catalog tpch for more.`,
    )
    say(`  Sign in   ${status.url}/login?step=signin&aid=${status.accountId}&region=${status.region}`)
    say(`  User      ${status.user}`)
    say(`  Password  ${env.BOATHOUSE_ADMIN_PASSWORD}`)
  } else {
    console.error(`The cluster could not be prepared.\n${told}`)
    server.kill('SIGTERM')
  }
}
