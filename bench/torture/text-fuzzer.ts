import { callAs } from '@boathouse/client'
import { CONN_NEW, editor, QUERY_STATES, codeName, type QueryRsp } from '@boathouse/contract'
import { faultOfAnswer } from './fuzz-answers.ts'
import { anySql } from './fuzz-sql.ts'
import type { Fuzzing } from './fuzz.ts'
import { seeded, seedOf } from './random.ts'
import { RawChannel } from './raw-channel.ts'

const LANES = 8
const LOOK_EVERY = 500
/** A lane leaves its connection after so many texts, with whatever they did to it. */
const TEXTS_PER_CONNECTION = 25
const STOP_AFTER_MS = 5_000
const GIVE_UP_AFTER_MS = 30_000
const SHOWN = 300

const LATE = Symbol('late')

async function within<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof LATE>((resolve) => (timer = setTimeout(() => resolve(LATE), ms)))
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const shown = (text: string): string =>
  JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

const nameOf = ({ queryState, errCode }: QueryRsp): string =>
  queryState === QUERY_STATES.Finished ? 'finished' : (codeName(errCode) ?? String(errCode))

/** One tab that sends one bad text after the other. */
class Lane {
  readonly #fuzzing: Fuzzing
  #channel: RawChannel | null = null
  #connId: number = CONN_NEW
  #textsLeft = TEXTS_PER_CONNECTION

  constructor(fuzzing: Fuzzing) {
    this.#fuzzing = fuzzing
  }

  async send(index: number): Promise<void> {
    const { plan, accuse, count } = this.#fuzzing
    const sql = anySql(seeded(seedOf(plan.seed, index)))
    const blame = (what: string) => accuse(`text ${index} ${what}: ${shown(sql)}`)
    const answers = await this.#ask(index, sql)
    if (answers === LATE) {
      blame('was not answered, not even after it was stopped')
      return this.leave()
    }
    if (!answers) {
      const { code, reason } = (await this.#channel?.closed) ?? { code: 0, reason: '' }
      blame(`closed the channel (${code} ${reason})`)
      this.#channel = null
      return
    }
    for (const answer of answers) {
      count(`text: ${nameOf(answer)}`)
      const fault = faultOfAnswer(answer, sql)
      if (fault) blame(`was answered with ${fault}`)
    }
    await this.#follow(answers)
  }

  /** Ends the connection, and with it what may be open in it. */
  async leave(): Promise<void> {
    this.#channel?.send(JSON.stringify({ cmd: 3, connId: this.#connId }))
    await this.#channel?.close()
    this.#channel = null
    this.#connId = CONN_NEW
    this.#textsLeft = TEXTS_PER_CONNECTION
  }

  async #ask(index: number, sql: string): Promise<QueryRsp[] | null | typeof LATE> {
    const { login, plan, count } = this.#fuzzing
    this.#channel ??= await RawChannel.open(login)
    const requestId = `fuzz-${plan.seed}-${index}`
    const connId = this.#connId
    const asked = this.#channel.ask({ connId, sql, channel: 'fuzz', requestId, oriConnId: connId })
    const answers = await within(STOP_AFTER_MS, asked)
    if (answers !== LATE) return answers
    count('text: stopped because it took long')
    plan.tell(`Text ${index} took long, ${sql.length} characters: ${shown(sql.slice(0, 60))}`)
    await callAs(login, editor.kill, { requestId }).catch((error: unknown) =>
      count(`text: could not be stopped (${String(error)})`),
    )
    return within(GIVE_UP_AFTER_MS, asked)
  }

  async #follow(answers: readonly QueryRsp[]): Promise<void> {
    const connId = answers.at(-1)?.connId ?? CONN_NEW
    this.#connId = Math.max(connId, CONN_NEW)
    if (--this.#textsLeft <= 0) await this.leave()
  }
}

export async function fuzzTexts(fuzzing: Fuzzing): Promise<void> {
  const { plan, login } = fuzzing
  const channel = await RawChannel.open(login)
  const sql = 'CREATE TABLE IF NOT EXISTS fuzzed (n BIGINT)'
  await channel.ask({ connId: 0, sql, channel: 'fuzz', requestId: `fuzz-${plan.seed}-table`, oriConnId: 0 })
  await channel.close()
  let next = 0
  const lane = async (): Promise<void> => {
    const own = new Lane(fuzzing)
    for (let index = next++; index < plan.texts && !fuzzing.isOver(); index = next++) {
      await own.send(index)
      if (index % LOOK_EVERY !== LOOK_EVERY - 1) continue
      await fuzzing.look(`near text ${index}`)
      plan.tell(`${index + 1} of ${plan.texts} texts`)
    }
    await own.leave()
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}
