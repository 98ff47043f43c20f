import { boundedText } from '../bounded-text.ts'
import { ClusterRefused } from '../refused.ts'
import { SERVICE_USER } from '../service-token.ts'
import { whatHelps } from '../what-helps.ts'
import type { ExistingLine } from './line.ts'

/** The oldest that the service is tested with: what it must know of a statement, older ones do not say. */
const OLDEST_VERSION = 476
const MOST_BYTES = 4 * 1024 * 1024
const BUSY = new Set([429, 502, 503, 504])

type Fields = Readonly<Record<string, unknown>>
type Line = Pick<ExistingLine, 'url' | 'fetch' | 'headersFor' | 'addressOf'>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nonsense = (): ClusterRefused =>
  new ClusterRefused('What answers at the address of the cluster is not a Trino server of a known kind.')

/** By the codes of Node and OpenSSL. */
const UNREACHED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address.',
  ENOTFOUND: 'there is no machine of its name.',
  EAI_AGAIN: 'there is no machine of its name.',
  ECONNRESET: 'the connection was cut.',
  EPROTO: 'its address does not speak TLS.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'its address does not speak TLS.',
  CERT_HAS_EXPIRED: 'its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name.',
}

function unreached(error: unknown): ClusterRefused {
  const { name, code = '' } = error as Error & { code?: string }
  const isCertificate = /^(?:UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_)/.test(code)
  const why =
    name === 'TimeoutError' || name === 'AbortError' || code === 'ABORT_ERR'
      ? 'it did not do so in time.'
      : (UNREACHED[code] ??
        (isCertificate
          ? 'nobody that this service trusts has signed its certificate.'
          : 'it cannot be reached.'))
  return new ClusterRefused(`The cluster does not answer: ${why}`, { cause: error })
}

const cannotActFor = (): ClusterRefused =>
  new ClusterRefused('The cluster does not let this service act for its users. Its operator must allow that.')

/** A server says it with a status or as the error of a statement. */
const isImpersonation = (text: string): boolean => text.includes('cannot impersonate')

function refusal(status: number, text: string): ClusterRefused {
  if (status === 401)
    return new ClusterRefused('The cluster does not accept the credentials of this service.')
  if (status === 403 && isImpersonation(text)) return cannotActFor()
  if (status === 403) return new ClusterRefused('The cluster does not let this service do what it needs.')
  if (BUSY.has(status)) return new ClusterRefused(`The cluster is too busy, or is being started (${status}).`)
  return new ClusterRefused(`The cluster answers with the status ${status}.`)
}

interface Asking {
  readonly user?: string
  readonly body?: string
  readonly signal: AbortSignal
}

/** Rejects with a `ClusterRefused` that names neither addresses nor secrets: users of accounts read it. */
async function ask(line: Line, link: string, { user, body, signal }: Asking): Promise<Fields> {
  let text: string | undefined
  let response: Response
  try {
    response = await line.fetch(line.addressOf(link), {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: {
        ...(user === undefined ? {} : { ...line.headersFor(user), 'x-trino-source': 'boathouse' }),
        accept: 'application/json',
      },
      signal,
    })
    text = await boundedText(response, MOST_BYTES)
  } catch (error) {
    throw unreached(error)
  }
  if (!response.ok) throw refusal(response.status, text ?? '')
  try {
    const value = JSON.parse(text ?? '') as unknown
    if (isFields(value)) return value
  } catch {
    // As what is JSON and no object.
  }
  throw nonsense()
}

/** That it is a coordinator, new enough, and has started. Asked without credentials. */
export async function requireStarted(line: Line, patienceMs: number): Promise<void> {
  const info = await ask(line, '/v1/info', { signal: AbortSignal.timeout(patienceMs) })
  const { nodeVersion, starting, coordinator } = info
  if (!isFields(nodeVersion) || typeof starting !== 'boolean') throw nonsense()
  const { version } = nodeVersion
  const number = typeof version === 'string' ? Number.parseInt(version, 10) : Number.NaN
  if (Number.isNaN(number)) throw nonsense()
  if (number < OLDEST_VERSION)
    throw new ClusterRefused(
      `The cluster has version ${number} of Trino, and ${OLDEST_VERSION} or newer is needed.`,
    )
  if (coordinator === false)
    throw new ClusterRefused('The address of the cluster is that of a worker, and not of its coordinator.')
  if (starting) throw new ClusterRefused('The cluster is being started. Try again in a moment.')
}

