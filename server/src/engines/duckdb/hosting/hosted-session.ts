import { readBatch } from '../../engine/batch-bytes.ts'
import type { EngineError, FinishedOutcome, Outcome } from '../../engine/outcome.ts'
import { type EngineSession, NOTHING_TO_LOSE } from '../../engine/session.ts'
import { EngineUnavailable } from '../../engine/engine.ts'
import { type ExecuteOptions, PROGRESS_UNKNOWN, type QueryRun } from '../../engine/run.ts'
import { type Verdict, decisionOf } from '../../engine/objects.ts'
import { RowsNotWanted, SinkFilling } from '../../engine/sink-filling.ts'
import type { RowSink } from '../../engine/sink.ts'
import type { AnsweredRows } from '../host/held-rows.ts'
import { saysDiskFull } from '../../../kernel/disk-full.ts'
import { inspectingRun, loadingRun } from './file-runs.ts'
import type { Inspector } from './inspectors.ts'
import type { Answers } from '../host/protocol.ts'
import { HostLost, type HostProcess, TooManyWaiting } from './host-process.ts'

export interface HostedSessionOptions {
  readonly host: HostProcess
  readonly session: number
  readonly cancelDeadlineMs: number
  /** For files that were handed to the service: not everything in them is done in the engine. */
  readonly inspector: Inspector
}

/** The server's side of a session whose connection is in the host process. */
export function hostedSession({
  host,
  session,
  cancelDeadlineMs,
  inspector,
}: HostedSessionOptions): EngineSession {
  let closed: Promise<void> | null = null
  let hasEnded = false

  async function close(): Promise<void> {
    try {
      await obeyed(host.ask({ kind: 'close', session }).answer)
    } catch (error) {
      // With its process the session is gone too.
      if (!(error instanceof EngineUnavailable)) throw error
    }
  }

  async function obeyed(end: Promise<unknown>): Promise<void> {
    const why = 'a statement that was to end did not stop, so the engine was ended'
    const timer = setTimeout(() => host.kill(why), cancelDeadlineMs)
    await end.finally(() => clearTimeout(timer))
  }

  function ran(sql: string, { authorize, sink, ...options }: ExecuteOptions): QueryRun {
    let progress = PROGRESS_UNKNOWN
    const hosted = {
      ...options,
      authorize: authorize === 'all' ? authorize : ('asks' as const),
      ...(sink && {
        sendsRows: sink.takesPacked ? ('packed or as columns' as const) : ('as columns' as const),
      }),
    }
    const asked = host.ask(
      { kind: 'execute', session, sql, options: hosted },
      {
        progress: (latest) => (progress = latest),
        uses: (uses) => authorize !== 'all' && void decide(host, asked.id, decisionOf(authorize, uses)),
      },
    )
    if (sink) host.rows.begin(asked.id, sink, () => void cancel())
    let isOver = false
    const stopping = new AbortController()
    const taken = async ({ answered, ...ended }: Answers['execute']): Promise<Outcome> =>
      sink && answered && ended.state === 'finished'
        ? handedOver(host, ended, { answered, sink, stop: stopping.signal })
        : ended
    const outcome = asked.answer
      .then(taken)
      .catch(withoutAnswer)
      .then((ended) => {
        isOver = true
        host.rows.end(asked.id)
        hasEnded ||= 'sessionEnded' in ended && (ended.sessionEnded ?? false)
        return ended
      })
    const cancel = async () => {
      if (isOver) return
      stopping.abort()
      host.ask({ kind: 'cancel', statement: asked.id }).answer.catch(() => undefined)
      await obeyed(outcome)
    }
    return { outcome, progress: () => progress, cancel }
  }

  return {
    execute(sql, options) {
      const { file } = options
      if (!file) return ran(sql, options)
      return file.does === 'inspect'
        ? inspectingRun(inspector, file)
        : loadingRun(inspector, file, () => ran(sql, options))
    },

    close: () => (closed ??= close()),
    get hasEnded() {
      return hasEnded
    },
  }
}

interface HandingOver {
  readonly answered: AnsweredRows
  readonly sink: RowSink
  /** Aborted when the statement is to end. */
  readonly stop: AbortSignal
}

/** Gives a sink the rows that came with the answer. It only read, so that one whose rows are not wanted has done nothing. */
async function handedOver(
  host: HostProcess,
  outcome: FinishedOutcome,
  { answered: { batch }, sink, stop }: HandingOver,
): Promise<Outcome> {
  const filling = new SinkFilling(sink, stop)
  try {
    await filling.begin(outcome.result.columns)
    // In memory of its own, in which numbers begin at whole words.
    if (batch) await filling.write(readBatch(new Uint8Array(batch)))
    await filling.end()
    return outcome
  } catch (error) {
    const { session, peakMemoryBytes, measured } = outcome
    if (error instanceof RowsNotWanted)
      return { state: 'cancelled', session, peakMemoryBytes, ...(measured && { measured }) }
    const reason = 'it sent rows that cannot be read'
    host.kill(reason)
    return { state: 'lost', reason }
  }
}

async function decide(host: HostProcess, statement: number, decided: Promise<Verdict>): Promise<void> {
  // A host that has ended meanwhile has reported it as the end of the statement.
  const verdict = await decided
  const sent =
    verdict && 'listed' in verdict ? { ...verdict, listed: host.listed.of(verdict.listed) } : verdict
  await host.ask({ kind: 'verdict', statement, verdict: sent }).answer.catch(() => undefined)
}

function withoutAnswer(error: unknown): Outcome {
  if (error instanceof HostLost) return { state: 'lost', reason: error.message }
  return { state: 'failed', error: unanswered(error), session: NOTHING_TO_LOSE }
}

function unanswered(error: unknown): EngineError {
  const message = error instanceof Error ? error.message : String(error)
  const kind = error instanceof TooManyWaiting ? 'resource' : 'unavailable'
  return { kind, message, ...(saysDiskFull(message) && { code: 'disk-full' }) }
}
