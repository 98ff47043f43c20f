import { AppError } from '../../kernel/app-error.ts'
import type { StatementAnswer } from '../../modules/query/answers/answer.ts'
import type { ClientConnection, Move } from '../../modules/query/connections/client-connection.ts'
import { type Agent, type AgentParts, type Ask, asking } from './agent.ts'
import { affordableMs, dollars, earlierCosts, statementIn, usdPerHour } from './costs.ts'

/** What a statement of an agent may take. */
export interface AgentLimits {
  readonly rows: number
  readonly seconds: number
  /** Null: as much as its time costs. */
  readonly usd: number | null
}

export interface AgentStatement {
  readonly sql: string
  readonly place: Move
  readonly limits: AgentLimits
}

export interface Ran {
  readonly answer: StatementAnswer
  readonly warehouse: string
}

/** So long a statement may also wait for its warehouse, before it counts that it runs. */
const WAIT_MS = 60_000

/** A statement that cost more before is not begun. */
async function requireAffordable(ask: Ask, sql: string, usd: number): Promise<void> {
  const earlier = await earlierCosts(ask, statementIn(sql))
  if (earlier.usd === null || earlier.usd <= usd) return
  throw new AppError(
    'LimitReached',
    `Earlier runs of this statement cost ${dollars(earlier.usd)}, more than max_cost_usd, which is ${usd}. It did not run.`,
  )
}

const variablesFor = ({ rows }: AgentLimits, ms: number) => ({
  sql_select_limit: String(rows),
  max_statement_time: (ms / 1_000).toFixed(3),
})

interface Timed {
  readonly ms: number
  /** Which of the limits it is. */
  readonly by: 'timeout_seconds' | 'max_cost_usd'
}

function timeOf({ seconds, usd }: AgentLimits, perHour: number | null): Timed {
  const ms = seconds * 1_000
  const affordable = usd === null || perHour === null ? Number.POSITIVE_INFINITY : affordableMs(usd, perHour)
  return affordable < ms ? { ms: affordable, by: 'max_cost_usd' } : { ms, by: 'timeout_seconds' }
}

/** What a statement ended with, in words for who set its limits. */
function requireFinished(
  answer: StatementAnswer | undefined,
  { ms, by }: Timed,
  isLate: boolean,
): StatementAnswer {
  if (!answer) throw new AppError('BadInput', 'sql: There is no statement in it.')
  if (answer.state === 'finished') return answer
  if (isLate)
    throw new AppError(
      'StatementTimedOut',
      `The warehouse had no place for this statement within ${WAIT_MS / 1_000} s. Try again later.`,
    )
  if (answer.code === 'StatementTimedOut')
    throw new AppError('StatementTimedOut', `Stopped after ${ms / 1_000} s, which is all that ${by} allows.`)
  const { code, message, errorDetail: detail } = answer
  throw new AppError(code, message, detail ? { detail } : {})
}

/** Runs one statement within its limits, on a connection of its own. */
export async function runForAgent(
  parts: AgentParts,
  agent: Agent,
  { sql, place, limits }: AgentStatement,
): Promise<Ran> {
  const ask = asking(parts, agent)
  if (limits.usd !== null) await requireAffordable(ask, sql, limits.usd)
  return onConnection({ ...parts, ...agent, limits }, async (connection) => {
    await connection.moveTo(place)
    const { warehouse } = await connection.settings()
    const perHour = limits.usd === null ? null : await usdPerHour(ask, warehouse)
    const timed = timeOf(limits, perHour)
    if (timed.by === 'max_cost_usd') await connection.setVariables(variablesFor(limits, timed.ms))
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      void connection.cancel()
    }, timed.ms + WAIT_MS)
    try {
      const [answer] = await connection.run(sql, { isSingle: true })
      return { answer: requireFinished(answer, timed, isLate), warehouse }
    } finally {
      clearTimeout(late)
    }
  })
}

/** A client that hangs up waits for nothing: what runs for it is stopped. */
async function onConnection<T>(
  {
    connections,
    signedIn,
    clientIp,
    program,
    gone,
    limits,
  }: AgentParts & Agent & Pick<AgentStatement, 'limits'>,
  work: (connection: ClientConnection) => Promise<T>,
): Promise<T> {
  const variables = variablesFor(limits, limits.seconds * 1_000)
  const connection = await connections.open(signedIn, { door: 'mcp', program, variables }, clientIp)
  const stop = () => void connection.cancel()
  gone.addEventListener('abort', stop)
  try {
    return await work(connection)
  } finally {
    gone.removeEventListener('abort', stop)
    await connection.close()
  }
}
