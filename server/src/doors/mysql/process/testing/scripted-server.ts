import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'
import { type Column, TEXT, columnOf, type ValueType } from '../../../../engines/engine/columns.ts'
import type { RowBatch } from '../../../../engines/engine/sink.ts'
import { LINK_PIPE, LINK_WINDOW_BYTES, Link } from '../../link/frames.ts'
import type { DoorSettings, Figures, Proof, SessionState, ToDoor, ToServer } from '../../link/messages.ts'
import { doorBundle } from './door-bundle.ts'
import { selfSigned } from './self-signed.ts'

export type MessageOf<Kind extends ToServer['kind']> = Extract<ToServer, { readonly kind: Kind }>

export const SESSION: SessionState = {
  database: '',
  isAutocommit: true,
  inTransaction: false,
  clientCharset: 'utf8mb4',
  resultCharset: 'utf8mb4',
  isWithoutBackslash: false,
  changed: {},
}

export const ENDED = {
  kind: 'ended',
  isLast: true,
  error: null,
  affectedRows: 0,
  lastInsertId: 0,
  warnings: 0,
  info: '',
  session: SESSION,
} as const

export const DENIED = { code: 1045, sqlState: '28000', message: 'Access denied' }

/** What a statement of the script answers. */
export interface Script {
  readonly columns?: readonly Column[]
  readonly batches?: Iterable<RowBatch>
  readonly ended?: Partial<Omit<Extract<ToDoor, { kind: 'ended' }>, 'kind' | 'client'>>
}

export const column = (name: string, valueType: ValueType): Column => columnOf(name, '', valueType)

/** A batch of rows that are written as texts; null is NULL. */
export function batchOf(rows: readonly (readonly (string | null)[])[]): RowBatch {
  const columns = (rows[0] ?? []).map((_, at) => {
    const texts = rows.map((row) => Buffer.from(row[at] ?? ''))
    let end = 0
    return {
      data: new Uint8Array(Buffer.concat(texts)),
      ends: Uint32Array.from(texts, (text) => (end += text.length)),
      isNull: Uint8Array.from(rows, (row) => (row[at] === null ? 1 : 0)),
    }
  })
  return { rows: rows.length, columns }
}

const PASSWORD = 'secret'

/** The server's half of the door as a test wants it: it answers over a real link to the real process. */
export class ScriptedServer {
  readonly received: ToServer[] = []
  readonly figures: Figures[] = []
  readonly files = new Map<number, Buffer[]>()
  readonly child: ChildProcess
  port = 0
  /** Whether scrambles are known, as they are after the first password. */
  knowsScrambles = false
  /** What a text answers: one script for each of its statements, or a message for the whole. */
  answer: (message: MessageOf<'run'>) => readonly Script[] | null = () => [{}]
  handle: (message: ToServer) => boolean = () => false
  readonly #link: Link<ToDoor, ToServer>
  readonly #windows = new Map<number, { free: number; wake: (() => void) | null }>()
  #waiters: (() => void)[] = []

