import { encodePassword } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { passwordRule } from './password-rule.ts'

test.each([btoa('weak'), '/////w==', encodePassword('Rowing_2026Rowing_2026')])(
  '%j is no password that somebody may choose, unless the rule is skipped [SIGNIN-26]',
  (encoded) => {
    expect(() => passwordRule({ isSkipped: false })(encoded)).toThrow('password: Use 8 to 16 characters')
    expect(() => passwordRule({ isSkipped: true })(encoded)).not.toThrow()
  },
)

test('a password that fits the rule is accepted', () => {
  expect(() => passwordRule({ isSkipped: false })(encodePassword('Rowing_2026'))).not.toThrow()
})
