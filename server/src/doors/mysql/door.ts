import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LIMITS } from '@boathouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { Events } from '../../kernel/events.ts'
import type { Log } from '../../kernel/log.ts'
import type { Queries } from '../../modules/query/service.ts'
import type { PlainSignIn } from '../../modules/user/plain-sign-in.ts'
import type { Metrics } from '../metrics/metrics.ts'
import {
  BadCertificate,
  type CertificateFiles,
  ownCertificate,
  readCertificate,
} from './certificate/certificate-files.ts'
import type { CertificateAndKey } from './certificate/self-signed.ts'
import { createDoorClients } from './door-clients.ts'
import { SHUTTING_DOWN } from './door-errors.ts'
import { countFigures } from './door-figures.ts'
import type { DoorSettings, ToServer } from './link/messages.ts'
import { createFileLoads, type LoadData } from './file-loads.ts'
import { ProcessLife } from './process-life.ts'
import { PrivateSide, type PrivateSideParts } from './private-side.ts'
import { createSignIn } from './sign-in.ts'

export interface MysqlDoorParts {
  readonly settings: {
    readonly host: string
    readonly port: number
    readonly requiresTls: boolean
    readonly allowsLocalFiles: boolean
    /** Null: a certificate of our own is made. */
    readonly files: CertificateFiles | null
  }
  /** Null: nothing listens for clients of private links. */
  readonly privateLink: PrivateSideParts | null
  readonly dataDir: string
  /** Further names by which this machine is reached. */
  readonly hosts: readonly string[]
  /** The program of the process, as a file. */
  readonly program: () => Promise<string>
  readonly plainSignIn: PlainSignIn
  readonly connections: Queries['connections']
  readonly loadData: LoadData
  readonly events: Events
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
  /** For the operator, if somebody reads the terminal. */
  readonly tell: (text: string) => void
}

/** Clients ask by it what they can use. */
const VERSION = '8.0.33'
/** Numbers of clients, and so of their connections: those of others are counted from 1 on. */
const FIRST_CLIENT = 2 ** 31
const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::'])
const MOST_CONNECTIONS = 2_000
const MOST_UNKNOWN_PER_ADDRESS = 256
const SIGN_IN_MS = 10_000

type State =
  | { readonly is: 'starting' }
  | { readonly is: 'listening'; readonly port: number }
  | { readonly is: 'in trouble'; readonly message: string }

/** The MySQL-protocol endpoint: a process that speaks the protocol, and this server, which decides. */
export class MysqlDoor {
  readonly #parts: MysqlDoorParts
  readonly #clients: ReturnType<typeof createDoorClients>
  readonly #stopListening: () => void
  readonly #privateSide: PrivateSide
  #life: ProcessLife | null = null
  #state: State = { is: 'starting' }
  #certificate: CertificateAndKey | null = null
  /** What was reported to the operator last: the same trouble is reported once. */
  #reported = ''
  #nextClient = FIRST_CLIENT
  #port: number
  #settled: (() => void) | null = null
  #isStarted = false

