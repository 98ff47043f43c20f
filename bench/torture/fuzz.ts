import { signIn, type Login } from '@boathouse/client'
import { openChannel } from '../channel-client.ts'
import type { TorturedProduct } from './product.ts'
import { isAfterEnd } from './fuzz-answers.ts'
import { fuzzMessages } from './message-fuzzer.ts'
import { fuzzTexts } from './text-fuzzer.ts'
import { withProduct } from './with-product.ts'

export interface FuzzPlan {
  readonly seed: number
  /** As SQL. */
  readonly texts: number
  /** Of the channel. */
  readonly messages: number
  readonly tell: (line: string) => void
}

export interface FuzzReport {
  readonly seed: number
  readonly seconds: number
  readonly texts: number
  readonly messages: number
  /** How often the texts and messages were answered in which way. */
  readonly answers: ReadonlyMap<string, number>
  readonly memory: { readonly before: Memory; readonly most: Memory; readonly after: Memory }
  readonly violations: readonly string[]
}

interface Memory {
  readonly server: number
  readonly engine: number
}

/** What those who fuzz share: what they heard, and what is wrong. */
export interface Fuzzing {
  readonly plan: FuzzPlan
  readonly product: TorturedProduct
  readonly login: Login
  count(answer: string): void
  accuse(violation: string): void
  /** To be called now and then, between texts: looks after the parts. */
  look(progress: string): Promise<void>
  /** Nothing answers any more: there is no use in continuing. */
  isOver(): boolean
}

const MIB = 1024 ** 2
const GROWTH_BYTES = 512 * MIB
const ENGINE_BYTES = 2048 * MIB
/** Of engines that had to be ended: more of them than for one in so many texts is a fault. */
const TEXTS_PER_END = 500

const ENGINE_ENDED = 'the engine was ended because it did not stop, or had no memory left'

const larger = (a: Memory, b: Memory): Memory => ({
  server: Math.max(a.server, b.server),
  engine: Math.max(a.engine, b.engine),
})

/** Engines that are ended one after the other while a good statement tries to run. */
const MOST_ENDED = 5

/** What is wrong with the answer to a good statement; null when nothing is. */
async function faultOfGood(login: Login, attempt = 1): Promise<string | null> {
  try {
    const channel = await openChannel(login)
    const rows = await channel.run('SELECT 41 + 1')
    await channel.close()
    return rows[0]?.[0] === '42' ? null : `SELECT 41 + 1 is ${JSON.stringify(rows)}`
  } catch (error) {
    const fault = String(error)
    return isAfterEnd(fault) && attempt < MOST_ENDED ? faultOfGood(login, attempt + 1) : fault
  }
}

async function fuzzProduct(product: TorturedProduct, plan: FuzzPlan): Promise<FuzzReport> {
  const startedAt = performance.now()
  const login = await signIn(product.signIn)
  await faultOfGood(login)
  const violations: string[] = []
  const answers = new Map<string, number>()
  const before = await product.memory()
  let most = before
  let isOver = false
  let logSeen = product.log.length
  const fuzzing: Fuzzing = {
    plan,
    product,
    login,
    count: (answer) => void answers.set(answer, (answers.get(answer) ?? 0) + 1),
    isOver: () => isOver,
    accuse: (violation) => void violations.push(violation),
    async look(progress) {
      for (const { kind, words } of product.log.slice(logSeen)) {
        if (isAfterEnd(words)) fuzzing.count(ENGINE_ENDED)
        else if (kind !== 'engine runs') violations.push(`in the log, ${progress}: ${words}`)
      }
      logSeen = product.log.length
      for (const end of product.ownEnds.splice(0)) {
        violations.push(`${progress}: the server ended by itself (${end})`)
        await product.restart()
      }
      const fault = await faultOfGood(login)
      if (fault) violations.push(`the service is lost, ${progress}: ${fault}`)
      isOver = fault !== null
      most = larger(most, await product.memory())
    },
  }
  await fuzzTexts(fuzzing)
  await fuzzMessages(fuzzing)
  await fuzzing.look('at the end')
  const after = await product.memory()
  if (after.server - before.server > GROWTH_BYTES)
    violations.push(`the server grew from ${before.server / MIB} to ${after.server / MIB} MiB`)
  if (most.engine > ENGINE_BYTES) violations.push(`the engine used ${most.engine / MIB} MiB`)
  const ends = answers.get(ENGINE_ENDED) ?? 0
  if (ends > 1 + plan.texts / TEXTS_PER_END) violations.push(`${ends} engines had to be ended`)
  const seconds = (performance.now() - startedAt) / 1000
  return { ...plan, seconds, answers, memory: { before, most, after }, violations }
}

/** Any text as SQL and any bytes as a message: each gets a clear answer, and everything lives on. */
export async function fuzz(plan: FuzzPlan): Promise<FuzzReport> {
  const { result } = await withProduct((product) => fuzzProduct(product, plan))
  return result
}
