import { FORMATS, type Format, limitOf } from './options.ts'

export const HELP = `Statements end with ; and may have several lines.

  \\?            This help (also help)
  \\q            Leave (also exit, quit or Ctrl+D)
  \\l            List databases
  \\dt           List tables
  \\d NAME       Describe a table or a view
  \\w [NAME]     List warehouses, or use one
  \\f FORMAT     Write rows as ${FORMATS.join(', ')}
  \\x            Write each value in a line of its own, or no longer
  \\limit ROWS   Maximum of rows of a statement, or all
  \\i FILE       Run the statements of a file

  Tab completes names. Ctrl+C stops the running statement, or clears what you have typed.
  USE catalog.database changes the place, SET WAREHOUSE name the warehouse.
`

/** What a line says that is no SQL. */
export type ShellCommand =
  | { readonly kind: 'help' | 'leave' | 'turn' }
  | { readonly kind: 'run'; readonly sql: string }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'format'; readonly format: Format }
  | { readonly kind: 'unknown'; readonly message: string }

const unknown = (message: string): ShellCommand => ({ kind: 'unknown', message })

function limitCommand(text: string): ShellCommand {
  try {
    return { kind: 'run', sql: `SET sql_select_limit = ${limitOf(text) ?? '18446744073709551615'}` }
  } catch (error) {
    return unknown(error instanceof Error ? error.message : String(error))
  }
}

function formatCommand(text: string): ShellCommand {
  const format = FORMATS.find((one) => one === text)
  return format
    ? { kind: 'format', format }
    : unknown(`There is no format '${text}'. Use ${FORMATS.join(', ')}.`)
}

const COMMANDS: Readonly<Record<string, (rest: string) => ShellCommand>> = {
  '\\?': () => ({ kind: 'help' }),
  '\\q': () => ({ kind: 'leave' }),
  '\\x': () => ({ kind: 'turn' }),
  '\\l': () => ({ kind: 'run', sql: 'SHOW DATABASES' }),
  '\\dt': () => ({ kind: 'run', sql: 'SHOW TABLES' }),
  '\\d': (name) => ({ kind: 'run', sql: name === '' ? 'SHOW TABLES' : `DESCRIBE ${name}` }),
  '\\w': (name) => ({ kind: 'run', sql: name === '' ? 'SHOW WAREHOUSES' : `SET WAREHOUSE ${name}` }),
  '\\f': formatCommand,
  '\\limit': limitCommand,
  '\\i': (file) => (file === '' ? unknown('Name a file: \\i FILE.') : { kind: 'file', file }),
}

/** Null: it is SQL. */
export function readShellCommand(line: string): ShellCommand | null {
  const text = line.trim().replace(/;$/, '').trim()
  if (/^(?:exit|quit)$/i.test(text)) return { kind: 'leave' }
  if (/^(?:help|\?)$/i.test(text)) return { kind: 'help' }
  if (!text.startsWith('\\')) return null
  const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(text) ?? []
  return COMMANDS[name]?.(rest) ?? unknown(`There is no command '${name}'. \\? lists them.`)
}
