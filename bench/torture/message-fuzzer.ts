import { ClientMessage, CODES, QUERY_STATES, type ServerMessage } from '@boathouse/contract'
import { faultOfClose } from './fuzz-answers.ts'
import { anyMessage, type AnyMessage } from './fuzz-messages.ts'
import type { Fuzzing } from './fuzz.ts'
import { seeded, seedOf } from './random.ts'
import { RawChannel, type Closed } from './raw-channel.ts'

const LANES = 8
const LOOK_EVERY = 500
const ANSWERED_WITHIN_MS = 120_000
const SHOWN = 300

function meaningOf({ data, isBinary }: AnyMessage): ClientMessage | null {
  if (isBinary) return null
  try {
    const parsed = ClientMessage.safeParse(JSON.parse(data.toString()))
    return parsed.success ? parsed.data : null
  } catch {
    // Not JSON at all, as most of them.
    return null
  }
}

/** An id that nobody has, in a question that is always answered: it tells that the channel lives on. */
const markerOf = (index: number): number => 2 ** 52 + index

/** Words that say what is wrong with a message. */
function refusalIn(heard: ServerMessage): string | undefined {
  if (heard.cmd === 3 && heard.type === 'BadMessage')
    return (heard.data as { message?: string }).message ?? ''
  if (heard.cmd === 2 && heard.queryRsp.errCode === CODES.BadInput.code) return heard.queryRsp.errMsg
  return undefined
}

async function outcomeOf(channel: RawChannel, message: AnyMessage, marker: number): Promise<string> {
  const meaning = meaningOf(message)
  let refusal: string | undefined
  const queryAnswered = channel.hear((heard) => {
    refusal ??= refusalIn(heard)
    return heard.cmd === 2 && heard.queryRsp.queryState >= QUERY_STATES.Finished ? 'answered' : undefined
  })
  const markerHeard = channel.hear((heard) =>
    heard.cmd === 1 && heard.keepAliveRsp.notAliveConnIds.includes(marker) ? 'lives on' : undefined,
  )
  channel.send(message.data, message.isBinary)
  channel.send(JSON.stringify({ cmd: 1, connIds: [marker] }))
  const outcome = meaning?.cmd === 2 ? await queryAnswered : await markerHeard
  if (outcome === null) return closingOf(await channel.closed, meaning !== null)
  if (meaning) return `a good one ${outcome}`
  return refusal ? 'a bad one is refused with words' : 'FAULT a bad one was passed over without a word'
}

function closingOf(closed: Closed, isGood: boolean): string {
  if (isGood) return `FAULT a good one closed the channel (${closed.code} ${closed.reason})`
  const fault = faultOfClose(closed)
  return fault ? `FAULT a bad one was ${fault}` : `a bad one closed the channel with ${closed.code}`
}

async function sendOne(
  fuzzing: Fuzzing,
  index: number,
  reused: RawChannel | null,
): Promise<RawChannel | null> {
  const { plan, login, count, accuse } = fuzzing
  const message = anyMessage(seeded(seedOf(plan.seed, index)))
  const shown = JSON.stringify(message.data.toString().slice(0, SHOWN))
  const channel = reused ?? (await RawChannel.open(login))
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('FAULT it was not answered'), ANSWERED_WITHIN_MS)
  })
  const outcome = await Promise.race([outcomeOf(channel, message, markerOf(index)), late])
  clearTimeout(timer)
  if (outcome.startsWith('FAULT')) accuse(`message ${index}: ${outcome}: ${shown}`)
  count(`message: ${outcome}`)
  if (/ (answered|lives on|with words)$/.test(outcome)) return channel
  await channel.close()
  return null
}

export async function fuzzMessages(fuzzing: Fuzzing): Promise<void> {
  const { plan } = fuzzing
  let next = 0
  const lane = async (): Promise<void> => {
    let channel: RawChannel | null = null
    for (let index = next++; index < plan.messages && !fuzzing.isOver(); index = next++) {
      channel = await sendOne(fuzzing, index, channel)
      if (index % LOOK_EVERY !== LOOK_EVERY - 1) continue
      await fuzzing.look(`near message ${index}`)
      plan.tell(`${index + 1} of ${plan.messages} messages`)
    }
    await channel?.close()
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}
