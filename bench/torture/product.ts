import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SignIn } from '@boathouse/client'
import { launchProduct, startProduct, type LaunchedProduct } from '../start-product.ts'
import { processes, type ProcessFacts } from '../processes.ts'
import { readLine, type LogLine } from './server-log.ts'
import { freePort } from '../../server/src/testing/free-port.ts'

export const VICTIMS = ['engine', 'server', 'database', 'MySQL endpoint'] as const
export type Victim = (typeof VICTIMS)[number]

/** What the folder is called that pipes read. */
export const FOLDER = 'landing'

const FOUND_WITHIN_MS = 120_000
const GONE_WITHIN_MS = 120_000
const LOOK_EVERY_MS = 10

const isEngineHost = (command: string): boolean => command.includes('engine-host')
const isMysqlDoor = (command: string): boolean => command.includes('mysql-door')

function killAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It ended at this very moment.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** The product, whose parts are killed and which is started again on the same port and data. */
export class TorturedProduct {
  readonly signIn: SignIn
  readonly log: LogLine[] = []
  /** How its process ended when nobody had asked it to. */
  readonly ownEnds: string[] = []
  readonly mysqlPort: number
  /** Whose files may be loaded. */
  readonly folder: string
  readonly #dataDirectory: string
  readonly #childPids = new Set<number>()
  #launched: LaunchedProduct
  #enginePid = 0
  #isExpectedToEnd = false

  private constructor(
    place: { readonly dataDirectory: string; readonly mysqlPort: number; readonly folder: string },
    launched: LaunchedProduct & { signIn: SignIn },
    heard: string[],
  ) {
    this.#dataDirectory = place.dataDirectory
    this.mysqlPort = place.mysqlPort
    this.folder = place.folder
    this.#launched = launched
    this.signIn = launched.signIn
    for (const line of heard) this.#hear(line)
    this.#watch(launched)
  }

  static async start(dataDirectory: string): Promise<TorturedProduct> {
    const heard: string[] = []
    let hear = (line: string): void => void heard.push(line)
    const [port, mysqlPort] = [await freePort(), await freePort()]
    const folder = join(await realpath(dirname(dataDirectory)), FOLDER)
    await mkdir(folder)
    const folders = `${FOLDER}=${folder}`
    const launched = await startProduct({
      dataDirectory,
      port,
      mysqlPort,
      folders,
      hear: (line) => hear(line),
    })
    const place = { dataDirectory: await realpath(dataDirectory), mysqlPort, folder }
    const product = new TorturedProduct(place, launched, heard)
    hear = (line) => product.#hear(line)
    return product
  }

  get serverPid(): number {
    return this.#launched.pid
  }

  /** Ends one part at once; resolves when it is dead. */
  async kill(victim: Victim): Promise<void> {
    const pid = await this.#find(victim)
    await this.#rememberChildren()
    if (victim === 'server') this.#isExpectedToEnd = true
    killAtOnce(pid)
    if (victim === 'server') await this.#launched.ended
    else await this.#untilGone(pid)
  }

  /** After the server was killed: as an operator's supervisor would. */
  async restart(): Promise<void> {
    const { port } = new URL(this.signIn.url)
    this.#launched = await launchProduct({
      dataDirectory: this.#dataDirectory,
      port: Number(port),
      mysqlPort: this.mysqlPort,
      folders: `${FOLDER}=${this.folder}`,
      hear: (line) => this.#hear(line),
    })
    this.#watch(this.#launched)
  }

  /** What it uses, by part. */
  async memory(): Promise<{ server: number; engine: number }> {
    const all = await processes()
    const bytesOf = (pid: number) => all.find((facts) => facts.pid === pid)?.rssBytes ?? 0
    return { server: bytesOf(this.serverPid), engine: bytesOf(this.#enginePid) }
  }

  /** Ends all of it; resolves with the processes that it left behind and that had to be ended by force. */
  async end(): Promise<string[]> {
    this.#isExpectedToEnd = true
    await this.#rememberChildren()
    await this.#launched.stop()
    const deadline = Date.now() + GONE_WITHIN_MS
    let left = await this.#ownProcesses()
    while (left.length > 0 && Date.now() < deadline) {
      await sleep(LOOK_EVERY_MS)
      left = await this.#ownProcesses()
    }
    for (const { pid } of left) killAtOnce(pid)
    return left.map(({ pid, command }) => `${pid} ${command}`)
  }

  #hear(text: string): void {
    const line = readLine(text)
    if (line.enginePid) this.#enginePid = line.enginePid
    if (line.kind !== 'other') this.log.push(line)
  }

  #watch(launched: LaunchedProduct): void {
    this.#isExpectedToEnd = false
    void launched.ended.then((how) => (this.#isExpectedToEnd ? 0 : this.ownEnds.push(how)))
  }

  async #find(victim: Victim): Promise<number> {
    if (victim === 'server') return this.serverPid
    const deadline = Date.now() + FOUND_WITHIN_MS
    for (;;) {
      const found = (await processes()).find((facts) => this.#isVictim(victim, facts))
      if (found) return found.pid
      if (Date.now() > deadline) throw new Error(`The process of the ${victim} was not found.`)
      await sleep(LOOK_EVERY_MS)
    }
  }

  #isVictim(victim: Victim, facts: ProcessFacts): boolean {
    if (victim === 'engine') return this.#isEngine(facts)
    if (victim === 'database') return this.#isPostmaster(facts)
    return facts.parent === this.serverPid && isMysqlDoor(facts.command)
  }

  /** Those that wait for an account are no less its processes. */
  async #rememberChildren(): Promise<void> {
    for (const { pid, parent, command } of await processes())
      if (parent === this.serverPid && (isEngineHost(command) || isMysqlDoor(command)))
        this.#childPids.add(pid)
  }

  #isEngine({ pid, parent }: ProcessFacts): boolean {
    return pid === this.#enginePid && parent === this.serverPid
  }

  /** Its children rename themselves. */
  #isPostmaster({ command }: ProcessFacts): boolean {
    return command.includes(`-D ${this.#dataDirectory}/`) && command.includes('postgres')
  }

  async #ownProcesses(): Promise<ProcessFacts[]> {
    return (await processes()).filter(
      (facts) =>
        this.#isPostmaster(facts) ||
        (this.#childPids.has(facts.pid) && (isEngineHost(facts.command) || isMysqlDoor(facts.command))),
    )
  }

  async #untilGone(pid: number): Promise<void> {
    const deadline = Date.now() + GONE_WITHIN_MS
    while ((await processes()).some((facts) => facts.pid === pid)) {
      if (Date.now() > deadline) throw new Error(`Process ${pid} lives on after SIGKILL.`)
      await sleep(LOOK_EVERY_MS)
    }
  }
}
