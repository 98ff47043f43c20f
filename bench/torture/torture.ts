import { setTimeout as sleep } from 'node:timers/promises'
import { signIn, type Login } from '@boathouse/client'
import { openChannel } from '../channel-client.ts'
import { Book, TABLE } from './book.ts'
import { checkHistory, readNumbers } from './final-state.ts'
import { startLoad } from './load.ts'
import { startPipes } from './pipes.ts'
import { connected, startPrograms } from './programs.ts'
import { VICTIMS, type TorturedProduct, type Victim } from './product.ts'
import { seeded, type Random } from './random.ts'
import { ServiceLost, untilAnswering } from './recovery.ts'
import { startStreams } from './streams.ts'
import { withProduct } from './with-product.ts'

export interface TorturePlan {
  readonly seed: number
  /** Of each victim. */
  readonly kills: number
  readonly consoles: number
  /** Some of the load creates, changes and drops databases, sequences, tables and indexes. */
  readonly defines: boolean
  /** The service must answer again so soon after a kill. */
  readonly backWithinMs: number
  readonly tell: (line: string) => void
}

export interface TortureReport {
  readonly seed: number
  readonly seconds: number
  readonly recoveriesMs: Readonly<Record<Victim, readonly number[]>>
  readonly requests: number
  readonly inserts: number
  readonly acknowledged: number
  readonly askedAgain: number
  readonly cuts: number
  readonly historyEntries: number
  readonly outcomes: ReadonlyMap<string, number>
  /** What the service logged as errors, and how often. */
  readonly troubles: ReadonlyMap<string, number>
  readonly violations: readonly string[]
}

const SHORTEST_PEACE_MS = 200
const LONGEST_PEACE_MS = 1_500

type Recoveries = Record<Victim, number[]>

interface Scene {
  readonly plan: TorturePlan
  readonly product: TorturedProduct
  readonly book: Book
  readonly random: Random
  readonly login: Login
}

async function killOnce({ product, login, book, plan }: Scene, victim: Victim): Promise<number> {
  const killedAt = performance.now()
  await product.kill(victim)
  if (victim === 'server') await product.restart()
  const backMs = await untilAnswering(login, killedAt, async () => {
    for (const how of product.ownEnds.splice(0)) {
      book.accuse(`the server ended by itself (${how}) after the ${victim} was killed`)
      await product.restart()
    }
  })
  const answeredAt = performance.now()
  const connection = await connected(product, () => performance.now() - answeredAt > plan.backWithinMs)
  if (connection) await connection.end()
  else book.accuse(`no program could connect when all else was back after the ${victim} was killed`)
  if (backMs > plan.backWithinMs)
    book.accuse(`back only ${Math.round(backMs)} ms after the ${victim} was killed`)
  return victim === 'MySQL endpoint' ? performance.now() - killedAt : backMs
}

/** Until all are killed as often as planned, or nothing answers any more. */
async function killAll(scene: Scene, recoveriesMs: Recoveries): Promise<void> {
  const { plan, random, book } = scene
  for (let round = 1; round <= plan.kills; round++) {
    for (const victim of VICTIMS) {
      await sleep(random.between(SHORTEST_PEACE_MS, LONGEST_PEACE_MS))
      try {
        recoveriesMs[victim].push(await killOnce(scene, victim))
      } catch (error) {
        if (!(error instanceof ServiceLost)) throw error
        return book.accuse(`the service did not come back after the ${victim} was killed: ${error.message}`)
      }
    }
    const last = VICTIMS.map((victim) => `${victim} ${Math.round(recoveriesMs[victim].at(-1) ?? 0)} ms`)
    plan.tell(`Round ${round} of ${plan.kills}: back after ${last.join(', ')}`)
  }
}

function countTroubles({ log }: TorturedProduct): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { kind, words } of log) if (kind === 'trouble') counts.set(words, (counts.get(words) ?? 0) + 1)
  return counts
}

/** Holds everything that was said against what is there; resolves with the length of the history. */
async function compare(login: Login, book: Book): Promise<number> {
  try {
    const rows = await readNumbers(login, book.inserts)
    book.compare(rows)
    return await checkHistory(login, { book, rows })
  } catch (error) {
    book.accuse(`the table and the history cannot be read: ${String(error)}`)
    return 0
  }
}

async function torment(product: TorturedProduct, plan: TorturePlan): Promise<TortureReport> {
  const startedAt = performance.now()
  const random = seeded(plan.seed)
  const book = new Book(String(plan.seed), plan)
  const login = await signIn(product.signIn)
  const logins: (typeof login)[] = []
  // One after the other: many at once look like guesses.
  for (let number = 0; number < plan.consoles; number++) logins.push(await signIn(product.signIn))
  const channel = await openChannel(login)
  await channel.run(`CREATE TABLE ${TABLE} (n BIGINT)`)
  await channel.close()

  const pipes = await startPipes({ login, folder: product.folder, book, random: random.fork() })
  const load = startLoad({ logins, book, random: random.fork() })
  const programs = startPrograms({ product, book, random: random.fork() })
  const streams = startStreams({ product, book, random: random.fork() })
  const recoveriesMs: Recoveries = { engine: [], server: [], database: [], 'MySQL endpoint': [] }
  try {
    await killAll({ plan, product, book, random, login }, recoveriesMs)
  } finally {
    await Promise.all([load.stop(), programs.stop(), streams.stop(), pipes.stop()])
  }
  const historyEntries = await compare(login, book)
  return {
    seed: plan.seed,
    seconds: (performance.now() - startedAt) / 1000,
    recoveriesMs,
    requests: book.requests,
    inserts: book.inserts,
    acknowledged: book.acknowledged,
    askedAgain: book.askedAgain,
    cuts: load.cuts(),
    historyEntries,
    outcomes: book.outcomes,
    troubles: countTroubles(product),
    violations: book.violations,
  }
}

/** Kills every part of the product in turn under load, and holds every answer against what is in the table. */
export async function torture(plan: TorturePlan): Promise<TortureReport> {
  const { result: report, leftBehind } = await withProduct((product) => torment(product, plan))
  const left = leftBehind.map((process) => `a process was left behind: ${process}`)
  return { ...report, violations: [...report.violations, ...left] }
}
