import { IDENTITY_MESSAGES } from './identity-messages.ts'
import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { COUNTRIES } from './countries.ts'
import { Email } from './mail-address.ts'
import { EncodedPassword, LinkToken, MESSAGES } from './rules.ts'

const NAME_LENGTH = 64

/** Part of mails to the owner of the address, so it must not contain anything that looks like a link. */
const personName = (label: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, MESSAGES.enter(label)),
      z.maxLength(NAME_LENGTH, MESSAGES.maximumLength(NAME_LENGTH)),
      z.regex(/^[\p{L}\p{M}](?:[\p{L}\p{M}'’ -]|\.(?= |$))*$/u, MESSAGES.correctValue),
    )

export const FirstName = personName('first name')
export const LastName = personName('last name')
export const Company = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, MESSAGES.enter('company')),
    z.maxLength(NAME_LENGTH, MESSAGES.maximumLength(NAME_LENGTH)),
    z.regex(/^[^<>\p{C}]*$/u, MESSAGES.correctValue),
  )
export const Country = z.string().check(
  z.minLength(1, MESSAGES.enter('country')),
  z.refine((code) => COUNTRIES.includes(code), MESSAGES.correctValue),
)

/** What everybody says who signs up. */
export const SignUpForm = z.object({
  firstName: FirstName,
  lastName: LastName,
  email: Email,
  company: Company,
  country: Country,
  password: EncodedPassword,
})
export type SignUpForm = z.infer<typeof SignUpForm>

/** How far a new account is, in the order in which it happens. */
export const SET_UP_STEPS = ['engine', 'samples', 'done'] as const

/** The answer is the same whether the address has an account: the mail says the rest. */
export const signUpCalls = {
  startFreeTrial: defineCall({
    path: '/account/start-free-trial',
    summary: 'Request a free trial; you confirm your address with a mailed link',
    needs: 'nothing',
    toCentral: true,
    input: SignUpForm,
    output: z.object({}),
    fails: ['NotBusinessEmail', 'NoPermission', 'TooManyAttempts'],
  }),
  activationLink: defineCall({
    path: '/account/activation-link',
    summary: 'Get the address that a mailed link confirms',
    needs: 'nothing',
    toCentral: true,
    input: z.object({ token: LinkToken }),
    output: z.object({ firstName: z.string(), email: z.string() }),
    fails: ['LinkUnusable', 'TooManyAttempts'],
  }),
  /** The password was chosen at sign-up: a person who entered another person's address there does not have the link. */
  activate: defineCall({
    path: '/account/activate',
    summary: 'Confirm the address with the password from sign-up and create the account',
    needs: 'nothing',
    toCentral: true,
    input: z.object({ token: LinkToken, password: EncodedPassword }),
    output: z.object({ setUpToken: z.string() }),
    fails: ['LinkUnusable', 'LoginFailed', 'Conflict', 'TooManyAttempts'],
  }),
  setUpProgress: defineCall({
    path: '/account/set-up-progress',
    summary: 'Get the set-up progress of a new account',
    needs: 'nothing',
    toCentral: true,
    silent: true,
    input: z.object({ setUpToken: LinkToken }),
    output: z.object({
      accountId: z.string(),
      region: z.string(),
      user: z.string(),
      step: z.enum(SET_UP_STEPS),
      failed: z.boolean(),
    }),
    fails: ['LinkUnusable', 'TooManyAttempts'],
  }),
}

/** Of the marketplace: opaque to us, and not longer than an address can carry. */
const MarketplaceToken = z
  .string()
  .check(
    z.minLength(1, IDENTITY_MESSAGES.signUpTokenInvalid),
    z.maxLength(2048, IDENTITY_MESSAGES.signUpTokenInvalid),
  )

export const marketplace = {
  resolve: defineCall({
    path: '/marketplace/resolve',
    summary: 'Get the purchase behind a marketplace token',
    needs: 'nothing',
    toCentral: true,
    input: z.object({ token: MarketplaceToken }),
    output: z.object({ marketplace: z.string(), product: z.string() }),
    fails: ['SignUpTokenInvalid', 'SignUpTokenExpired', 'MarketplaceFailed', 'TooManyAttempts'],
  }),
  signUp: defineCall({
    path: '/marketplace/sign-up',
    summary: 'Request the purchased account; you confirm your address with a mailed link',
    needs: 'nothing',
    toCentral: true,
    input: z.extend(SignUpForm, { token: MarketplaceToken }),
    output: z.object({}),
    fails: [
      'SignUpTokenInvalid',
      'SignUpTokenExpired',
      'MarketplaceFailed',
      'NotBusinessEmail',
      'TooManyAttempts',
    ],
  }),
}
