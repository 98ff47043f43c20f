import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { Moment } from './moment.ts'
import { SIGN_IN_OUTCOMES, SignIn } from './sign-ins.ts'

export { SIGN_IN_OUTCOMES, type SignIn, type SignInDoor, type SignInOutcome } from './sign-ins.ts'

/** What the list can be narrowed to; what is left out does not matter. */
export const AuditFilter = z.object({
  objectType: z.optional(z.string().check(z.maxLength(64))),
  /** By name, whole. */
  actor: z.optional(z.string().check(z.maxLength(256))),
  /** At this moment or later. */
  from: z.optional(Moment),
  /** Before this moment. */
  until: z.optional(Moment),
  /** Anywhere in an entry but in its hash, letter case ignored. */
  text: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(256))),
})
export type AuditFilter = z.infer<typeof AuditFilter>

/** What stands for values that are no texts, wherever an entry is shown. */
export const AUDIT_WORDS = { notSet: 'not set', none: 'none', yes: 'yes', no: 'no' } as const

/** One field in words, with names for ids; moments in ISO 8601. Null where it was not there. */
export const AuditChange = z.object({
  field: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
})
export type AuditChange = z.infer<typeof AuditChange>

export const AuditEntry = z.object({
  /** Its place in the chain of the account, from 1 on. */
  number: z.int(),
  at: z.string(),
  actor: z.object({
    kind: z.enum(['user', 'operator', 'service']),
    name: z.string(),
    clientIp: z.nullable(z.string()),
    /** The name of the API key that it was done with, if it was. */
    key: z.optional(z.string()),
  }),
  /** `object.verb`, as in `account.freeze`. */
  action: z.string(),
  objectType: z.string(),
  objectId: z.string(),
  /** Its id where it has no name. */
  objectName: z.string(),
  changes: z.array(AuditChange),
  /** There is more of the changes than is shown here. */
  isCut: z.boolean(),
  /** What a statement did: its id in the history, and how its text begins. */
  statement: z.nullable(z.object({ queryId: z.string(), text: z.string() })),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** What the list of sign-ins can be narrowed to. */
export const SignInFilter = z.object({
  /** By name, whole, letter case ignored. */
  user: z.optional(z.string().check(z.maxLength(256))),
  outcome: z.optional(z.enum(SIGN_IN_OUTCOMES)),
  /** At this moment or later. */
  from: z.optional(Moment),
  /** Before this moment. */
  until: z.optional(Moment),
})
export type SignInFilter = z.infer<typeof SignInFilter>

const Hash = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'Enter a hash of 64 hex digits'))
const Count = z.int().check(z.gte(0))

const needs = { roles: ['security_admin'] } as const

/** Who did what in the account: a chain of entries, each of which names the one before it by its hash. */
export const audit = {
  list: defineCall({
    path: '/audit/list',
    summary: 'List entries of the audit log, newest first',
    needs,
    input: z.extend(AuditFilter, {
      limit: z._default(z.int().check(z.gte(1), z.lte(100)), 50),
      /** The `next` of the page before. */
      after: z.optional(z.string().check(z.maxLength(64))),
    }),
    output: z.object({
      entries: z.array(AuditEntry),
      /**
       * Null when that was all. A page can have fewer entries than requested and still have a next one: a search reads
       * a limited part at a time.
       */
      next: z.nullable(z.string()),
      /** Back to when was looked, of a page that is not full though there is a next one. */
      searchedTo: z.nullable(z.string()),
    }),
  }),
  signIns: defineCall({
    path: '/audit/sign-ins',
    summary: 'List sign-ins, logouts and failed attempts of the last 90 days, newest first',
    needs,
    input: z.extend(SignInFilter, {
      limit: z._default(z.int().check(z.gte(1), z.lte(100)), 50),
      /** The `next` of the page before. */
      after: z.optional(z.string().check(z.maxLength(64))),
    }),
    output: z.object({ signIns: z.array(SignIn), next: z.nullable(z.string()) }),
  }),
  objectTypes: defineCall({
    path: '/audit/object-types',
    summary: 'List the object types in the audit log',
    needs,
    input: z.object({}),
    output: z.object({ objectTypes: z.array(z.string()) }),
  }),
  detail: defineCall({
    path: '/audit/detail',
    summary: 'Get one entry of the audit log with its hash',
    needs,
    input: z.object({ number: Count }),
    output: z.object({
      entry: AuditEntry,
      /** As it is kept: what the hash is of. */
      text: z.string(),
      /** SHA-256 of the text; the next entry names it. */
      hash: z.string(),
      previous: z.string(),
    }),
    fails: ['NotFound'],
  }),
  verify: defineCall({
    path: '/audit/verify',
    summary:
      'Verify the next part of the hash chain. Repeat with the returned position until all entries are verified',
    needs,
    silent: true,
    input: z.object({
      /** How many entries were checked before, and the hash of the last one. */
      checked: z._default(Count, 0),
      head: z.optional(Hash),
    }),
    output: z.object({
      checked: z.int(),
      head: z.string(),
      /** Entries in the log at this moment. */
      total: z.int(),
      /** Null when no entry up to here was changed, and none is missing. */
      problem: z.nullable(z.string()),
    }),
  }),
  texts: defineCall({
    path: '/audit/texts',
    summary: 'Export entries as stored, oldest first, to verify them elsewhere',
    needs,
    silent: true,
    input: z.object({ after: z._default(Count, 0) }),
    output: z.object({
      texts: z.array(z.string()),
      /** The `after` of the next page; null when that was all. */
      next: z.nullable(z.int()),
    }),
  }),
}
