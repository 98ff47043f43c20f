import { destination, pino, type Logger } from 'pino'

export type Log = Logger
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** Tokens, passwords, signatures and statement texts never reach the log, whoever writes the line. */
const SECRETS = ['token', 'password', 'signature', 'sql', 'authorization', 'cookie']

/** JSON lines on standard error; standard output is for people. */
export function createLog(level: LogLevel): Log {
  const paths = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths, censor: '***' } },
    destination({ fd: 2, sync: true }),
  )
}
