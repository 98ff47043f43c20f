import { cellsOf } from '../engines/engine/batches.ts'
import type { RowBatch } from '../engines/engine/sink.ts'
import { createDoorClients } from '../doors/mysql/door-clients.ts'
import { createFileLoads } from '../doors/mysql/file-loads.ts'
import { createSignIn } from '../doors/mysql/sign-in.ts'
import type { Proof, ToDoor, ToServer } from '../doors/mysql/link/messages.ts'
import { createLog } from '../kernel/log.ts'
import { HERE } from './client-kit.ts'
import type { TestApp } from './start-app.ts'

type Said = ToDoor | { readonly kind: 'rows'; readonly client: number; readonly rows: (string | null)[][] }

type SignInOf = Partial<Omit<Extract<ToServer, { kind: 'sign-in' }>, 'kind' | 'proof'>> & {
  readonly client: number
  readonly user: string
  readonly proof: Proof | string
}

const isEnd = (one: Said): boolean =>
  one.kind === 'refused' || one.kind === 'hang-up' || (one.kind === 'ended' && one.isLast)

/** In place of the process of the MySQL door: sends commands and keeps what is answered. */
export function scriptedProcess(app: TestApp, options: { readonly grants?: boolean } = {}) {
  const said: Said[] = []
  const waiting = new Set<() => void>()
  const heard = (message: Said): void => {
    said.push(message)
    for (const look of waiting) look()
  }
  const link = {
    send: heard,
    sendRows: (client: number, batch: RowBatch): number => {
      const bytes = batch.columns.reduce((sum, { data }) => sum + data.length, 0)
      heard({ kind: 'rows', client, rows: cellsOf(batch) })
      if (options.grants !== false) queueMicrotask(() => clients.receive({ kind: 'granted', client, bytes }))
      return bytes
    },
  }
  const { connections } = app.queries
  const signIn = createSignIn({
    plainSignIn: app.plainSignIn,
    connections,
    allowsLocalFiles: true,
    port: () => 9030,
    endpointOf: () => null,
  })
  const clients = createDoorClients({
    link,
    signIn,
    loadFile: createFileLoads({ loadData: app.loads.streams.loadData, isAllowed: true }),
    countStatement: () => undefined,
    log: createLog('silent'),
  })

  /** The first message from here on that is one of these. */
  const next = <K extends Said['kind']>(client: number, kinds: readonly K[], from: number) =>
    new Promise<Extract<Said, { kind: K }>>((resolve) => {
      const look = (): void => {
        const found = said
          .slice(from)
          .find((one) => 'client' in one && one.client === client && kinds.some((kind) => kind === one.kind))
        if (!found) return
        waiting.delete(look)
        resolve(found as Extract<Said, { kind: K }>)
      }
      waiting.add(look)
      look()
    })

  function signInWith({ client, user, proof, ...more }: SignInOf) {
    const answer = next(client, ['signed-in', 'refused', 'password-needed'], said.length)
    clients.receive({
      kind: 'sign-in',
      client,
      user,
      proof: typeof proof === 'string' ? { kind: 'password', password: proof } : proof,
      address: HERE,
      isSecure: true,
      attributes: { program_name: 'oars', _client_name: 'libmysql', _client_version: '9.1' },
      database: '',
      collation: 45,
      ...more,
    })
    return answer
  }

  return {
    clients,
    said,
    send: (message: Extract<ToServer, { client: number }>) => clients.receive(message),
    next: <K extends Said['kind']>(client: number, ...kinds: readonly K[]) =>
      next(client, kinds, said.length),

    signIn: (client: number, user: string, proof: Proof | string) => signInWith({ client, user, proof }),
    signInWith,

    /** What is answered to a text: the results of its statements, and how each ended. */
    async run(client: number, sql: string, more: Partial<Extract<ToServer, { kind: 'run' }>> = {}) {
      const from = said.length
      clients.receive({ kind: 'run', client, sql, allowsSeveral: true, ...more })
      const own = () => said.slice(from).filter((one) => 'client' in one && one.client === client)
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (!own().some(isEnd)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      })
      const answers = own()
      return {
        columns: answers.flatMap((one) => (one.kind === 'columns' ? [one.columns] : [])),
        rows: answers.flatMap((one) => (one.kind === 'rows' ? one.rows : [])),
        ends: answers.flatMap((one) => (one.kind === 'ended' ? [one] : [])),
        error: answers.flatMap((one) =>
          one.kind === 'refused' || one.kind === 'hang-up' ? [one.error] : [],
        )[0],
      }
    },
  }
}
