import { UsageError } from './command-line.ts'

/** One thing an operator can do: its words, then values, then `--name value`. */
interface OperatorCommand {
  readonly summary: string
  /** In order; a name with `?` may be left out. */
  readonly args: readonly string[]
  readonly flags?: Readonly<Record<string, 'text' | 'yes' | 'list'>>
}

const NEW_ACCOUNT = {
  edition: 'text',
  engines: 'text',
  admin: 'text',
  email: 'text',
  samples: 'yes',
  review: 'yes',
} as const

export const OPERATOR_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'org list': { summary: 'List organisations, their root accounts and trials', args: [] },
  'org create': {
    summary:
      'Create an organisation with its root account and invite its administrator (--admin, --email, --engines, --contract)',
    args: ['org', 'name'],
    flags: { ...NEW_ACCOUNT, contract: 'yes' },
  },
  'org contract': {
    summary:
      'Pays by contract from now on, never by card; what was frozen for want of one is resumed (--end)',
    args: ['org'],
    flags: { end: 'yes' },
  },
  'org marketplace': {
    summary:
      'Pays through the marketplace from now on (--customer, --product); what was frozen after a trial is resumed',
    args: ['org'],
    flags: { customer: 'text', product: 'text' },
  },
  'org add-ccu': { summary: 'Add prepaid CCUs, which invoices use first', args: ['org', 'ccu'] },
  'org discount': {
    summary: 'Set a discount in percent, from a month until a month (--from, --until); 0 ends it',
    args: ['org', 'percent'],
    flags: { from: 'text', until: 'text' },
  },
  'account list': { summary: 'List accounts and their states', args: ['org?'] },
  'account create': {
    summary:
      'Create an account in an organisation and invite its administrator (--admin, --email, --engines, --region)',
    args: ['org', 'name'],
    flags: { ...NEW_ACCOUNT, region: 'text' },
  },
  'account freeze': {
    summary: 'Freeze an account: suspend its warehouses and close its data',
    args: ['account'],
  },
  'account resume': { summary: 'Undo a freeze, a deletion or a failed set-up', args: ['account'] },
  'account review': { summary: 'Approve an account that waits for a review', args: ['account'] },
  'account reject': { summary: 'Reject it', args: ['account'] },
  'account upgrade': {
    summary: 'From the lake to the standard edition, for good (--confirm ACCOUNT)',
    args: ['account'],
    flags: { confirm: 'text' },
  },
  'account delete': {
    summary: 'Close an account; its data is deleted a day later (--confirm ACCOUNT)',
    args: ['account'],
    flags: { confirm: 'text' },
  },
  'user list': { summary: 'List the users of an account', args: ['account'] },
  'user create': {
    summary:
      'Create a user, invited by mail (--email) or with a password that is shown once, or for a program (--service)',
    args: ['account', 'user'],
    flags: { email: 'text', roles: 'list', service: 'yes' },
  },
  'user delete': { summary: 'Remove a user and end their sign-ins', args: ['account', 'user'] },
  'user set-email': {
    summary: 'Set the mail address of a user; the previous one is notified',
    args: ['account', 'user', 'email'],
  },
  'user reset-password': {
    summary: 'Set a new password, shown once, and end all sign-ins',
    args: ['account', 'user'],
  },
  'api key list': { summary: 'List the API keys of a user', args: ['account', 'user'] },
  'api key create': {
    summary:
      'Create an API key, whose secret is shown once (--roles a,b, --doors http,mysql,ingest,mcp, --addresses, --expires)',
    args: ['account', 'user', 'name'],
    flags: { roles: 'list', doors: 'list', addresses: 'text', expires: 'text' },
  },
  'api key rotate': {
    summary:
      'Give an API key a new secret; the old one is valid for 24 hours, or as long as you say (--overlap)',
    args: ['account', 'user', 'key'],
    flags: { overlap: 'text' },
  },
  'api key revoke': { summary: 'Revoke an API key at once', args: ['account', 'user', 'key'] },
  'private-link list': {
    summary: 'List requests of VPC endpoints, the oldest first (--status pending)',
    args: ['account?'],
    flags: { status: 'text' },
  },
  'private-link approve': {
    summary:
      'Approve a VPC endpoint, whose clients come from these IPv4 addresses (--addresses 10.20.0.0/16)',
    args: ['account', 'endpoint'],
    flags: { addresses: 'text' },
  },
  'private-link reject': {
    summary: 'Reject or revoke a VPC endpoint; the account is notified of the reason (--reason)',
    args: ['account', 'endpoint'],
    flags: { reason: 'text' },
  },
  'requests list': {
    summary: 'List requests of users for integrations, the oldest first (--answered: those answered)',
    args: [],
    flags: { answered: 'yes' },
  },
  'requests show': { summary: 'Show one request with its text', args: ['request'] },
  'requests answer': {
    summary: 'Answer a request; its user is notified in the console and by mail (--text)',
    args: ['request'],
    flags: { text: 'text' },
  },
  'firewall list': { summary: 'List the IP firewall rules of an account', args: ['account'] },
  'firewall off': {
    summary: 'Disable all firewall rules of an account that has locked itself out',
    args: ['account'],
  },
  'region list': { summary: 'List the other regions, and when each of them answered last', args: [] },
  'region secret': {
    summary: 'Show the secret of a region, for BOATHOUSE_CENTRAL_SECRET on its server',
    args: ['region'],
  },
  'marketplace records': {
    summary: 'List what was metered at the marketplace, newest first',
    args: ['org?'],
  },
  'marketplace settle': {
    summary: 'Give the state of a record without an answer (--taken or --not-taken)',
    args: ['record'],
    flags: { taken: 'yes', 'not-taken': 'yes' },
  },
  'outbox list': { summary: 'List outgoing mails, newest first', args: [] },
  'outbox show': { summary: 'Show one mail with its link', args: ['mail'] },
  'audit verify': {
    summary: 'Verify the audit logs (--file F verifies an exported one)',
    args: ['account?'],
    flags: { file: 'text' },
  },
  'audit export': { summary: 'Export the audit log of an account, one line per entry', args: ['account'] },
}

