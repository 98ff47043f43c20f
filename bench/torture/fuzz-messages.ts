import { LIMITS } from '@boathouse/contract'
import { anyText, mangled } from './fuzz-text.ts'
import type { Random } from './random.ts'

/** What is sent as one message of the channel. */
export interface AnyMessage {
  readonly data: Buffer
  readonly isBinary: boolean
}

const NUMBERS = [
  0,
  -1,
  1,
  2,
  3,
  4,
  9,
  -2,
  1.5,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e308,
  1e-7,
]

function anyValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 5 : 8)
  if (kind === 0) return null
  if (kind === 1) return random.chance(0.5)
  if (kind === 2) return random.pick(NUMBERS)
  if (kind === 3) return anyText(random, 20)
  if (kind === 4) return ''
  if (kind === 5) return Array.from({ length: random.below(5) }, () => anyValue(random, depth + 1))
  return Object.fromEntries(
    Array.from({ length: random.below(5) }, () => [
      random.pick(['cmd', 'connIds', 'connId', 'queryReq', 'sql', '__proto__', 'toString', 'x']),
      anyValue(random, depth + 1),
    ]),
  )
}

function goodMessage(random: Random): Record<string, unknown> {
  const cmd = random.between(1, 3)
  if (cmd === 1) {
    const connIds = Array.from({ length: random.below(4) }, () => random.pick([0, -1, 1, 2, 77, 2 ** 53 - 1]))
    return { cmd, connIds, ...(random.chance(0.3) ? { since: random.pick([0, 1, 2 ** 53 - 1]) } : {}) }
  }
  const connId = random.pick([-1, 1, 2, 3, 12345, 2 ** 53 - 1])
  if (cmd === 3) return { cmd, connId }
  const requestId = `fuzz-${random.below(2 ** 32)}-${random.below(2 ** 32)}`
  const oriConnId = random.pick([0, -1, connId])
  return { cmd, queryReq: { connId, sql: 'SELECT 1', channel: 'fuzz', requestId, oriConnId } }
}

/** A message of the contract in which one thing is something else. */
function brokenMessage(random: Random): unknown {
  const message = goodMessage(random)
  const inside = message['queryReq'] as Record<string, unknown> | undefined
  const target = inside && random.chance(0.8) ? inside : message
  const field = random.pick(Object.keys(target))
  if (random.chance(0.3)) delete target[field]
  else target[field] = anyValue(random)
  return message
}

function strangeJson(random: Random): string {
  const deep = random.chance(0.05) ? 200_000 : random.between(1, 5_000)
  return random.pick([
    '['.repeat(deep),
    `${'['.repeat(deep)}${']'.repeat(deep)}`,
    `{"cmd":1,"connIds":${'['.repeat(deep)}${']'.repeat(deep)}}`,
    '{"a":'.repeat(deep),
    '{"cmd":1,"cmd":3,"connIds":[]}',
    '{"cmd":1e400,"connIds":[]}',
    '{"cmd":1,"connIds":[1e400]}',
    '{"cmd":-0,"connIds":[]}',
    '{"cmd":"1","connIds":[]}',
    '\ufeff{"cmd":1,"connIds":[]}',
    '{"cmd":1,"connIds":[],}',
    "{'cmd':1}",
    'NaN',
    'null',
    '""',
    `{"cmd":1,"connIds":[${'1,'.repeat(random.between(900, 1100))}1]}`,
    '{"__proto__":{"cmd":1},"connIds":[]}',
    '{"cmd":{"toString":1}}',
    JSON.stringify({ cmd: 2, queryReq: { sql: 'x'.repeat(LIMITS.sqlLength + 1) } }),
  ])
}

const bytes = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random.below(256)))

function anyData(random: Random): Buffer {
  const share = random.next()
  if (share < 0.15) return bytes(random, random.below(200))
  if (share < 0.3) return Buffer.from(anyText(random))
  if (share < 0.45) return Buffer.from(JSON.stringify(anyValue(random)))
  if (share < 0.6) return Buffer.from(JSON.stringify(goodMessage(random)))
  if (share < 0.8) return Buffer.from(JSON.stringify(brokenMessage(random)))
  if (share < 0.9) return Buffer.from(mangled(random, JSON.stringify(goodMessage(random))))
  if (share < 0.999) return Buffer.from(strangeJson(random))
  return Buffer.alloc(LIMITS.channelMessageBytes + random.between(-1, 1), ' ')
}

/** Any bytes as a message of the channel. */
export const anyMessage = (random: Random): AnyMessage => ({
  data: anyData(random),
  isBinary: random.chance(0.05),
})
