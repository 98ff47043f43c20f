import { LIMITS } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { fullness } from './channel-limits.ts'

const { channelsPerAccount, channelsPerUser } = LIMITS

/** As many channels of one account, each user holding one. */
const channelsOf = (accountId: string, count: number) =>
  Array.from({ length: count }, (_, number) => ({ accountId, userId: `${accountId}-${number}` }))

test('one more channel opens for an account until it holds 2000', () => {
  const asked = { accountId: 'A', userId: 'new' }
  expect(channelsPerAccount).toBe(2000)
  expect(fullness(asked, channelsOf('A', channelsPerAccount - 1))).toBeNull()
  expect(fullness(asked, channelsOf('A', channelsPerAccount))).toBe(
    'This account has 2000 open channels, the maximum. Close consoles that are not in use.',
  )
})

test('the channels of other accounts do not count', () => {
  expect(fullness({ accountId: 'A', userId: 'new' }, channelsOf('B', channelsPerAccount))).toBeNull()
})

test('one more channel opens for a user until they hold 32', () => {
  const mine = { accountId: 'A', userId: 'me' }
  const others = channelsOf('A', 100)
  const held = Array.from({ length: channelsPerUser }, () => mine)
  expect(fullness(mine, [...others, ...held.slice(1)])).toBeNull()
  expect(fullness(mine, [...others, ...held])).toBe(
    'You have 32 open channels, the maximum. Close windows of the console.',
  )
})

test('every sentence fits into the 123 bytes that the close of a channel can carry', () => {
  const asked = { accountId: 'A', userId: 'A-0' }
  const sentences = [
    fullness(asked, channelsOf('A', channelsPerAccount)),
    fullness(
      asked,
      Array.from({ length: channelsPerUser }, () => asked),
    ),
  ]
  for (const sentence of sentences) expect(Buffer.byteLength(sentence ?? '')).toBeLessThanOrEqual(123)
})
