import { expect, test } from 'vitest'
import { COUNTRIES } from './countries.ts'
import { Company, Country, FirstName } from './sign-up.ts'

test.each(['Ada', 'Jean-Luc', "O'Neill", 'María José', 'J. R.', '明'])('%s is a name', (name) => {
  expect(FirstName.parse(` ${name} `)).toBe(name)
})

test.each([
  '',
  'http://evil.example',
  'www.evil.example',
  'evil.example',
  '<b>',
  'a\nb',
  '1',
  'x'.repeat(65),
])('%j is no name: it would stand in a mail', (name) => {
  expect(FirstName.safeParse(name).success).toBe(false)
})

test('a company is called what it likes, without control characters', () => {
  expect(Company.parse('3M & Söhne, Inc.')).toBe('3M & Söhne, Inc.')
  expect(Company.safeParse('a\u0007').success).toBe(false)
})

test('countries are those of ISO 3166-1', () => {
  expect(new Set(COUNTRIES).size).toBe(249)
  expect(Country.safeParse('PT').success).toBe(true)
  expect(Country.safeParse('XX').error?.issues[0]?.message).toBe('Enter the correct value')
})
