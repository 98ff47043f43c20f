import { type Ending, withError } from './ending.ts'

/** The reason with which a request is stopped by somebody else than its user: 'Stopped by admin'. */
export class StoppedBy extends Error {
  override readonly name = 'StoppedBy'
}

/** The sender did not ask for it, and the message says who did. */
export function stoppedByOther(ending: Ending, { reason }: AbortSignal): Ending {
  if (!(reason instanceof StoppedBy) || !ending.error) return ending
  const message = ending.error.message.replace(/^Stopped at your request/, reason.message)
  return withError(ending, { message })
}
