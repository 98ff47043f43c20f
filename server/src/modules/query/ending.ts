import type { CodeName } from '@boathouse/contract'
import type { Outcome, ResultRows } from '../../engines/engine.ts'
import type { SessionPlace } from './answer.ts'
import type { Connection } from './connections.ts'
import type { StatementEnd } from './store.ts'

/** How one statement ended, before it is written down and told. */
export interface Ending {
  readonly state: StatementEnd['state']
  readonly code: CodeName
  readonly message: string
  readonly offset: number | null
  readonly result: ResultRows | null
  readonly move?: Partial<SessionPlace & Pick<Connection, 'variables'>>
}

export const finished = (result: ResultRows, move?: Ending['move']): Ending => ({
  state: 'finished',
  code: 'Ok',
  message: '',
  offset: null,
  result,
  ...(move ? { move } : {}),
})
export const failed = (code: CodeName, message: string, offset: number | null = null): Ending => ({
  state: 'failed',
  code,
  message,
  offset,
  result: null,
})
export const cancelled = (message: string): Ending => ({
  ...failed('Cancelled', message),
  state: 'cancelled',
})

export function endingOf(outcome: Outcome): Ending {
  switch (outcome.state) {
    case 'finished':
      return finished(outcome.result)
    case 'failed':
      return failed('QueryFailed', outcome.error.message, outcome.error.offset ?? null)
    case 'cancelled':
      return cancelled('Stopped at your request.')
    case 'lost':
      return {
        ...failed(
          'Interrupted',
          `The engine ended while this statement ran (${outcome.reason}). A statement that reads can simply be run again; after one that writes, look first whether it took effect.`,
        ),
        state: 'interrupted',
      }
  }
}
