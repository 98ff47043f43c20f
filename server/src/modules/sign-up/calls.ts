import { marketplace, signUpCalls } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { SignUps } from './service.ts'

export const signUpHandlers = (signUps: SignUps) => [
  ...implement(signUpCalls, {
    startFreeTrial: async (from, form) => {
      await signUps.startFreeTrial(from, form)
      return {}
    },
    activationLink: (from, { token }) => signUps.activationLink(from, token),
    activate: (from, input) => signUps.activate(from, input),
    setUpProgress: (from, { setUpToken }) => signUps.progress(from, setUpToken),
  }),
  ...implement(marketplace, {
    resolve: (from, { token }) => signUps.resolveMarketplace(from, token),
    signUp: async (from, input) => {
      await signUps.signUpFromMarketplace(from, input)
      return {}
    },
  }),
]
