/** What every mail says, before it is text or HTML. Plain words; nothing that a stranger wrote but names. */
export interface Letter {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly action?: { readonly label: string; readonly path: string }
  /** Below the action. */
  readonly notes?: readonly string[]
}

interface OfAccount {
  readonly accountId: string
  readonly accountName: string
}

/** By kind of mail: what has to be known to write it. */
export interface LetterDetails {
  activation: { readonly firstName: string; readonly token: string }
  alreadySignedUp: { readonly accountIds: readonly string[] }
  accountOpened: {
    readonly firstName: string
    readonly accountId: string
    readonly region: string
    readonly user: string
  }
  invitation: OfAccount & { readonly user: string; readonly invitedBy: string; readonly token: string }
  passwordReset: { readonly accountId: string; readonly user: string; readonly token: string }
  passwordChanged: { readonly accountId: string; readonly user: string }
  emailConfirmation: { readonly accountId: string; readonly user: string; readonly token: string }
  emailChanged: { readonly accountId: string; readonly user: string }
  /** `setBy`: an administrator, or the operator. */
  emailSet: { readonly accountId: string; readonly user: string; readonly setBy: string }
  ssoConfirmation: {
    readonly accountId: string
    readonly user: string
    readonly issuer: string
    readonly token: string
  }
  ssoConnected: { readonly accountId: string; readonly user: string; readonly issuer: string }
  /** The path leads to the page that confirms, with its token. */
  deletionConfirmation: OfAccount & { readonly path: string }
  trialEnding: OfAccount & { readonly daysLeft: number }
  /** `daysKept` null: the data is not deleted. */
  trialEnded: OfAccount & { readonly daysKept: number | null }
  /** `action`: what follows, once it is used up; null before. */
  budget: OfAccount & {
    readonly what: string
    readonly month: string
    readonly usd: string
    readonly spentUsd: string
    readonly percent: number
    readonly action: 'warn' | 'stop' | 'suspend' | null
  }
  /** Of a rule that somebody has made; the lines are facts of the event. */
  alert: OfAccount & {
    readonly rule: string
    /** The rule is that of a scheduled query, by whose name it is called. */
    readonly isOfSchedule?: boolean
    readonly subject: string
    readonly at: string
    readonly lines: readonly string[]
    /** Where its reader may open the statement that it is about. */
    readonly statement?: { readonly region: string; readonly queryId: string } | null
  }
  /** To the operator. */
  integrationRequest: {
    readonly requestId: number
    readonly accountId: string
    readonly user: string
    readonly applicationName: string
    readonly useCase: string
    readonly link: string
  }
  integrationAnswer: {
    readonly accountId: string
    readonly applicationName: string
    readonly answer: string
  }
  paymentFailed: OfAccount & { readonly number: string; readonly usd: string; readonly problem: string }
}

export type LetterKind = keyof LetterDetails

const withToken = (page: string, token: string): string => `${page}?token=${encodeURIComponent(token)}`
const signIn = (accountId: string, region?: string): string =>
  `/login?step=signin&aid=${encodeURIComponent(accountId)}${region ? `&region=${encodeURIComponent(region)}` : ''}`
/** Who is not signed in does so first. */
const statementPage = (accountId: string, { region, queryId }: { region: string; queryId: string }): string =>
  `/${encodeURIComponent(region)}/${encodeURIComponent(accountId)}/activity/query_${encodeURIComponent(queryId)}`
