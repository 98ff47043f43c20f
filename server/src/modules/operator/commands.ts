import {
  AccountId,
  AccountName,
  BuiltInRole,
  AccountEngines,
  Edition,
  Email,
  EndpointStatus,
  LIFE_CYCLE,
  LIMITS,
  FirstUserName,
  RegionId,
  VpcEndpointId,
} from '@boathouse/contract'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { OPERATOR, OPERATOR_NAME } from '../audit/author.ts'
import { entriesOf, verifyAudit } from '../audit/verify.ts'
import type { Firewall } from '../firewall/service.ts'
import type { IntegrationRequests } from '../integration/service.ts'
import type { Mails } from '../mail/service.ts'
import type { AccountLife } from '../org/life.ts'
import { statesOf } from '../org/move-account.ts'
import { ORG_IDENTITIES, ORG_SOURCES } from '../org/open-account.ts'
import { type Orgs, requireAccount } from '../org/service.ts'
import { paymentTypeOf, type Payments } from '../payment/service.ts'
import type { VpcEndpoints } from '../vpce/service.ts'
import { type Command, command, OfAccount, OfUser } from './command.ts'
import { createKeyCommands, type KeyCommandParts } from './key-commands.ts'
import { createOutsideCommands, type OutsideCommandParts } from './outside-commands.ts'
import type { OperatorPeople } from './people.ts'

export interface OperatorParts extends OutsideCommandParts {
  readonly db: Kysely<Schema>
  readonly accountLife: AccountLife
  readonly orgs: Pick<Orgs, 'allAccounts' | 'allOrganisations' | 'create' | 'requireLast' | 'upgrade'>
  readonly people: OperatorPeople
  readonly keys: KeyCommandParts['keys']
  readonly firewall: Pick<Firewall, 'list' | 'switchOff'>
  readonly mails: Pick<Mails, 'outbox'>
  readonly payments: Pick<Payments, 'addCcu' | 'contracts' | 'discounts'>
  readonly vpcEndpoints: Pick<VpcEndpoints, 'asked' | 'approve' | 'reject'>
  readonly requests: Pick<IntegrationRequests, 'list' | 'show' | 'answer'>
}

const OfOrganisation = z.object({ org: z.uuid() })
const Ccu = z.coerce.number('ccu: Give a whole number of CCUs.').int().min(1).max(1_000_000)
const MonthName = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Enter a month such as 2026-11.')
  .optional()
const NewDiscount = OfOrganisation.extend({
  percent: z
    .string()
    .regex(/^(100|\d{1,2}(\.\d{1,2})?)$/, 'Enter a number from 0 to 100, with at most two decimals.'),
  from: MonthName,
  until: MonthName,
})
const Nothing = z.object({})
const AUDIT_PAGE = 500

const NewAccountOfOperator = z.object({
  org: z.uuid(),
  name: AccountName,
  edition: z.enum(Edition.options).default('lake'),
  engines: z.enum(AccountEngines.options).default('both'),
  admin: FirstUserName,
  email: Email,
  samples: z.boolean().default(false),
  review: z.boolean().default(false),
  region: z.optional(RegionId),
})

const shown = async (moved: Promise<{ account_id: string; state: number; shell_state: number }>) => {
  const row = await moved
  return { account: row.account_id, ...statesOf(row) }
}

