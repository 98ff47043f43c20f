import { expect, test } from 'vitest'
import { requireShare } from './share.ts'

const share = { mostOfAccount: 10, mostOfUser: 2, what: 'boats', how: 'Sell one.' }

test.each([
  ['none', { ofAccount: 0, ofUser: 0 }, null],
  ['one less than the share', { ofAccount: 9, ofUser: 1 }, null],
  [
    'the share of a user',
    { ofAccount: 2, ofUser: 2 },
    'You have 2 boats, the share of one user: at most 2 of the 10 that an account can have. Sell one.',
  ],
  ['more than the share, of before', { ofAccount: 7, ofUser: 7 }, 'You have 7 boats, the share of one user'],
  ['all of an account', { ofAccount: 10, ofUser: 0 }, 'An account has at most 10 boats. Sell one.'],
])('with %s', (_, held, words) => {
  const attempt = () => requireShare(held, share)
  if (words === null) expect(attempt).not.toThrow()
  else expect(attempt).toThrow(words)
})
