import { describe, expect, test } from 'vitest'
import type { z } from 'zod/mini'
import { LIMITS } from './limits.ts'
import { CatalogName, DatabaseName, RESERVED_NAMES, WarehouseName } from './object-names.ts'
import {
  AccountId,
  decodePassword,
  encodePassword,
  EncodedPassword,
  initialsOf,
  MESSAGES,
  Password,
  PASSWORD_PARTS,
  QueryName,
  RegionId,
  UserName,
} from './rules.ts'

/** The message that a form shows: of the first broken rule; null if all are kept. */
const complaint = (rule: z.ZodMiniType, value: unknown): string | null => {
  const checked = rule.safeParse(value)
  return checked.success ? null : (checked.error.issues[0]?.message ?? 'no message')
}

test('the general messages read as specified [LIMIT-08, LIMIT-09, LIMIT-10]', () => {
  expect(MESSAGES.correctValue).toBe('Enter the correct value')
  expect(MESSAGES.enter('email')).toBe('Enter the email')
  expect(MESSAGES.maximumLength(32)).toBe('The maximum length is 32')
})

test.each([
  ['ABC12345', null],
  ['abc12345', MESSAGES.invalidAccountId],
  ['ABC1234', MESSAGES.invalidAccountId],
  ['ABC123456', MESSAGES.invalidAccountId],
  ['ABC12345\n', MESSAGES.invalidAccountId],
  ['ÄBC12345', MESSAGES.invalidAccountId],
  ['', MESSAGES.invalidAccountId],
])('account id %j: %s', (value, message) => {
  expect(complaint(AccountId, value)).toBe(message)
})

test.each([
  ['local', null],
  ['eu-central-1', null],
  ['a'.repeat(63), null],
  ['a'.repeat(64), 'Enter the correct value'],
  ['-eu', 'Enter the correct value'],
  ['EU', 'Enter the correct value'],
  ['', 'Enter the correct value'],
  ['../etc', 'Enter the correct value'],
])('region %j: %s', (value, message) => {
  expect(complaint(RegionId, value)).toBe(message)
})

test.each([
  ['ada', null],
  ['Ada Lovelace', null],
  ['', 'Enter the user name'],
  ['a'.repeat(65), 'The maximum length is 64'],
])('user name %j: %s', (value, message) => {
  expect(complaint(UserName, value)).toBe(message)
})

describe('a query name', () => {
  test('cannot be empty or blank [EDITOR-09]', () => {
    expect(complaint(QueryName, '')).toBe('Enter the query name')
    expect(complaint(QueryName, '   ')).toBe('Enter the query name')
  })

  test('has at most 32 characters, not counting the space around it [EDITOR-10]', () => {
    expect(complaint(QueryName, 'x'.repeat(32))).toBeNull()
    expect(complaint(QueryName, 'x'.repeat(33))).toBe('The maximum length is 32')
    expect(QueryName.parse(`  ${'x'.repeat(32)}  `)).toBe('x'.repeat(32))
  })
})

describe.each([
  ['warehouse', WarehouseName, LIMITS.warehouseNameLength],
  ['database', DatabaseName, LIMITS.databaseNameLength],
  ['catalog', CatalogName, LIMITS.catalogNameLength],
])('the name of a %s', (_, rule, length) => {
  test.each([
    ['a', null],
    ['Sales_2026', null],
    ['', 'Enter the name'],
    ['2026', MESSAGES.namePattern],
    ['_sales', MESSAGES.namePattern],
    ['sales-eu', MESSAGES.namePattern],
    ['sales eu', MESSAGES.namePattern],
    ['größe', MESSAGES.namePattern],
    ['sales"; DROP', MESSAGES.namePattern],
  ])('%j: %s', (value, message) => {
    expect(complaint(rule, value)).toBe(message)
  })

  test('is as long as its limit at most', () => {
    expect(complaint(rule, 'a'.repeat(length))).toBeNull()
    expect(complaint(rule, 'a'.repeat(length + 1))).toBe(`The maximum length is ${length}`)
  })
})

test('reserved names are refused to warehouses in any letter case', () => {
  const wordLike = RESERVED_NAMES.filter((name) => /^[a-z]/.test(name))
  for (const name of wordLike) {
    expect(complaint(WarehouseName, name)).toBe('This name is reserved')
    expect(complaint(WarehouseName, name.toUpperCase())).toBe('This name is reserved')
  }
  expect(complaint(WarehouseName, 'default_warehouse_2')).toBeNull()
})

describe('a password', () => {
  test.each([
    ['', 'Enter the password'],
    ['abcde1!', MESSAGES.passwordFormat],
    ['abcdef1!', null],
    ['abcdefghijklmn1!', null],
    ['abcdefghijklmno1!', MESSAGES.passwordFormat],
    ['abcdefgh!', MESSAGES.passwordFormat],
    ['12345678!', MESSAGES.passwordFormat],
    ['abcdefg1', MESSAGES.passwordFormat],
    ['abcdefg1-', MESSAGES.passwordFormat],
  ])('%j: %s', (value, message) => {
    expect(complaint(Password, value)).toBe(message)
  })

  test.each('!@#$%^&*_'.split(''))('may take %s for its symbol', (symbol) => {
    expect(complaint(Password, `abcdefg1${symbol}`)).toBeNull()
  })

  test.each(['abcdef1!', 'pässwörd1!', '密码🔑1!abc', ''])(
    '%j travels as base64 of its UTF-8',
    (password) => {
      const encoded = encodePassword(password)
      expect(encoded).toBe(Buffer.from(password, 'utf8').toString('base64'))
      expect(decodePassword(encoded)).toBe(password)
    },
  )

  test('is refused when it is not base64, empty or endless', () => {
    expect(complaint(EncodedPassword, encodePassword('abcdef1!'))).toBeNull()
    expect(complaint(EncodedPassword, '')).toBe('Enter the password')
    expect(complaint(EncodedPassword, 'not base64!')).not.toBeNull()
    expect(complaint(EncodedPassword, 'A'.repeat(516))).not.toBeNull()
  })
})

test.each([
  ['Ada Lovelace', 'AL'],
  ['ada lovelace king', 'AL'],
  ['ada', 'AD'],
  ['a', 'A'],
  ['  grace   hopper ', 'GH'],
  ['', ''],
  ['élodie', 'ÉL'],
  ['🐎 horse', '🐎H'],
  ['李 雷', '李雷'],
])('the initials of %j are %s [SHELL-74]', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

test('messages that are shown exactly as specified', () => {
  expect(MESSAGES.loginFailed).toBe('Login failed: Invalid account or password.')
  expect(MESSAGES.loginTimedOut).toBe('Your login to the product has timed out. Please try again.')
  expect(MESSAGES.noPermission).toBe(
    'It seems you do not have permission to use this function, please contact the account admin.',
  )
  expect(MESSAGES.connectionLimit).toBe('Reach limit of connections')
  expect(MESSAGES.idleTime).toBe('Enter the idle time')
  expect(MESSAGES.requestTimedOut).toBe('request timed out')
  expect(MESSAGES.error).toBe('Error')
})

test.each([
  'Rowing_2026',
  'rowing_2026',
  '12345678_',
  'Rowing2026',
  'R_1',
  'Rowing_2026_and_on',
  '',
  'ä1_aaaaa',
])('the parts of the password rule are together the rule: %s', (password) => {
  expect(PASSWORD_PARTS.every(({ fits }) => fits(password))).toBe(Password.safeParse(password).success)
})