function createAccountCommands({ accountLife, orgs }: OperatorParts): Record<string, Command> {
  return {
    'account list': command(z.object({ org: z.uuid().optional() }), async ({ org }) => {
      const rows = await orgs.allAccounts(org)
      return rows.map((row) => ({
        account: row.account_id,
        name: row.name,
        organisation: row.organisation,
        type: row.account_id === row.root_account_id ? 'root' : 'normal',
        state: LIFE_CYCLE[row.state]?.label ?? row.state,
        shell: statesOf(row).shell,
        edition: row.edition,
        creator: row.created_by ?? row.creator,
        administrator: row.creator,
        region: row.region,
        deleteAt: row.delete_at,
      }))
    }),
    'account create': command(NewAccountOfOperator, async (input) => ({
      account: await orgs.create({
        organisation: { id: input.org },
        name: input.name,
        edition: input.edition,
        engines: input.engines,
        adminName: input.admin,
        adminEmail: input.email,
        sampleData: input.samples,
        region: input.region,
        begins: input.review ? 'review' : 'set up',
        by: OPERATOR,
        invitedBy: OPERATOR_NAME,
      }),
      mailedTo: input.email,
    })),
    'account freeze': command(OfAccount, ({ account }) => shown(accountLife.freeze(account, OPERATOR))),
    'account resume': command(OfAccount, ({ account }) => shown(accountLife.resume(account, OPERATOR))),
    'account review': command(OfAccount, ({ account }) => shown(accountLife.approve(account, OPERATOR))),
    'account reject': command(OfAccount, ({ account }) => shown(accountLife.reject(account, OPERATOR))),
    'account upgrade': command(OfAccount.extend({ confirm: z.string() }), async ({ account, confirm }) => {
      if (confirm !== account)
        throw new AppError(
          'BadInput',
          `An upgrade cannot be undone, and its warehouses cost more. Add --confirm ${account} to upgrade it to the standard edition.`,
        )
      await orgs.upgrade(account, OPERATOR)
      return { account, edition: 'standard' }
    }),
    'account delete': command(OfAccount.extend({ confirm: z.string() }), async ({ account, confirm }) => {
      if (confirm !== account)
        throw new AppError('BadInput', `Add --confirm ${account} to delete this account with all its data.`)
      await orgs.requireLast(account)
      return shown(accountLife.release(account, OPERATOR))
    }),
  }
}

function createOrganisationCommands({ orgs, payments }: OperatorParts): Record<string, Command> {
  const NewOrganisation = NewAccountOfOperator.omit({ org: true, region: true }).extend({
    org: AccountName,
    contract: z.boolean().default(false),
  })
  const Contract = OfOrganisation.extend({ end: z.boolean().default(false) })
  return {
    /** With its root account. */
    'org create': command(NewOrganisation, async (input) => ({
      account: await orgs.create({
        organisation: {
          name: input.org,
          identity: input.contract ? ORG_IDENTITIES.Contract : ORG_IDENTITIES.Company,
          source: ORG_SOURCES.SignUp,
        },
        name: input.name,
        edition: input.edition,
        engines: input.engines,
        adminName: input.admin,
        adminEmail: input.email,
        sampleData: input.samples,
        begins: input.review ? 'review' : 'set up',
        by: OPERATOR,
        invitedBy: OPERATOR_NAME,
      }),
      mailedTo: input.email,
    })),
    'org list': command(Nothing, async () =>
      (await orgs.allOrganisations()).map(({ identity, source, ...row }) => ({
        ...row,
        pays: paymentTypeOf({ identity, source }),
      })),
    ),
    'org contract': command(Contract, async ({ org, end }) => {
      if (end) {
        await payments.contracts.end(org, OPERATOR)
        return { org, contract: false }
      }
      return { org, contract: true, ...(await payments.contracts.begin(org, OPERATOR)) }
    }),
    'org add-ccu': command(OfOrganisation.extend({ ccu: Ccu }), async ({ org, ccu }) => {
      await payments.addCcu(org, ccu, OPERATOR)
      return { org, added: ccu }
    }),
    'org discount': command(NewDiscount, async ({ org, percent, from, until }) => {
      const basisPoints = Math.round(Number(percent) * 100)
      const set = await payments.discounts.set({ organisationId: org, basisPoints, from, until }, OPERATOR)
      return { org, percent, ...set }
    }),
  }
}

function createPeopleCommands({ people }: OperatorParts): Record<string, Command> {
  const NewUser = OfUser.extend({
    email: z.nullable(Email).default(null),
    roles: z.array(BuiltInRole).default([]),
    service: z.boolean().default(false),
  })
  return {
    'user list': command(OfAccount, ({ account }) => people.list(account)),
    'user create': command(NewUser, ({ account, user: name, email, roles, service }) =>
      people.create({ account, name, email, roles, isService: service }),
    ),
    'user delete': command(OfUser, async ({ account, user }) => {
      await people.delete(account, user)
      return { deleted: user }
    }),
    'user set-email': command(OfUser.extend({ email: Email }), async ({ account, user, email }) => {
      await people.setEmail(account, user, email)
      return { user, email }
    }),
    'user reset-password': command(OfUser, async ({ account, user }) => ({
      user,
      password: await people.resetPassword(account, user),
    })),
  }
}

