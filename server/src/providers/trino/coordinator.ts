import { boundedText } from './bounded-text.ts'
import { serviceToken, SERVICE_USER } from './service-token.ts'
import { whatHelps } from './what-helps.ts'

const PATIENCE_MS = 10_000
/** Longer answers are cut off. */
const MOST_BYTES = 4 * 1024 * 1024

export type Row = readonly unknown[]

/** The coordinator, or a worker, refuses something or answers what nobody can use. */
class NodeAnswer extends Error {
  override readonly name = 'NodeAnswer'
}

interface Page {
  readonly nextUri?: string
  readonly data?: readonly Row[]
  readonly error?: { readonly message?: string }
}

export interface NodeAddress {
  readonly port: number
  readonly tokenKey: string
}

export const urlOf = (port: number): string => `http://127.0.0.1:${port}`

/** Only the service can make these: see `node-files.ts`. */
export const headersFor = (tokenKey: string, user: string): Record<string, string> => ({
  authorization: `Bearer ${serviceToken(tokenKey, new Date())}`,
  'x-forwarded-proto': 'https',
  'x-trino-user': user,
})

/** Links in answers begin with what the node believes to be its address. */
export function addressOf(port: number, link: string): string {
  const { pathname, search } = new URL(link)
  return `${urlOf(port)}${pathname}${search}`
}

async function ask(node: NodeAddress, path: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(`${urlOf(node.port)}${path}`, {
    ...init,
    headers: { ...headersFor(node.tokenKey, SERVICE_USER), ...(init.headers as Record<string, string>) },
    redirect: 'error',
    signal: init.signal ?? AbortSignal.timeout(PATIENCE_MS),
  })
  const text = await boundedText(response, MOST_BYTES)
  if (text === undefined) throw new NodeAnswer('its answer has no end')
  if (!response.ok)
    throw new NodeAnswer(
      `it answers with the status ${response.status}: ${whatHelps(text) || 'nothing else'}`,
    )
  if (text === '') return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new NodeAnswer('it answers with something that is not JSON')
  }
}

/** Whether the node has come up as far as it can alone. Rejects while it does not answer. */
export async function hasStarted(node: NodeAddress, patienceMs = PATIENCE_MS): Promise<boolean> {
  const info = await ask(node, '/v1/info', { signal: AbortSignal.timeout(patienceMs) })
  if (typeof info !== 'object' || info === null || !('starting' in info))
    throw new NodeAnswer('it answers with something that no node says')
  return info.starting === false
}

/** Takes no more work, finishes what it has, and ends. */
export const drain = async (node: NodeAddress): Promise<void> =>
  void (await ask(node, '/v1/info/state', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '"SHUTTING_DOWN"',
  }))

/** Runs a statement of the service and gives all of its rows, which are few. */
export async function runStatement(node: NodeAddress, sql: string): Promise<Row[]> {
  const rows: Row[] = []
  let page = (await ask(node, '/v1/statement', { method: 'POST', body: sql })) as Page
  for (;;) {
    if (page.error) throw new NodeAnswer(whatHelps(page.error.message ?? 'it failed without a reason'))
    rows.push(...(page.data ?? []))
    if (page.nextUri === undefined) return rows
    page = (await ask(node, addressOf(node.port, page.nextUri).slice(urlOf(node.port).length))) as Page
  }
}

/** Ids of the workers that take work. */
export async function activeWorkers(node: NodeAddress): Promise<string[]> {
  const sql = "select node_id from system.runtime.nodes where state = 'active' and not coordinator"
  return (await runStatement(node, sql)).map(([id]) => String(id))
}