export const OPERATOR_GROUPS: readonly string[] = [
  ...new Set(Object.keys(OPERATOR_COMMANDS).map((name) => name.split(' ', 1)[0] ?? '')),
]

export interface OperatorLine {
  readonly command: string
  readonly input: Readonly<Record<string, unknown>>
}

const argumentOf = (name: string): string =>
  name.endsWith('?') ? `[${name.slice(0, -1).toUpperCase()}]` : name.toUpperCase()

const usageOf = (name: string, { args }: OperatorCommand): string =>
  ['boathouse', name, ...args.map(argumentOf)].join(' ')

function valueOf(kind: 'text' | 'yes' | 'list', text: string | undefined, flag: string): unknown {
  if (kind === 'yes') return true
  if (text === undefined || text.startsWith('--')) throw new UsageError(`--${flag} needs a value.`)
  return kind === 'list' ? text.split(',').filter(Boolean) : text
}

/** Words behind `boathouse`, without the options that any command takes. */
export function parseOperatorLine(words: readonly string[]): OperatorLine {
  const length = Object.hasOwn(OPERATOR_COMMANDS, words.slice(0, 3).join(' ')) ? 3 : 2
  const name = words.slice(0, length).join(' ')
  const known = OPERATOR_COMMANDS[name]
  if (!known) throw new UsageError(`There is no command '${name}'. 'boathouse help' lists them.`)
  const input: Record<string, unknown> = {}
  const values: string[] = []
  for (let index = length; index < words.length; index++) {
    const word = words[index] ?? ''
    if (!word.startsWith('--')) {
      values.push(word)
      continue
    }
    const flag = word.slice(2)
    const kind = known.flags?.[flag]
    if (!kind) throw new UsageError(`'${word}' is not an option of 'boathouse ${name}'.`)
    input[flag] = valueOf(kind, words[index + 1], flag)
    if (kind !== 'yes') index++
  }
  const required = known.args.filter((arg) => !arg.endsWith('?')).length
  if (values.length < required || values.length > known.args.length)
    throw new UsageError(`usage: ${usageOf(name, known)}`)
  values.forEach((value, index) => {
    input[(known.args[index] ?? '').replace('?', '')] = value
  })
  return { command: name, input }
}
