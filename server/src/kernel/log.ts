import type { EventEmitter } from 'node:events'
import { destination, pino, type Logger } from 'pino'
import { withoutSecrets } from './log-secrets.ts'

export type Log = Logger
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

const STANDARD_ERROR = 2
/** Of lines that cannot be written, as on a full disk, in bytes; they are written when they can be, more are lost. */
const MOST_UNWRITTEN = 1024 * 1024

/** A disk that is full, or a reader that has gone: what cannot be written any more must not end the server. */
export function outliveOutput(streams: readonly Pick<EventEmitter, 'on'>[]): void {
  for (const stream of streams) stream.on('error', () => undefined)
}

/**
 * JSON lines on standard error; standard output is for people. Who reads them slowly holds up nobody: lines of one moment
 * are written together, the next ones when these are. At the end of the process the rest is written, but for some kilobytes that nobody reads.
 */
export function createLog(level: LogLevel, fd: number = STANDARD_ERROR): Log {
  const lines = destination({ fd, sync: false, maxLength: MOST_UNWRITTEN })
  outliveOutput([lines])
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: withoutSecrets },
    },
    lines,
  )
}
