/** Options that stand for environment variables, so that one start can differ without exporting anything. */
const OPTIONS: Readonly<Record<string, string>> = {
  port: 'BOATHOUSE_HTTP_PORT',
  host: 'BOATHOUSE_HTTP_HOST',
  'data-dir': 'BOATHOUSE_DATA_DIR',
  'admin-email': 'BOATHOUSE_ADMIN_EMAIL',
}

export interface CommandLine {
  readonly command: string
  readonly json: boolean
  /** Behind the command, of those that take any. */
  readonly words: readonly string[]
  /** By environment variable. */
  readonly options: Readonly<Record<string, string>>
}

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Its options are its own, also where others have some of the same name. */
const READS_ALL_WORDS = 'sql'

/** @param takesWords Commands whose further words are their own to read. */
export function parseCommandLine(words: readonly string[], takesWords: readonly string[] = []): CommandLine {
  const [first = 'help', ...rest] = words
  if (first === READS_ALL_WORDS) return { command: first, json: false, words: rest, options: {} }
  const own: string[] = []
  const command = first === '--help' || first === '-h' ? 'help' : first === '--version' ? 'version' : first
  const options: Record<string, string> = {}
  let json = false
  for (let index = 0; index < rest.length; index++) {
    const [name = '', inline] = (rest[index] ?? '').split('=', 2)
    if (name === '--json') {
      json = true
      continue
    }
    const variable = name.startsWith('--') ? OPTIONS[name.slice(2)] : undefined
    if (!variable && takesWords.includes(command)) {
      own.push(rest[index] ?? '')
      continue
    }
    if (!variable)
      throw new UsageError(
        `'${name}' is not an option. There are --port, --host, --data-dir, --admin-email and --json.`,
      )
    const value = inline ?? rest[++index]
    if (value === undefined) throw new UsageError(`${name} needs a value.`)
    options[variable] = value
  }
  return { command, json, words: own, options }
}

export function applyOptions(options: CommandLine['options']): void {
  Object.assign(process.env, options)
}
