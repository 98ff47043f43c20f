/** A line of the product's output, as far as the torture has use for it. */
export interface LogLine {
  /** What was said, with the error it names. */
  readonly words: string
  /** The process of an account's engine that has just started; 0 otherwise. */
  readonly enginePid: number
  /** An error of the service, or words that are no line of its log at all, such as a stack. */
  readonly isTrouble: boolean
}

const ENGINE_RUNS = 'the engine of an account is running'
/** Pino's number of `error`. */
const ERROR_LEVEL = 50
/** What the product says to people, on the other stream. */
const WELCOME = /^(Boathouse is ready: | {2}(Sign in|Account|User|Password|Stop with) )/

export function readLine(text: string): LogLine {
  if (!text.startsWith('{'))
    return { words: text, enginePid: 0, isTrouble: text !== '' && !WELCOME.test(text) }
  const line = JSON.parse(text) as { level: number; msg: string; pid?: number; err?: { message?: string } }
  const words = line.err?.message ? `${line.msg}: ${line.err.message}` : line.msg
  return {
    words,
    enginePid: line.msg === ENGINE_RUNS ? (line.pid ?? 0) : 0,
    isTrouble: line.level >= ERROR_LEVEL,
  }
}
