import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fillGuide, type GuideFacts, readIntegrationGuide } from '@boathouse/contract'
import { createConnection } from 'mysql2/promise'
import { onTestFinished } from 'vitest'
import { createEmbeddedProvider } from './embedded-engine.ts'
import { makeKey } from './key-kit.ts'
import { SERVER_DIRECTORY } from './server-directory.ts'
import { startApp } from './start-app.ts'
import { done, session } from './view-kit.ts'

const REPOSITORY = join(SERVER_DIRECTORY, '..')
const GUIDES = join(REPOSITORY, 'docs', 'integrations')

/** A block of code: its language, and what is said behind that, such as the name of the file that it is. */
export interface GuideBlock {
  readonly language: string
  readonly label: string
  readonly text: string
}

const FENCE = /^([ \t]*)```(\w+)(?: ([^\n]+))?\n([\s\S]*?)^[ \t]*```$/gm

const blocksOf = (markdown: string): readonly GuideBlock[] =>
  [...markdown.matchAll(FENCE)].map(([, indent = '', language = '', label = '', text = '']) => ({
    language,
    label,
    text: text
      .split('\n')
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      .join('\n'),
  }))

const readGuide = async (name: string) =>
  readIntegrationGuide(name, await readFile(join(GUIDES, `${name}.md`), 'utf8'))

export interface GuideServer {
  readonly facts: GuideFacts
  readonly user: string
  readonly password: string
  /** An API key of the same user. */
  readonly key: string
  /** As the administrator, in the editor. */
  run(sql: string): Promise<void>
  /** The rows of a query, as a client of the MySQL endpoint reads them in the database of the guides. */
  rows(sql: string): Promise<readonly unknown[]>
  stop(): Promise<void>
}

/** The whole service with its doors, as a reader of the guides has it. */
export async function startGuideServer(): Promise<GuideServer> {
  const engines = await createEmbeddedProvider()
  let end: (() => Promise<void>) | undefined
  const app = await startApp({ BOATHOUSE_MYSQL_PORT: '0' }, { engines, ends: (work) => void (end = work) })
  const admin = await app.admin()
  const run = await session(admin)
  const endpoint = app.mysql?.endpoint
  if (!endpoint?.listening) throw new Error(`The MySQL endpoint is not open: ${app.mysql?.health}`)
  const { hostname, port, origin } = new URL(await app.url())
  await done(run, 'CREATE DATABASE guides')
  return {
    facts: {
      account: app.accountId,
      userName: admin.name,
      host: '127.0.0.1',
      port: endpoint.port,
      ownCertificate: true,
      catalog: 'default_catalog',
      databaseName: 'guides',
      table: 'boats',
      warehouse: 'default_warehouse',
      origin,
      ingest: { scheme: 'http', host: hostname, port: Number(port) },
    },
    user: `${app.accountId}.${admin.name}`,
    password: app.password,
    key: (await makeKey(admin)).secret,
    run: (sql) => done(run, sql),
    async rows(sql) {
      const client = await createConnection({
        host: '127.0.0.1',
        port: endpoint.port,
        user: `${app.accountId}.${admin.name}`,
        password: app.password,
        database: 'default_catalog.guides',
        dateStrings: true,
        ssl: { rejectUnauthorized: false },
      })
      try {
        const [rows] = await client.query({ sql, rowsAsArray: true })
        return rows as readonly unknown[]
      } finally {
        await client.end()
      }
    },
    async stop() {
      await end?.()
      await engines.close()
    },
  }
}

/** The blocks of a guide, filled with what is true of this server. */
export const filledBlocks = async (name: string, { facts }: GuideServer): Promise<readonly GuideBlock[]> =>
  blocksOf(fillGuide((await readGuide(name)).text, facts))

export interface Tools {
  /** Folders for Python, and files that the steps of installing would have fetched. */
  readonly python?: readonly string[]
  readonly files?: readonly string[]
  readonly programs?: readonly string[]
}

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-guide-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

export const environmentWith = ({ python = [], programs = [] }: Tools): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [...programs, process.env.PATH ?? '', '/usr/local/go/bin'].join(delimiter),
  PYTHONPATH: python.join(delimiter),
  PYTHONDONTWRITEBYTECODE: '1',
  DBT_SEND_ANONYMOUS_USAGE_STATS: 'false',
  GOFLAGS: '-mod=mod',
})

const isFile = ({ label }: GuideBlock): boolean => /^[\w./-]+\.\w+$/.test(label)
const isRun = ({ language, label }: GuideBlock): boolean => language === 'sh' && label === ''
const BETWEEN = '=== the next step ==='

export interface Step {
  readonly expected: readonly string[]
  readonly said: string
}

/** Saves the files of a guide in a folder, as its reader does. */
export async function saveFiles(blocks: readonly GuideBlock[], folder: string): Promise<void> {
  for (const block of blocks.filter(isFile)) {
    await mkdir(dirname(join(folder, block.label)), { recursive: true })
    await writeFile(join(folder, block.label), block.text)
  }
}

/** Does what the guide says, in its order: saves its files, runs its commands, and types the password or the key when asked for it. */
export async function runGuide(name: string, server: GuideServer, tools: Tools = {}): Promise<Step[]> {
  const blocks = await filledBlocks(name, server)
  const folder = await newFolder()
  for (const file of tools.files ?? []) await symlink(file, join(folder, file.replace(/^.*\//, '')))
  await saveFiles(blocks, folder)
  for (const { text } of blocks.filter(({ label }) => label === 'setup')) await server.run(text)
  const script = blocks.filter(isRun).map(({ text }) => `${text}\necho; echo '${BETWEEN}'`)
  const shell = spawn('bash', ['-e', '-o', 'pipefail', '-c', script.join('\n')], {
    cwd: folder,
    env: environmentWith(tools),
  })
  let said = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const { door } = await readGuide(name)
  shell.stdin.end(`${door === 'mcp' ? server.key : server.password}\n`)
  const [code] = (await once(shell, 'close')) as [number | null]
  if (code !== 0) throw new Error(`The commands of ${name} ended with ${code}.\n${said}`)
  const parts = said.split(BETWEEN)
  const steps: { expected: string[]; said: string }[] = []
  for (const block of blocks) {
    if (isRun(block)) steps.push({ expected: [], said: parts[steps.length] ?? '' })
    if (block.label === 'output') steps.at(-1)?.expected.push(...block.text.trim().split('\n'))
  }
  return steps
}
