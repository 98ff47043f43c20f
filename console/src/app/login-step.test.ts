import { expect, test } from 'vitest'
import { chooseStep } from './login-step.ts'

const nothing = { account: null, region: null }
const remembered = { account: 'ABC12345', region: 'local-1' }

test('asks for the account when nothing is known [SIGNIN-08]', () => {
  expect(chooseStep({}, nothing)).toEqual({ step: 'account' })
  expect(chooseStep({ step: 'signin' }, nothing)).toEqual({ step: 'account' })
})

test('asks who, for the account in the address', () => {
  const at = { step: 'signin', accountId: 'XYZ00001', region: 'local-2' }
  expect(chooseStep({ step: 'signin', aid: 'XYZ00001', region: 'local-2' }, remembered)).toEqual(at)
  expect(chooseStep({ aid: 'XYZ00001', region: 'local-2' }, nothing)).toEqual(at)
})

test('takes the remembered account when the address names none', () => {
  const at = { step: 'signin', accountId: 'ABC12345', region: 'local-1' }
  expect(chooseStep({}, remembered)).toEqual(at)
  expect(chooseStep({ step: 'signin' }, remembered)).toEqual(at)
})

test('does not mix the region of one account with another', () => {
  expect(chooseStep({ step: 'signin', aid: 'XYZ00001' }, remembered)).toMatchObject({ region: null })
})

test('asks for the account when requested, or when the address names an impossible one', () => {
  expect(chooseStep({ step: 'account', aid: 'ABC12345' }, remembered)).toEqual({ step: 'account' })
  expect(chooseStep({ step: 'signin', aid: 'nonsense' }, remembered)).toEqual({ step: 'account' })
})
