import { UsageError } from '../command-line.ts'

export const FORMATS = ['table', 'vertical', 'csv', 'json', 'jsonl'] as const
export type Format = (typeof FORMATS)[number]

export interface SqlOptions {
  readonly help: boolean
  readonly url: string | undefined
  readonly account: string | undefined
  readonly user: string | undefined
  /** Ask for an API key in place of a password. */
  readonly asksKey: boolean
  readonly warehouse: string | undefined
  readonly catalog: string | undefined
  readonly database: string | undefined
  /** In their order; empty: what is typed or piped. */
  readonly texts: readonly Text[]
  readonly format: Format | undefined
  /** Null: all rows; undefined: as fits. */
  readonly limit: number | null | undefined
  /** Continue after a statement that failed. */
  readonly force: boolean
  readonly keepsHistory: boolean
}

/** Given with -e, or the file that has it. */
export type Text = { readonly sql: string } | { readonly file: string }

export const USAGE = `usage: boathouse sql [URL] [OPTIONS]

Runs statements: those that you type, those of -e and --file, or those that come from a pipe.

  -a, --account ID       Account, as in ABC12345 (BOATHOUSE_ACCOUNT)
  -u, --user NAME        User (BOATHOUSE_USER). You are asked for the password, or set BOATHOUSE_PASSWORD
      --key              Ask for an API key in place of user and password, or set BOATHOUSE_KEY
  -w, --warehouse NAME   Warehouse that runs the statements
  -c, --catalog NAME     Catalog to begin in
  -d, --database NAME    Database to begin in
  -e, --execute SQL      Run this and end; can be given several times
  -f, --file FILE        Run the statements of a file and end; - is standard input
      --format FORMAT    table, vertical, csv, json or jsonl
      --limit ROWS       Maximum of rows of a statement, or 'all'
      --force            Continue after a statement that failed
      --no-history       Neither read nor write the history
  -h, --help             Print this

URL is that of the server, as in https://boathouse.example.com (BOATHOUSE_URL); without one, the server that runs here.
Exit codes: 0 done, 1 a statement failed, 2 wrong usage, 3 not connected, 130 stopped with Ctrl+C.
`

const LETTERS: Readonly<Record<string, string>> = {
  a: 'account',
  u: 'user',
  w: 'warehouse',
  c: 'catalog',
  d: 'database',
  e: 'execute',
  f: 'file',
  h: 'help',
}
const VALUES = ['account', 'user', 'warehouse', 'catalog', 'database', 'execute', 'file', 'format', 'limit']
const SWITCHES = ['help', 'key', 'force', 'no-history']

/** What processes of others on this machine can read. */
const SECRET = ['password', 'secret']

function readWords(words: readonly string[]) {
  const values = new Map<string, string>()
  const switches = new Set<string>()
  const texts: Text[] = []
  const others: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const [, long, inline] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? []
    const [, letter, stuck] = /^-([a-z])(.*)$/s.exec(word) ?? []
    const name = long ?? (letter === undefined ? undefined : LETTERS[letter])
    if (name === undefined) {
      if (word.startsWith('-'))
        throw new UsageError(`'${word}' is not an option. 'boathouse sql --help' lists them.`)
      others.push(word)
      continue
    }
    if (SECRET.includes(name) || (name === 'key' && inline !== undefined))
      throw new UsageError(
        'A secret on the command line can be read by others. Set BOATHOUSE_PASSWORD or BOATHOUSE_KEY, or wait to be asked.',
      )
    if (SWITCHES.includes(name)) {
      switches.add(name)
      continue
    }
    if (!VALUES.includes(name))
      throw new UsageError(`'--${name}' is not an option. 'boathouse sql --help' lists them.`)
    const value = inline ?? (stuck || words[++at])
    if (value === undefined) throw new UsageError(`--${name} needs a value.`)
    if (name === 'execute') texts.push({ sql: value })
    else if (name === 'file') texts.push({ file: value })
    else values.set(name, value)
  }
  return { values, switches, texts, others }
}

function formatOf(text: string | undefined): Format | undefined {
  const found = FORMATS.find((one) => one === text)
  if (text !== undefined && !found)
    throw new UsageError(`There is no format '${text}'. Use ${FORMATS.join(', ')}.`)
  return found
}

export function limitOf(text: string | undefined): number | null | undefined {
  if (text === undefined || text === 'all') return text === 'all' ? null : undefined
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`The limit is a number of rows, or 'all', not '${text}'.`)
  return Number(text)
}

export function parseSqlOptions(words: readonly string[], env: NodeJS.ProcessEnv): SqlOptions {
  const { values, switches, texts, others } = readWords(words)
  const [url, another] = others
  if (another !== undefined)
    throw new UsageError(`'${another}' is too much: there is one URL. Statements go behind -e.`)
  const set = (name: string) => env[name] || undefined
  return {
    help: switches.has('help'),
    url: url ?? set('BOATHOUSE_URL'),
    account: values.get('account') ?? set('BOATHOUSE_ACCOUNT'),
    user: values.get('user') ?? set('BOATHOUSE_USER'),
    asksKey: switches.has('key'),
    warehouse: values.get('warehouse'),
    catalog: values.get('catalog'),
    database: values.get('database'),
    texts,
    format: formatOf(values.get('format')),
    limit: limitOf(values.get('limit')),
    force: switches.has('force'),
    keepsHistory: !switches.has('no-history'),
  }
}
