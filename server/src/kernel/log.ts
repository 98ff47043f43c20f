import type { EventEmitter } from 'node:events'
import { destination, pino, type Logger } from 'pino'

export type Log = Logger
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** Tokens, passwords, signatures and statement texts never reach the log, wherever the line is written. */
const SECRETS = ['token', 'password', 'signature', 'sql', 'authorization', 'cookie']

const STANDARD_ERROR = 2
/** Of lines that cannot be written, as on a full disk, in bytes; they are written when they can be, more are lost. */
const MOST_UNWRITTEN = 1024 * 1024

/** A disk that is full, or a reader that has gone: what cannot be written any more must not end the server. */
export function outliveOutput(streams: readonly Pick<EventEmitter, 'on'>[]): void {
  for (const stream of streams) stream.on('error', () => undefined)
}

/** JSON lines on standard error; standard output is for people. */
export function createLog(level: LogLevel, fd: number = STANDARD_ERROR): Log {
  const lines = destination({ fd, sync: true, maxLength: MOST_UNWRITTEN })
  outliveOutput([lines])
  const paths = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths, censor: '***' } },
    lines,
  )
}
