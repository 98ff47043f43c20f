import { expect, test } from 'vitest'
import { readCard } from './test-cards.ts'

const now = new Date('2026-11-16T05:00:00Z')

test('a test card is read as what it stands for, with its last digits and nothing more of its number', () => {
  const read = readCard({ number: '4242 4242-4242 4242', expires: '1/30', code: '123' }, now)
  expect(read).toEqual({ card: 'visa', lastDigits: '4242', expires: '2030-01' })
  expect(readCard({ number: '378282246310005', expires: '1126', code: '1234' }, now)).toMatchObject({
    card: 'amex',
    expires: '2026-11',
  })
})

test('anything else is refused, field by field', () => {
  expect(readCard({ number: '4111111111111111', expires: '13/30', code: '12' }, now)).toEqual({
    number: 'notTest',
    expires: 'expiresWrong',
    code: 'codeWrong',
  })
  expect(readCard({ number: '4242424242424242', expires: '10/2026', code: '123' }, now)).toEqual({
    expires: 'expired',
  })
})