  constructor(parts: MysqlDoorParts) {
    this.#parts = parts
    this.#port = parts.settings.port
    this.#privateSide = new PrivateSide(parts.privateLink)
    const { plainSignIn, connections, loadData, events, log } = parts
    const { allowsLocalFiles } = parts.settings
    this.#clients = createDoorClients({
      link: {
        send: (message) => this.#life?.send(message),
        sendRows: (client, batch) => this.#life?.sendRows(client, batch) ?? 0,
      },
      signIn: createSignIn({
        plainSignIn,
        connections,
        allowsLocalFiles,
        port: () => this.#port,
        endpointOf: (arrival) => this.#privateSide.endpointOf(arrival),
      }),
      loadFile: createFileLoads({ loadData, isAllowed: allowsLocalFiles }),
      countStatement: (state) => parts.metrics.mysql.statements.inc({ state }),
      log,
    })
    const stops = [
      events.on('firewallChanged', ({ accountId, letsIn }) =>
        this.#clients.firewallChanged(accountId, letsIn),
      ),
      events.on('keyChanged', ({ keyId }) => this.#clients.keyChanged(keyId)),
      events.on('privateLinksChanged', () => this.#sendSettings()),
    ]
    this.#stopListening = () => stops.forEach((stop) => stop())
  }

  /** Where clients connect to. */
  get endpoint(): { readonly host: string; readonly port: number; readonly listening: boolean } {
    const { settings, hosts } = this.#parts
    const listening = this.#state.is === 'listening'
    const host = ALL_ADDRESSES.has(settings.host) ? (hosts[0] ?? 'localhost') : settings.host
    return { host, port: this.#port, listening }
  }

  /** Where clients of private links connect to; null: nowhere. */
  get privateAddress(): PrivateSide['address'] {
    return this.#privateSide.address
  }

  /** Whether clients can connect, or why not. */
  get state(): State['is'] {
    return this.#state.is
  }

  /** In a few words, for those who look whether all is well. */
  get health(): string {
    if (this.#state.is === 'listening') return `listening on ${this.#parts.settings.host}:${this.#state.port}`
    return this.#state.is === 'starting' ? 'starting' : this.#state.message
  }

  get pid(): number | undefined {
    return this.#life?.pid
  }

  /** Resolves when it listens, or when it is known why it does not; the rest of the service runs all the same. */
  async start(): Promise<void> {
    const { connections, dataDir } = this.#parts
    const highest = await connections.closeFrom(FIRST_CLIENT)
    if (highest !== null) this.#nextClient = highest + 1
    await rm(temporaryFolderIn(dataDir), { recursive: true, force: true })
    await mkdir(temporaryFolderIn(dataDir), { recursive: true, mode: 0o700 })
    this.#isStarted = true
    await this.renewCertificate()
  }

  /** Reads the certificate again. One that is of no use is reported, and the one in use is kept. */
  async renewCertificate(): Promise<void> {
    if (!this.#isStarted) return
    const { settings, dataDir, hosts, clock } = this.#parts
    const before = this.#certificate
    try {
      const { files } = settings
      const now = files
        ? await readCertificate(files, clock.now())
        : await ownCertificate(dataDir, hosts, clock)
      if (now.certificate === before?.certificate && now.key === before.key) return
      this.#certificate = now
      this.#reported = ''
      if (before) this.#parts.log.info('the certificate of the MySQL endpoint was renewed')
    } catch (error) {
      if (!(error instanceof BadCertificate)) throw error
      const then = before ? 'The one in use is kept.' : 'The MySQL endpoint is closed until it is replaced.'
      return this.#trouble(`${error.message} ${then}`)
    }
    if (this.#life) this.#sendSettings()
    else await this.#begin()
  }

  /** Who is idle is asked whether they may still be here. */
  check(): Promise<void> {
    return this.#clients.check()
  }

  /** Sends everybody away; resolves when nothing of the process is left. */
  async close(): Promise<void> {
    this.#isStarted = false
    this.#stopListening()
    await this.#clients.sendAllAway(SHUTTING_DOWN)
    await this.#life?.close()
  }

  async #begin(): Promise<void> {
    const life = new ProcessLife({
      path: await this.#parts.program(),
      onStart: () => this.#sendSettings(),
      onMessage: (message) => this.#receive(message),
      onFile: (client, bytes) => this.#clients.receiveFile(client, bytes),
      onEnd: (reason) => this.#ended(reason),
      log: this.#parts.log,
    })
    this.#life = life
    const settled = new Promise<void>((resolve) => (this.#settled = resolve))
    life.start()
    await settled
  }

  #sendSettings(): void {
    const { settings, dataDir } = this.#parts
    if (!this.#certificate) return
    const all: DoorSettings = {
      ...this.#certificate,
      firstClient: this.#nextClient,
      host: settings.host,
      port: this.#port,
      version: VERSION,
      requiresTls: settings.requiresTls,
      mostPacketBytes: LIMITS.bodyBytes,
      mostTextLength: LIMITS.sqlLength,
      mostConnections: MOST_CONNECTIONS,
      mostUnknownPerAddress: MOST_UNKNOWN_PER_ADDRESS,
      signInMs: SIGN_IN_MS,
      allowsLocalFiles: settings.allowsLocalFiles,
      privateLink: this.#privateSide.settings,
      temporaryFolder: temporaryFolderIn(dataDir),
    }
    this.#life?.send({ kind: 'settings', settings: all })
  }

  #receive(message: ToServer): void {
    if (message.kind === 'listening') return this.#listens(message.port)
    if (message.kind === 'listening-privately') return this.#privateSide.listens(message.port)
    if (message.kind === 'trouble') return this.#processTrouble(message.message)
    if (message.kind === 'figures') return countFigures(this.#parts.metrics, message.figures)
    // The next process numbers its clients behind those of this one.
    this.#nextClient = Math.max(this.#nextClient, message.client + 1)
    this.#clients.receive(message)
  }

  #listens(port: number): void {
    this.#state = { is: 'listening', port }
    // A port that was taken by chance is asked for again when the process is replaced.
    this.#port = port
    this.#reported = ''
    this.#settle()
  }

  /** Without a port it is of no use: it is started again, later each time. */
  #processTrouble(message: string): void {
    const wasListening = this.#state.is === 'listening'
    this.#trouble(message)
    if (wasListening) return
    this.#port = this.#parts.settings.port
    this.#life?.abandon()
  }

  #trouble(message: string): void {
    if (this.#state.is !== 'listening') this.#state = { is: 'in trouble', message }
    this.#settle()
    if (this.#reported === message) return
    this.#reported = message
    this.#parts.log.error({ reason: message }, 'the MySQL endpoint is in trouble')
    this.#parts.tell(`MySQL endpoint: ${message}`)
  }

  #ended(reason: string): void {
    if (this.#isStarted && this.#state.is === 'starting')
      this.#trouble(`Its process ended before it listened: ${reason}`)
    if (this.#state.is === 'listening') this.#state = { is: 'starting' }
    this.#privateSide.ended()
    this.#parts.metrics.mysql.connections.set(0)
    this.#settle()
    void this.#clients.allGone()
  }

  #settle(): void {
    this.#settled?.()
    this.#settled = null
  }
}

const temporaryFolderIn = (dataDir: string): string => join(dataDir, 'mysql-results')