interface Answered {
  readonly id: string
  readonly rows: readonly (readonly unknown[])[]
}

interface Running extends Omit<Asking, 'body'> {
  /** Rows beyond these are not read; missing: it is known to have few. */
  readonly most?: number
}

/** The rows of a short statement of the service, as itself or for a user. */
async function run(line: Line, sql: string, asking: Running): Promise<Answered> {
  const rows: (readonly unknown[])[] = []
  const { signal, user = SERVICE_USER, most = Number.POSITIVE_INFINITY } = asking
  let page = await ask(line, '/v1/statement', { user, signal, body: sql })
  for (;;) {
    const { id, error, data, nextUri } = page
    if (typeof id !== 'string') throw nonsense()
    if (isFields(error)) {
      const message = typeof error.message === 'string' ? error.message : ''
      if (isImpersonation(message)) throw cannotActFor()
      throw new ClusterRefused(
        `The cluster refuses a statement of this service: ${whatHelps(message) || 'without a reason'}`,
      )
    }
    if (Array.isArray(data)) rows.push(...data.filter(Array.isArray))
    if (typeof nextUri !== 'string') return { id, rows }
    if (rows.length >= most) {
      await forget(line, nextUri, user)
      return { id, rows: rows.slice(0, most) }
    }
    try {
      page = await ask(line, nextUri, { user, signal })
    } catch (error) {
      if (signal.aborted) await forget(line, nextUri, user)
      throw error
    }
  }
}

/** Nobody waits for it any more. */
async function forget(line: Line, link: string, user: string): Promise<void> {
  const signal = AbortSignal.timeout(1_000)
  const init = { method: 'DELETE', headers: line.headersFor(user), signal }
  await line.fetch(line.addressOf(link), init).then(
    (response) => response.body?.cancel(),
    // Then the cluster gives it up after minutes.
    () => undefined,
  )
}

export interface KnownNode {
  readonly name: string
  readonly role: 'coordinator' | 'worker'
  readonly state: string
}

/** Its nodes, which the service's user must be allowed to list. */
export async function nodesOf(line: Line, patienceMs: number): Promise<readonly KnownNode[]> {
  const sql =
    'SELECT node_id, coordinator, state FROM system.runtime.nodes ORDER BY coordinator DESC, node_id'
  const { rows } = await run(line, sql, { signal: AbortSignal.timeout(patienceMs) })
  return rows.map(([name, isCoordinator, state]) => ({
    name: String(name),
    role: isCoordinator === true ? 'coordinator' : 'worker',
    state: String(state),
  }))
}

/** As far as it shows them to the service's user; in small letters. */
export async function catalogsOf(line: Line, patienceMs: number): Promise<readonly string[]> {
  const { rows } = await run(line, 'SHOW CATALOGS', { signal: AbortSignal.timeout(patienceMs) })
  return rows.map(([name]) => String(name).toLowerCase())
}

interface NameQuestion {
  readonly user: string
  readonly most: number
  readonly patienceMs: number
}

/** Names, as the cluster shows them to this user. */
export async function namesOf(
  line: Line,
  sql: string,
  { user, most, patienceMs }: NameQuestion,
): Promise<readonly (readonly (string | null)[])[]> {
  const { rows } = await run(line, sql, { user, most, signal: AbortSignal.timeout(patienceMs) })
  return rows.slice(0, most).map((row) => row.map(textOf))
}

const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)

/** Whether any node computes; a coordinator may. */
export async function computes(line: Line, patienceMs: number): Promise<boolean> {
  const signal = AbortSignal.timeout(patienceMs)
  try {
    await run(line, 'SELECT count(*) FROM (VALUES 1)', { signal })
    return true
  } catch (error) {
    if (error instanceof ClusterRefused && (signal.aborted || /no nodes|no worker/i.test(error.message)))
      return false
    throw error
  }
}

/** That the service may act for this user, and learns what a statement reads. */
export async function requireImpersonation(line: Line, user: string, patienceMs: number): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs)
  const { id } = await run(line, 'SELECT 1', { user, signal })
  const info = await ask(line, `/v1/query/${encodeURIComponent(id)}`, { user, signal })
  if (!Array.isArray(info.referencedTables))
    throw new ClusterRefused('The cluster does not say what statements read, so none can run in it.')
}
