import { expect, test } from 'vitest'
import { CODES, codeName, type CodeName, codeNumber, HIGHEST_HANDLED_CODE } from './codes.ts'

const names = Object.keys(CODES) as CodeName[]

test('numbers of the specification are kept', () => {
  expect(codeNumber('Ok')).toBe(20000)
  expect(codeNumber('LoginRequired')).toBe(40001)
  expect(codeNumber('ConnectionLost')).toBe(40004)
  expect(codeNumber('Cancelled')).toBe(40008)
  expect(codeNumber('IpBlocked')).toBe(41003)
})

test('every code has a number of its own, and none makes a client reject with the raw body', () => {
  expect(HIGHEST_HANDLED_CODE).toBe(50003)
  const numbers = names.map(codeNumber)
  expect(new Set(numbers).size).toBe(numbers.length)
  for (const number of numbers) expect(number).toBeLessThanOrEqual(HIGHEST_HANDLED_CODE)
})

test('only success is a success to HTTP', () => {
  expect(names.filter((name) => CODES[name].http < 400)).toEqual(['Ok'])
  expect(CODES.Ok.http).toBe(200)
})

test('a number leads back to its name, an unknown one to nothing', () => {
  for (const name of names) expect(codeName(codeNumber(name))).toBe(name)
  expect(codeName(1)).toBeUndefined()
})
