import type { Log } from './kernel/log.ts'

export interface StrayFailures {
  readonly log: Log
  /** A rejection that nobody held: one request has not been answered as it should, the others are. */
  onRejection(): void
  /** Ends everything in order: what was thrown past everybody may have left state half changed. */
  end(): void
}

/** What no code has caught. */
export function watchStrayFailures(process: NodeJS.Process, { log, onRejection, end }: StrayFailures): void {
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'a failure was not handled')
    onRejection()
  })
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a failure was not caught: the server ends')
    end()
  })
}
