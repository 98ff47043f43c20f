import { IDENTITY_MESSAGES } from './identity-messages.ts'
import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { AccountId, EncodedPassword, LinkToken, MESSAGES } from './rules.ts'
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

/** Stays in the browser that began. */
const BrowserSecret = z.string().check(z.regex(/^[\w-]{43}$/, IDENTITY_MESSAGES.ssoOver))
/** The query of the address to which the issuer sent the browser. */
const IssuerAnswer = z.string().check(z.maxLength(8192))
const SsoLogin = z.object({ token: z.string(), info: UserInfo })

const securityAdmin = { roles: ['security_admin'] } as const

/** Single sign-on by OpenID Connect, with settings of each account. */
export const sso = {
  settings: defineCall({
    path: '/sso/settings',
    summary: 'Get the single sign-on settings; the secret is never returned',
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
    summary:
      'Save the single sign-on settings; the issuer must respond. A new issuer or client disconnects all users',
    needs: securityAdmin,
    refusesKeys: true,
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
    summary: 'Delete the single sign-on settings and disconnect all users; current sign-ins stay',
    needs: securityAdmin,
    refusesKeys: true,
    input: z.object({}),
    output: z.object({}),
  }),
  /** Says no for an account that does not exist, too. */
  offer: defineCall({
    path: '/sso/offer',
    summary: 'Check whether an account offers single sign-on',
    needs: 'nothing',
    silent: true,
    input: z.object({ accountId: AccountId }),
    output: z.object({ enabled: z.boolean() }),
    fails: ['TooManyAttempts'],
  }),
  begin: defineCall({
    path: '/sso/begin',
    summary: 'Start a single sign-on; the secret stays in the browser that started it',
    needs: 'nothing',
    input: z.object({ accountId: AccountId }),
    output: z.object({ address: z.string(), secret: z.string() }),
    fails: ['SsoFailed', 'TooManyAttempts'],
  }),
  /** The first time, nobody is signed in: a link is mailed to the address that is kept for the user. */
  finish: defineCall({
    path: '/sso/finish',
    summary: 'Finish a single sign-on; a user who is not connected yet gets a link by mail',
    needs: 'nothing',
    input: z.object({ secret: BrowserSecret, answer: IssuerAnswer }),
    output: z.union([SsoLogin, z.object({ mailedTo: z.string() })]),
    fails: ['SsoFailed', 'LoginFailed', 'TooManyAttempts'],
  }),
  confirmationLink: defineCall({
    path: '/sso/confirmation-link',
    summary: 'Get the user and issuer that a mailed link connects',
    needs: 'nothing',
    silent: true,
    input: z.object({ token: LinkToken }),
    output: z.object({ accountId: z.string(), user: z.string(), issuer: z.string() }),
    fails: ['LinkUnusable', 'TooManyAttempts'],
  }),
  confirm: defineCall({
    path: '/sso/confirm',
    summary: 'Connect the user to the issuer and sign in; only in the browser that started it',
    needs: 'nothing',
    input: z.object({ token: LinkToken, secret: BrowserSecret }),
    output: SsoLogin,
    fails: ['LinkUnusable', 'SsoFailed', 'LoginFailed', 'Conflict', 'TooManyAttempts'],
  }),
  connection: defineCall({
    path: '/sso/connection',
    summary: 'Check whether the account offers single sign-on, and since when you are connected',
    needs: 'login',
    silent: true,
    input: z.object({}),
    output: z.object({ issuer: z.nullable(z.string()), connectedAt: z.nullable(z.string()) }),
  }),
  connect: defineCall({
    path: '/sso/connect',
    summary: 'Start to connect your user to the issuer; requires your password',
    needs: 'login',
    refusesKeys: true,
    input: z.object({ password: EncodedPassword }),
    output: z.object({ address: z.string(), secret: z.string() }),
    fails: ['SsoFailed', 'LoginFailed', 'TooManyAttempts'],
  }),
  finishConnect: defineCall({
    path: '/sso/finish-connect',
    summary: 'Finish connecting your user to the issuer',
    needs: 'login',
    refusesKeys: true,
    input: z.object({ secret: BrowserSecret, answer: IssuerAnswer }),
    output: z.object({}),
    fails: ['SsoFailed', 'Conflict', 'TooManyAttempts'],
  }),
  disconnect: defineCall({
    path: '/sso/disconnect',
    summary: 'Disconnect your user from the issuer',
    needs: 'login',
    refusesKeys: true,
    input: z.object({}),
    output: z.object({}),
    fails: ['Conflict'],
  }),
}
