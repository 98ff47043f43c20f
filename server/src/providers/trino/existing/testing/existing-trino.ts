import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { selfSigned } from '../../../../doors/mysql/process/testing/self-signed.ts'
import { freePort } from '../../../../testing/free-port.ts'
import { TRINO, TRINO_JDK } from '../../../../testing/trino-kit.ts'
import { type ExistingAddress, openLine } from '../line.ts'
import { nodesOf } from '../questions.ts'

/** The user of the cluster that may act for others; another may not. */
export const SERVICE = 'boathouse-service'
const STARTED_WITHIN_MS = 600_000

const RULES = {
  // Everybody may do everything: what keeps accounts apart is proved to be the service.
  catalogs: [{ allow: 'all' }],
  impersonation: [{ original_user: SERVICE, new_user: '.+@.+', allow: true }],
}

const CATALOGS = { tpch: 'tpch', sales: 'memory', secret: 'memory' }

const JVM = [
  '-Xmx768M',
  // It starts in half the time, and no test runs for as long as better code would pay.
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseG1GC',
  '-XX:+ExitOnOutOfMemoryError',
  '-Djdk.attach.allowAttachSelf=true',
  '-Djol.skipHotspotSAAttach=true',
  '--enable-native-access=ALL-UNNAMED',
  '--sun-misc-unsafe-memory-access=allow',
]

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A real server as a company has one: by TLS, with tokens, rules and catalogs of its own. */
export async function startExistingTrino() {
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-existing-'))
  const [port, inner] = [await freePort(), await freePort()]
  const { certificate, key } = selfSigned('localhost')
  const tokenKey = randomBytes(48)
  const etc = join(folder, 'etc')
  const put = (name: string, lines: readonly string[]): Promise<void> =>
    writeFile(join(etc, name), `${lines.join('\n')}\n`)
  await mkdir(join(etc, 'catalog'), { recursive: true })
  await put('server.pem', [key, certificate])
  await put('token.key', [tokenKey.toString('base64')])
  await put('rules.json', [JSON.stringify(RULES)])
  await put('access-control.properties', [
    'access-control.name=file',
    `security.config-file=${etc}/rules.json`,
  ])
  for (const [name, connector] of Object.entries(CATALOGS))
    await put(`catalog/${name}.properties`, [`connector.name=${connector}`])
  await put('config.properties', [
    'coordinator=true',
    'node-scheduler.include-coordinator=true',
    'node.environment=company',
    'node.id=one',
    'node.internal-address=127.0.0.1',
    'node.bind-ip=127.0.0.1',
    `http-server.http.port=${inner}`,
    `discovery.uri=http://127.0.0.1:${inner}`,
    'http-server.https.enabled=true',
    `http-server.https.port=${port}`,
    `http-server.https.keystore.path=${etc}/server.pem`,
    'http-server.authentication.type=jwt',
    `http-server.authentication.jwt.key-file=${etc}/token.key`,
    `internal-communication.shared-secret=${randomBytes(32).toString('hex')}`,
    `plugin.dir=${TRINO}/plugin`,
  ])

  const tokenOf = (user: string): string => {
    const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: user, exp: 4_000_000_000 })}`
    return `${content}.${createHmac('sha256', tokenKey).update(content).digest('base64url')}`
  }
  const addressOf = (user: string, token = tokenOf(user)): ExistingAddress => ({
    url: `https://localhost:${port}`,
    user,
    credential: { token },
    certificates: certificate,
  })

  let child: ChildProcess
  async function start(): Promise<void> {
    const args = ['-cp', `${TRINO}/lib/*`, `-Dconfig=${etc}/config.properties`, `-Dnode.data-dir=${folder}`]
    child = spawn(`${TRINO_JDK}/bin/java`, [...JVM, ...args, 'io.trino.server.TrinoServer'], {
      cwd: folder,
      stdio: 'ignore',
    })
    const line = openLine(addressOf(SERVICE))
    const answers = (): Promise<void> => expect(nodesOf(line, 10_000)).resolves.toHaveLength(1)
    await vi.waitFor(answers, { timeout: STARTED_WITHIN_MS, interval: 500 })
    line.close()
  }
  async function kill(): Promise<void> {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  await start()
  return {
    addressOf,
    tokenOf,
    certificateFile: join(folder, 'etc', 'ca.pem'),
    writeCertificate: () => put('ca.pem', [certificate]),
    start,
    kill,
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