  private constructor(child: ChildProcess) {
    this.child = child
    this.#link = new Link<ToDoor, ToServer>(child.stdio[LINK_PIPE] as Duplex, {
      message: (message) => this.#receive(message),
      file: (client, bytes) => {
        this.files.set(client, [...(this.files.get(client) ?? []), Buffer.from(bytes)])
        this.send({ kind: 'file-granted', client, bytes: bytes.length })
      },
      closed: () => undefined,
    })
  }

  static async start(settings: Partial<DoorSettings> = {}): Promise<ScriptedServer> {
    const child = spawn(process.execPath, [await doorBundle()], {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    })
    const server = new ScriptedServer(child)
    server.send({ kind: 'settings', settings: { ...testSettings(), ...settings } })
    const started = await server.until('listening', 'trouble')
    if (started.kind === 'listening') server.port = started.port
    return server
  }

  send(message: ToDoor): void {
    this.#link.send(message)
  }

  /** The next message of one of these kinds, or one that has come already. */
  async until<Kind extends ToServer['kind']>(...kinds: Kind[]): Promise<MessageOf<Kind>> {
    return this.untilFound((message): message is MessageOf<Kind> =>
      kinds.some((kind) => kind === message.kind),
    )
  }

  async untilFound<Found extends ToServer>(is: (message: ToServer) => message is Found): Promise<Found> {
    for (;;) {
      const found = this.received.find(is)
      if (found) return found
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
  }

  async stop(): Promise<void> {
    const ended = this.child.exitCode === null ? once(this.child, 'exit') : null
    this.#link.close()
    await ended
  }

  #receive(message: ToServer): void {
    if (message.kind === 'figures') this.figures.push(message.figures)
    this.received.push(message)
    for (const wake of this.#waiters.splice(0)) wake()
    if (message.kind === 'sign-in') this.#windows.set(message.client, { free: LINK_WINDOW_BYTES, wake: null })
    if (this.handle(message)) return
    if (message.kind === 'granted') this.#grant(message)
    else if (message.kind === 'gone') this.#forget(message.client)
    else if (message.kind === 'sign-in') this.#signIn(message)
    else if (message.kind === 'run') void this.#run(message)
    else if (message.kind === 'enter')
      this.send({ ...ENDED, client: message.client, session: { ...SESSION, database: message.database } })
    else if (message.kind === 'reset' || message.kind === 'kill')
      this.send({ ...ENDED, client: message.client })
    else if (message.kind === 'statistics')
      this.send({ kind: 'statistics', client: message.client, text: 'Uptime: 1' })
    else if (message.kind === 'list-fields')
      this.send({
        kind: 'described',
        client: message.client,
        columns: [column(message.table, TEXT)],
        parameters: 0,
      })
    else if (message.kind === 'describe')
      this.send({
        kind: 'described',
        client: message.client,
        columns: null,
        parameters: message.sql.split('?').length - 1,
      })
  }

  isFull(client: number): boolean {
    return this.unread(client) >= LINK_WINDOW_BYTES
  }

  /** Bytes of rows that the client has not taken. */
  unread(client: number): number {
    return LINK_WINDOW_BYTES - (this.#windows.get(client)?.free ?? LINK_WINDOW_BYTES)
  }

  #forget(client: number): void {
    const window = this.#windows.get(client)
    this.#windows.delete(client)
    window?.wake?.()
  }

  #signIn({ client, proof, user }: MessageOf<'sign-in'>): void {
    const isKnown = user === 'ACME.lea' && isProved(proof, this.knowsScrambles)
    if (isKnown) {
      this.knowsScrambles = true
      this.send({ kind: 'signed-in', client, connection: client, session: SESSION })
    } else if (proof.kind === 'password') this.send({ kind: 'refused', client, error: DENIED })
    else this.send({ kind: 'password-needed', client })
  }

  async #run(message: MessageOf<'run'>): Promise<void> {
    const { client } = message
    const scripts = this.answer(message)
    if (!scripts) return
    for (const [at, { columns, batches = [], ended = {} }] of scripts.entries()) {
      if (columns) this.send({ kind: 'columns', client, columns })
      for (const batch of batches) {
        const window = await this.#room(client)
        if (!window) return
        window.free -= this.#link.sendRows(client, batch)
      }
      this.send({ ...ENDED, client, isLast: at === scripts.length - 1, ...ended })
    }
  }

  /** Null for a client that is gone. */
  async #room(client: number): Promise<{ free: number } | null> {
    for (;;) {
      const window = this.#windows.get(client)
      if (!window || window.free > 0) return window ?? null
      await new Promise<void>((resolve) => (window.wake = resolve))
    }
  }

  #grant({ client, bytes }: MessageOf<'granted'>): void {
    const window = this.#windows.get(client)
    if (!window) return
    window.free += bytes
    window.wake?.()
  }
}

/** Of one test. */
export async function scriptedServer(settings: Partial<DoorSettings> = {}): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(settings)
  onTestFinished(() => server.stop())
  return server
}

let made: ReturnType<typeof selfSigned> | null = null

export const testSettings = (): DoorSettings => ({
  firstClient: 7,
  host: '127.0.0.1',
  port: 0,
  version: '8.0.33-boathouse',
  ...(made ??= selfSigned('first')),
  requiresTls: false,
  mostPacketBytes: 64 * 1024 * 1024,
  mostTextLength: 32 * 1024 * 1024,
  mostConnections: 100,
  mostUnknownPerAddress: 50,
  signInMs: 10_000,
  allowsLocalFiles: true,
  privateLink: null,
  temporaryFolder: tmpdir(),
})

const hash = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()

/** As the server checks it with what it knows of a password. */
function isProved(proof: Proof, knowsScrambles: boolean): boolean {
  if (proof.kind === 'password') return proof.password === PASSWORD
  if (!knowsScrambles) return false
  if (proof.kind === 'native-scramble') return false
  const once = hash(Buffer.from(PASSWORD))
  const mask = hash(hash(once), proof.nonce)
  return once.every((byte, at) => (byte ^ (mask[at] ?? 0)) === proof.scramble[at])
}
