/** A line of the product's output, as far as the torture has use for it. */
export interface LogLine {
  /** trouble: an error of the service, or words that are no line of its log at all, such as a stack. */
  readonly kind: 'engine runs' | 'engine ended' | 'trouble' | 'other'
  /** What was said, with the error it names. */
  readonly words: string
  /** The process of an account's engine that has just started; 0 otherwise. */
  readonly enginePid: number
}

const KINDS: Readonly<Record<string, LogLine['kind']>> = {
  'the engine of an account is running': 'engine runs',
  'the engine of an account ended': 'engine ended',
}
/** Pino's number of `error`. */
const ERROR_LEVEL = 50
/** What the product says to people, on the other stream. */
const FOR_PEOPLE = /^(Boathouse is ready: | {2}(Sign in|Account|User|Password|Stop with) |$)/

interface Written {
  readonly level: number
  readonly msg: string
  readonly pid?: number
  readonly reason?: string
  readonly err?: { readonly message?: string }
}

export function readLine(text: string): LogLine {
  if (!text.startsWith('{'))
    return { kind: FOR_PEOPLE.test(text) ? 'other' : 'trouble', words: text, enginePid: 0 }
  const { level, msg, pid, reason, err } = JSON.parse(text) as Written
  const kind = KINDS[msg] ?? (level >= ERROR_LEVEL ? 'trouble' : 'other')
  const words = [msg, err?.message ?? reason].filter(Boolean).join(': ')
  return { kind, words, enginePid: kind === 'engine runs' ? (pid ?? 0) : 0 }
}