const IGNORE = 'If you did not request this, ignore this mail. Nothing happens without the link.'
const AFTER_BUDGET = {
  warn: 'Nothing is stopped: this budget only notifies.',
  stop: 'New statements are refused until the budget is raised or the next month begins.',
  suspend:
    'Its warehouses are suspended and new statements are refused until the budget is raised or the next month begins.',
} as const
const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`)

export const LETTERS: { readonly [K in LetterKind]: (details: LetterDetails[K]) => Letter } = {
  activation: ({ firstName, token }) => ({
    subject: 'Confirm your mail address',
    paragraphs: [
      `Hello ${firstName},`,
      'one step is left before your free trial begins: confirm that this address is yours. You will be asked for the password that you chose.',
    ],
    action: { label: 'Confirm address', path: withToken('/active-mail', token) },
    notes: ['The link works once, for 24 hours.', IGNORE],
  }),
  alreadySignedUp: ({ accountIds }) => ({
    subject: 'You already have an account',
    paragraphs: [
      'Someone, most likely you, requested a free trial with this address. You already have one.',
      `Your account ID: ${accountIds.join(', ')}`,
    ],
    action: { label: 'Sign in', path: signIn(accountIds[0] ?? '') },
    notes: ['If you have forgotten the password, the sign-in page lets you choose a new one.'],
  }),
  accountOpened: ({ firstName, accountId, region, user }) => ({
    subject: `Your account ${accountId}`,
    paragraphs: [
      `Hello ${firstName},`,
      'your account is opened, and is being set up in these minutes. Keep this mail: it says how to sign in.',
      `Account ID: ${accountId}`,
      `User name: ${user}`,
    ],
    action: { label: 'Sign in', path: signIn(accountId, region) },
  }),
  invitation: ({ accountId, accountName, user, invitedBy, token }) => ({
    subject: `You are invited to the account ${accountName}`,
    paragraphs: [
      `${invitedBy} invited you to the account ${accountName}. Choose a password to start.`,
      `Account ID: ${accountId}`,
      `User name: ${user}`,
    ],
    action: { label: 'Set up password', path: withToken('/setup-password', token) },
    notes: ['The link works once, for 7 days. After that, ask the user who invited you for another one.'],
  }),
  passwordReset: ({ accountId, user, token }) => ({
    subject: 'Choose a new password',
    paragraphs: [`A new password was requested for the user ${user} of the account ${accountId}.`],
    action: { label: 'Choose a new password', path: withToken('/reset-password', token) },
    notes: [
      'The link works once, for 1 hour. Your current password stays valid until you choose another.',
      IGNORE,
    ],
  }),
  passwordChanged: ({ accountId, user }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `The password of the user ${user} of the account ${accountId} was changed. All sign-ins of this user have ended.`,
      'If this was not you, choose a new password at once, and contact the administrator of the account.',
    ],
    action: { label: 'Sign in', path: signIn(accountId) },
  }),
  emailConfirmation: ({ accountId, user, token }) => ({
    subject: 'Confirm your mail address',
    paragraphs: [
      `The user ${user} of the account ${accountId} wants to use this mail address.`,
      'If that is you, confirm it. From then on, links to reset the password and notifications go to this address.',
    ],
    action: { label: 'Confirm address', path: withToken('/confirm-email', token) },
    notes: ['The link works once, for 24 hours.', IGNORE],
  }),
  emailChanged: ({ accountId, user }) => ({
    subject: 'Your mail address was changed',
    paragraphs: [
      `The user ${user} of the account ${accountId} has another mail address now. Links that were mailed to this address have expired.`,
      'If you do not know of this change, change your password at once and ask the administrator of the account to set your address.',
    ],
    action: { label: 'Sign in', path: signIn(accountId) },
  }),
  emailSet: ({ accountId, user, setBy }) => ({
    subject: 'This is your mail address now',
    paragraphs: [
      `${setBy} has set this mail address for the user ${user} of the account ${accountId}. Links to reset the password and notifications go to it.`,
      'If you are not this user, ask the operator of the service to remove the address.',
    ],
    action: { label: 'Sign in', path: signIn(accountId) },
  }),
  ssoConfirmation: ({ accountId, user, issuer, token }) => ({
    subject: 'Confirm your single sign-on',
    paragraphs: [
      `Someone signed in at ${issuer} with this address, as the user ${user} of the account ${accountId}.`,
      `If this was you, confirm it in the same browser. From then on, you can sign in through ${issuer}.`,
    ],
    action: { label: 'Confirm single sign-on', path: withToken('/sso-confirm', token) },
    notes: [
      'The link works once, for 15 minutes.',
      'If this was not you, do not confirm. Contact the administrator of the account.',
    ],
  }),
  ssoConnected: ({ accountId, user, issuer }) => ({
    subject: 'Single sign-on was connected',
    paragraphs: [
      `The user ${user} of the account ${accountId} can now sign in through ${issuer}.`,
      'If this was not you, disconnect it in your profile at once, change your password, and contact the administrator of the account.',
    ],
    action: { label: 'Sign in', path: signIn(accountId) },
  }),
  deletionConfirmation: ({ accountId, accountName, path }) => ({
    subject: `Confirm the deletion of the account ${accountName}`,
    paragraphs: [
      `The account ${accountName} (${accountId}) will be deleted with all its data. This cannot be undone.`,
    ],
    action: { label: 'Delete the account', path },
    notes: ['The link works once, for 1 hour.', IGNORE],
  }),
  trialEnding: ({ accountId, accountName, daysLeft }) => ({
    subject: `Your free trial ends in ${days(daysLeft)}`,
    paragraphs: [
      `The free trial of the account ${accountName} (${accountId}) ends in ${days(daysLeft)}.`,
      'Then its warehouses are suspended and its data cannot be reached.',
    ],
    action: { label: 'Sign in', path: signIn(accountId) },
  }),
  trialEnded: ({ accountId, accountName, daysKept }) => ({
    subject: 'Your free trial has ended',
    paragraphs: [
      `The free trial of the account ${accountName} (${accountId}) has ended. The account is frozen: its warehouses are suspended and its data cannot be reached.`,
      daysKept === null
        ? 'The data is kept. Contact the operator of the service to continue.'
        : `The data is kept for ${days(daysKept)}; then the account is deleted.`,
    ],
    action: { label: 'Sign in', path: signIn(accountId) },
  }),
  budget: ({ accountId, accountName, what, month, usd, spentUsd, percent, action }) => ({
    subject: action ? `The budget of ${what} is used up` : `${percent} % of the budget of ${what} are used`,
    paragraphs: [
      `Of the budget of ${what} for ${month}, ${usd} USD, ${spentUsd} USD were spent (${percent} %). It was set in the account ${accountName} (${accountId}).`,
      action ? AFTER_BUDGET[action] : 'You get another mail when it is used up.',
    ],
    action: { label: 'Sign in', path: signIn(accountId) },
  }),
  alert: ({ accountId, accountName, rule, isOfSchedule, subject, at, lines, statement }) => ({
    subject: `${subject} (${accountName})`,
    paragraphs: [`${subject} in the account ${accountName} (${accountId}) at ${at}.`, ...lines],
    action: statement
      ? { label: 'Open the statement', path: statementPage(accountId, statement) }
      : { label: 'Sign in', path: signIn(accountId) },
    notes: [
      isOfSchedule
        ? `You get this mail because the schedule of the query ${rule} names you. Its owner can change it.`
        : `You get this mail because the alert rule ${rule} names you. An account administrator can change it.`,
    ],
  }),
  integrationRequest: ({ requestId, accountId, user, applicationName, useCase, link }) => ({
    subject: `Request ${requestId}: an integration with ${applicationName}`,
    paragraphs: [
      `The user ${user} of the account ${accountId} requests an integration with ${applicationName}.`,
      ...(useCase === '' ? [] : [useCase]),
      ...(link === '' ? [] : [link]),
    ],
    notes: [`Answer with: boathouse requests answer ${requestId} --text 'Your answer'`],
  }),
  integrationAnswer: ({ accountId, applicationName, answer }) => ({
    subject: `Your request for an integration with ${applicationName}`,
    paragraphs: [`The operator of the service answers your request for ${applicationName}:`, answer],
    action: { label: 'Sign in', path: signIn(accountId) },
  }),
  paymentFailed: ({ accountId, accountName, number, usd, problem }) => ({
    subject: `Invoice ${number} could not be charged`,
    paragraphs: [
      `The card of the organisation of ${accountName} (${accountId}) was not charged ${usd} USD for the invoice ${number}: ${problem}`,
      'We retry the charge in the next days. Add another card on the page Usage & billing to pay it at once. An invoice that stays unpaid freezes the accounts of the organisation.',
    ],
    action: { label: 'Sign in', path: signIn(accountId) },
  }),
}
