import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { APIRequestContext, Browser } from '@playwright/test'
import { findRepository } from '../start-product.ts'
import { databaseOf } from '../testing/database.ts'
import type { Workshop } from '../workshop.ts'
import { keepLogin, type MeasuredConsole, writeInto } from './measured-console.ts'
import { fetchSqlpad } from './sqlpad-package.ts'

const READY = /^Welcome to SQLPad!. Visit (\S+) /
const START_WITHIN_MS = 120_000
const LINES_KEPT = 20
const INPUT = '.ace_text-input'
const USER = { email: 'bench@example.com', password: 'bench_2000' }

function startSqlpad(program: string, directory: string): ChildProcess {
  const cipher = join(findRepository(), 'bench', 'consoles', 'old-cipher.cjs')
  return spawn(process.execPath, ['--require', cipher, join(program, 'server.js')], {
    env: {
      PATH: process.env['PATH'],
      // Where it looks for settings of the person who runs this.
      HOME: directory,
      SQLPAD_IP: '127.0.0.1',
      SQLPAD_PORT: '0',
      SQLPAD_DB_PATH: directory,
      // It would write every result as CSV and as a spreadsheet before it answers.
      SQLPAD_ALLOW_CSV_DOWNLOAD: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function addressOf(child: ChildProcess): Promise<string> {
  const said: string[] = []
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`${what}\n${said.join('\n')}`))
    const late = setTimeout(() => fail('SQLPad was not ready in time.'), START_WITHIN_MS)
    const hear = (line: string) => {
      said.push(line)
      said.splice(0, said.length - LINES_KEPT)
      const url = READY.exec(line)?.[1]
      if (!url) return
      clearTimeout(late)
      resolve(url)
    }
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface({ input: stream }).on('line', hear)
    child.once('exit', (code, signal) => {
      clearTimeout(late)
      fail(`SQLPad ended (${signal ?? code}).`)
    })
  })
}

async function send(request: APIRequestContext, url: string, data: object): Promise<void> {
  const answer = await request.post(url, { data })
  const text = await answer.text()
  if (!answer.ok() || text.includes('"error"')) throw new Error(`SQLPad refused ${url}: ${text}`)
}

export interface RunningSqlpad extends MeasuredConsole {
  stop(): Promise<void>
}

/** SQLPad with one connection, to the PostgreSQL that the product has started for itself. */
export async function sqlpadConsole(workshop: Workshop, browser: Browser): Promise<RunningSqlpad> {
  const program = await fetchSqlpad(findRepository())
  const child = startSqlpad(program, join(workshop.scratch, 'sqlpad'))
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    // Asked to end, it waits for browsers to leave.
    child.kill('SIGKILL')
    await exited
  }
  try {
    const url = await addressOf(child)
    const { user: username, ...database } = await databaseOf(workshop.dataDirectory)
    const open = await keepLogin(browser, async ({ request }) => {
      // The first user is the administrator.
      await send(request, `${url}/api/signup`, { ...USER, passwordConfirmation: USER.password })
      await send(request, `${url}/api/signin`, USER)
      const connection = { name: 'measured', driver: 'postgres', username, ...database }
      await send(request, `${url}/api/connections`, connection)
    })
    return {
      url: `${url}/queries/new`,
      open,
      input: INPUT,
      text: '.ace_line',
      cell: '.Pane2 .truncate',
      write: writeInto(INPUT),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
