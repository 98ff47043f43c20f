import { expect, test } from 'vitest'
import { readProgramUser } from './program-name.ts'

test.each([
  ['ABC12345.ada', { accountId: 'ABC12345', username: 'ada' }],
  ['abc12345.Ada', { accountId: 'ABC12345', username: 'Ada' }],
  ['ada@ABC12345', { accountId: 'ABC12345', username: 'ada' }],
  ['ada.b@row.example@ABC12345', { accountId: 'ABC12345', username: 'ada.b@row.example' }],
  ['ABC12345.ada@row.example', { accountId: 'ABC12345', username: 'ada@row.example' }],
  // An account in front decides: the same text is never two users.
  ['ABC12345.ada@DEF67890', { accountId: 'ABC12345', username: 'ada@DEF67890' }],
])('%s is somebody of an account', (name, user) => {
  expect(readProgramUser(name)).toEqual(user)
})

test.each(['', 'ada', 'ABC12345', 'ABC12345.', '@ABC12345', 'ABC1234.ada', `ABC12345.${'a'.repeat(65)}`])(
  '%j names nobody of an account',
  (name) => {
    expect(readProgramUser(name)).toBeNull()
  },
)
