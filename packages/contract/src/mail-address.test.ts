import { expect, test } from 'vitest'
import { Email, isBusinessEmail } from './mail-address.ts'

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['  Ada.Lovelace+boats@Mail.Example.CO.UK ', 'ada.lovelace+boats@mail.example.co.uk'],
  ["o'neill@example.com", "o'neill@example.com"],
])('%s is an address, without letter case [SIGNIN-36]', (typed, address) => {
  expect(Email.parse(typed)).toBe(address)
})

test.each([
  ['', 'Enter the email'],
  ['ada', 'Enter the correct email'],
  ['ada@example', 'Enter the correct email'],
  ['ada@@example.com', 'Enter the correct email'],
  ['.ada@example.com', 'Enter the correct email'],
  ['ada..l@example.com', 'Enter the correct email'],
  ['ada@-example.com', 'Enter the correct email'],
  ['ada@example.c', 'Enter the correct email'],
  ['ada @example.com', 'Email contains unsupported characters'],
  ['ädä@example.com', 'Email contains unsupported characters'],
  ['ada<script>@example.com', 'Email contains unsupported characters'],
  ['a@example.com,b@example.com', 'Email contains unsupported characters'],
  ['ada@example.com\r\nBcc: b@example.com', 'Email contains unsupported characters'],
  [`${'a'.repeat(250)}@example.com`, 'The maximum length is 254'],
])('%j is refused: %s [SIGNIN-37, SIGNIN-38]', (typed, message) => {
  expect(Email.safeParse(typed).error?.issues[0]?.message).toBe(message)
})

test.each([
  ['ada@example.com', true],
  ['ada@gmail.com', false],
  ['ada@GMAIL.com', false],
  ['ada@yahoo.co.uk', false],
  ['ada@mail.yahoo.com', false],
  ['ada@163.com', false],
  ['ada@live.example.com', true],
  ['ada@outlook-boats.com', true],
  ['ada@rowing.co.uk', true],
])('%s is a business address: %s', (email, expected) => {
  expect(isBusinessEmail(email)).toBe(expected)
})
