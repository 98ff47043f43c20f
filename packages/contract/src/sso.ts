import { IDENTITY_MESSAGES } from './identity-messages.ts'
import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { AccountId, MESSAGES } from './rules.ts'
import { UserInfo } from './user.ts'

const TEXT_LENGTH = 512
const text = (label: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, MESSAGES.enter(label)),
      z.maxLength(TEXT_LENGTH, MESSAGES.maximumLength(TEXT_LENGTH)),
    )

/** As the issuer calls itself; its description lies below `/.well-known/openid-configuration`. */
export const Issuer = text('issuer').check(z.regex(/^https?:\/\/[^\s?#]+$/, MESSAGES.correctValue))
export const ClientId = text('client ID')
export const ClientSecret = text('client secret')

export const SsoSettings = z.object({ issuer: z.string(), clientId: z.string(), enabled: z.boolean() })
export type SsoSettings = z.infer<typeof SsoSettings>

const securityAdmin = { roles: ['security_admin'] } as const

/** Single sign-on by OpenID Connect, with settings of each account. */
export const sso = {
  settings: defineCall({
    path: '/sso/settings',
    summary: 'With which issuer people of this account sign in; the secret is never shown',
    needs: securityAdmin,
    render: true,
    input: z.object({}),
    output: z.object({
      settings: z.nullable(SsoSettings),
      /** To be registered with the issuer. */
      redirectUri: z.string(),
    }),
  }),
  saveSettings: defineCall({
    path: '/sso/save-settings',
    summary: 'Choose the issuer; it is asked for its description before it is enabled',
    needs: securityAdmin,
    input: z.object({
      issuer: Issuer,
      clientId: ClientId,
      /** Left out: the one that was given before stays. */
      clientSecret: z.optional(ClientSecret),
      enabled: z.boolean(),
    }),
    output: z.object({}),
    fails: ['SsoFailed'],
  }),
  deleteSettings: defineCall({
    path: '/sso/delete-settings',
    summary: 'End single sign-on for this account; logins that were made by it go on',
    needs: securityAdmin,
    input: z.object({}),
    output: z.object({}),
  }),
  /** Says no for an account that does not exist, too. */
  offer: defineCall({
    path: '/sso/offer',
    summary: 'Whether people of an account can sign in by single sign-on',
    needs: 'nothing',
    silent: true,
    input: z.object({ accountId: AccountId }),
    output: z.object({ enabled: z.boolean() }),
    fails: ['TooManyAttempts'],
  }),
  begin: defineCall({
    path: '/sso/begin',
    summary: 'Where the issuer asks who somebody is; the secret stays in the browser that began',
    needs: 'nothing',
    input: z.object({ accountId: AccountId }),
    output: z.object({ address: z.string(), secret: z.string() }),
    fails: ['SsoFailed', 'TooManyAttempts'],
  }),
  finish: defineCall({
    path: '/sso/finish',
    summary: 'Sign in with what the issuer answered',
    needs: 'nothing',
    input: z.object({
      secret: z.string().check(z.regex(/^[\w-]{43}$/, IDENTITY_MESSAGES.ssoOver)),
      /** The query of the address to which the issuer sent the browser. */
      answer: z.string().check(z.maxLength(8192)),
    }),
    output: z.object({ token: z.string(), info: UserInfo }),
    fails: ['SsoFailed', 'LoginFailed', 'TooManyAttempts'],
  }),
}