const Reason = z
  .string('reason: Give a reason with --reason.')
  .trim()
  .min(1, 'Give a reason with --reason.')
  .max(LIMITS.descriptionLength)

function createPrivateLinkCommands({ vpcEndpoints }: OperatorParts): Record<string, Command> {
  const OfEndpoint = OfAccount.extend({ endpoint: VpcEndpointId })
  const Asked = z.object({ account: z.optional(AccountId), status: z.optional(EndpointStatus) })
  return {
    'private-link list': command(Asked, (which) => vpcEndpoints.asked(which)),
    'private-link approve': command(
      OfEndpoint.extend({ addresses: z.optional(z.string().max(LIMITS.firewallAddressesLength)) }),
      ({ account, endpoint, addresses }) => vpcEndpoints.approve(account, endpoint, addresses),
    ),
    'private-link reject': command(OfEndpoint.extend({ reason: Reason }), ({ account, endpoint, reason }) =>
      vpcEndpoints.reject(account, endpoint, reason),
    ),
  }
}

/** Of users who want an integration. */
function createRequestCommands({ requests }: OperatorParts): Record<string, Command> {
  const OfRequest = z.object({
    request: z.coerce.number('request: Give the number of a request.').int().min(1),
  })
  const Answer = z
    .string('text: Give the answer with --text.')
    .trim()
    .min(1, 'Give the answer with --text.')
    .max(LIMITS.requestTextLength)
  return {
    'requests list': command(z.object({ answered: z.boolean().default(false) }), ({ answered }) =>
      requests.list(answered),
    ),
    'requests show': command(OfRequest, ({ request }) => requests.show(request)),
    'requests answer': command(OfRequest.extend({ text: Answer }), ({ request, text }) =>
      requests.answer(request, text),
    ),
  }
}

function createFirewallCommands({ db, firewall }: OperatorParts): Record<string, Command> {
  return {
    'firewall list': command(OfAccount, async ({ account }) => {
      await requireAccount(db, account)
      return firewall.list(account)
    }),
    'firewall off': command(OfAccount, async ({ account }) => {
      await requireAccount(db, account)
      return { account, disabled: await firewall.switchOff(account) }
    }),
  }
}

function createRecordCommands({ db, mails }: OperatorParts): Record<string, Command> {
  return {
    'outbox list': command(Nothing, async () =>
      (await mails.outbox()).map(({ mailId: mail, to, kind, state, attempts, error, createdAt }) => ({
        mail,
        to,
        kind,
        state,
        attempts,
        error,
        createdAt,
      })),
    ),
    'outbox show': command(z.object({ mail: z.string() }), async ({ mail: id }) => {
      const found = (await mails.outbox()).find(({ mailId }) => mailId === id)
      if (!found) throw new AppError('NotFound', `There is no mail ${id} in the outbox.`)
      return found
    }),
    'audit verify': command(z.object({ account: z.optional(AccountId) }), ({ account }) =>
      verifyAudit(db, account),
    ),
    /** A page of texts: the caller asks on until none come. */
    'audit entries': command(OfAccount.extend({ after: z.int().min(0) }), async ({ account, after }) => {
      const texts: string[] = []
      for await (const text of entriesOf(db, account, { after, until: after + AUDIT_PAGE })) texts.push(text)
      return texts
    }),
  }
}

export function createOperator(parts: OperatorParts) {
  const commands: Record<string, Command> = {
    ...createOrganisationCommands(parts),
    ...createAccountCommands(parts),
    ...createPeopleCommands(parts),
    ...createKeyCommands(parts),
    ...createPrivateLinkCommands(parts),
    ...createRequestCommands(parts),
    ...createFirewallCommands(parts),
    ...createOutsideCommands(parts),
    ...createRecordCommands(parts),
  }

  /** Throws an AppError for what is wrong with the question. */
  return async function run(name: string, input: unknown): Promise<unknown> {
    const found = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!found) throw new AppError('UnknownCall', `There is no command '${name}'.`)
    const parsed = found.input.safeParse(input)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      throw new AppError('BadInput', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'wrong input'}`)
    }
    return found.run(parsed.data as never)
  }
}

export type Operator = ReturnType<typeof createOperator>
