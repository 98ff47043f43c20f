import { createInterface, type Interface } from 'node:readline'
import { callbackify } from 'node:util'
import type { Client, Session } from '@boathouse/client/public/index'
import { complete } from './completion.ts'
import { HISTORY_ENTRIES, type History } from './history.ts'
import { createNames, type Names } from './names.ts'
import type { Format } from './options.ts'
import type { Screen } from './output/printer.ts'
import { safeText } from './output/safe-text.ts'
import { problemText, runStatement } from './run-statement.ts'
import { runScript } from './script.ts'
import { HELP, readShellCommand, type ShellCommand } from './shell-command.ts'
import { createStatementBuffer } from './statement-buffer.ts'

export interface ShellParts {
  readonly client: Client
  readonly session: Session
  readonly format: Format
  /** Null: it is not kept. */
  readonly history: History | null
  readonly input: NodeJS.ReadStream
  readonly out: Screen
  readonly err: Screen
}

const nothing = (): void => undefined

/** Lines as they are typed; those typed while a statement runs wait. Null: the user has left. */
function createLines(rl: Interface) {
  const waiting: string[] = []
  let isClosed = false
  let wake = nothing
  rl.on('line', (line) => {
    waiting.push(line)
    wake()
  })
  rl.on('close', () => {
    isClosed = true
    wake()
  })
  return async (): Promise<string | null> => {
    if (waiting.length === 0 && !isClosed)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return waiting.shift() ?? null
  }
}

/** Names may have changed. */
const CHANGES_NAMES = /^\s*(?:create|drop|alter|rename|use|set|attach|detach)\b/i

/** One line after the other, until the user leaves. */
export class Shell {
  readonly #parts: ShellParts
  readonly #names: Names
  readonly #buffer = createStatementBuffer()
  readonly #rl: Interface
  #format: Format
  /** Those of the statement that is being typed. */
  #typed: string[] = []
  /** The history of the line editor, newest first, which may be changed. */
  #edited: string[] = []
  #running: AbortController | null = null

  constructor(parts: ShellParts) {
    this.#parts = parts
    this.#format = parts.format
    this.#names = createNames(parts.client.api, () => parts.session.place())
    this.#rl = createInterface({
      input: parts.input,
      output: parts.out,
      terminal: true,
      history: [...(parts.history?.entries() ?? [])].toReversed(),
      historySize: HISTORY_ENTRIES,
      removeHistoryDuplicates: true,
      completer: callbackify((line: string) => complete(this.#names, line, this.#buffer.text())),
    })
    this.#rl.on('history', (lines) => {
      this.#edited = lines
    })
    this.#rl.on('SIGINT', () => this.#interrupt())
  }

  async run(): Promise<void> {
    const next = createLines(this.#rl)
    this.#prompt()
    for (let line = await next(); line !== null; line = await next()) {
      if (!(await this.#take(line))) break
      this.#prompt()
    }
    this.#rl.close()
  }

  #prompt(): void {
    const { catalog, database } = this.#parts.session.place()
    const place = safeText([catalog, database].filter(Boolean).join('.')) || 'boathouse'
    this.#rl.setPrompt(
      this.#buffer.isEmpty() ? `${place}> ` : `${' '.repeat(Math.max(0, place.length - 1))}-> `,
    )
    this.#rl.prompt()
  }

  /** Stops the statement that runs, or gives up the one that is being typed. Never the program. */
  #interrupt(): void {
    if (this.#running) return this.#running.abort()
    this.#buffer.clear()
    this.#typed = []
    this.#rl.write(null, { ctrl: true, name: 'e' })
    this.#rl.write(null, { ctrl: true, name: 'u' })
    this.#parts.out.write('^C\n')
    this.#prompt()
  }

  /** False: the user leaves. */
  async #take(line: string): Promise<boolean> {
    const command = this.#buffer.isEmpty() ? readShellCommand(line) : null
    if (command) {
      this.#parts.history?.add([line])
      return this.#obey(command)
    }
    try {
      this.#typed.push(line)
      const statements = this.#buffer.add(`${line}\n`)
      if (this.#buffer.isEmpty()) this.#remember()
      for (const sql of statements) if (!(await this.#runOne(sql))) break
    } catch (error) {
      this.#buffer.clear()
      this.#parts.err.write(problemText(error))
    }
    return true
  }

  /** The lines of a statement are found again as one. */
  #remember(): void {
    const lines = this.#typed.filter((line) => line.trim() !== '')
    this.#typed = []
    this.#buffer.clear()
    if (lines.length === 0) return
    this.#parts.history?.add(lines)
    if (lines.length === 1 || lines.some((line) => /--|#/.test(line))) return
    while (lines.includes(this.#edited[0] ?? '')) this.#edited.shift()
    this.#edited.unshift(lines.join(' '))
  }

  /** False: the others that were typed with it are not run. */
  async #runOne(sql: string): Promise<boolean> {
    const { session, out, err } = this.#parts
    this.#running = new AbortController()
    // What is typed ahead is shown without a prompt.
    this.#rl.setPrompt('')
    try {
      const running = { session, format: this.#format, out, err, signal: this.#running.signal }
      return (await runStatement(sql, running)) === 'done'
    } finally {
      this.#running = null
      if (CHANGES_NAMES.test(sql)) this.#names.forget()
    }
  }

  async #obey(command: ShellCommand): Promise<boolean> {
    const { out, err } = this.#parts
    switch (command.kind) {
      case 'leave':
        return false
      case 'help':
        out.write(HELP)
        break
      case 'turn':
        this.#write(this.#format === 'vertical' ? 'table' : 'vertical')
        break
      case 'format':
        this.#write(command.format)
        break
      case 'run':
        await this.#runOne(command.sql)
        break
      case 'file':
        await this.#runFile(command.file)
        break
      case 'unknown':
        err.write(`${safeText(command.message)}\n`)
    }
    return true
  }

  #write(format: Format): void {
    this.#format = format
    this.#parts.out.write(`Rows are written as ${format}.\n`)
  }

  async #runFile(file: string): Promise<void> {
    const { session, input, out, err } = this.#parts
    this.#running = new AbortController()
    const script = { session, format: this.#format, force: false, out, err, signal: this.#running.signal }
    try {
      await runScript([{ file }], input, script)
    } catch (error) {
      err.write(problemText(error))
    } finally {
      this.#running = null
      this.#names.forget()
    }
  }
}
