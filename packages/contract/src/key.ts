import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { readRanges } from './ipv4.ts'
import { LIMITS } from './limits.ts'
import { Moment } from './moment.ts'
import { AnyRole } from './people-rules.ts'
import { MESSAGES, UserName } from './rules.ts'

/** Where an API key can be used. */
export const KEY_DOORS = ['http', 'mysql', 'ingest', 'mcp'] as const
export const KeyDoor = z.enum(KEY_DOORS)
export type KeyDoor = z.infer<typeof KeyDoor>

/** Every secret begins with it, so that scanners recognise one that was published. */
export const KEY_PREFIX = 'bh_'

export const KEY_MESSAGES = {
  name: 'Enter key name',
  doors: 'Choose where the key can be used',
  addresses: 'Enter valid IPV4 addresses',
  unknown: 'This API key is wrong, was revoked, or belongs to another user.',
  narrowed:
    'This runs later with all roles of your user, and your API key may use some of them. Use a key with all roles.',
  refused: 'An API key cannot do this. Sign in to the console.',
} as const

export const KeyId = z.string().check(z.regex(/^[0-9A-Za-z]{8}$/, 'This is not the id of a key.'))

export const KeyName = z.string().check(
  z.trim(),
  z.minLength(1, KEY_MESSAGES.name),
  z.maxLength(LIMITS.keyNameLength, MESSAGES.maximumLength(LIMITS.keyNameLength)),
  // Lists, logs and the history show it in one line.
  z.regex(/^[^\p{Cc}\p{Cf}]*$/u, 'Use characters that can be seen.'),
)

/** Empty: all addresses. */
export const KeyAddresses = z.string().check(
  z.trim(),
  z.maxLength(LIMITS.firewallAddressesLength, MESSAGES.maximumLength(LIMITS.firewallAddressesLength)),
  z.refine((list) => list === '' || readRanges(list) !== null, KEY_MESSAGES.addresses),
)

export const ApiKey = z.object({
  keyId: z.string(),
  user: z.string(),
  name: z.string(),
  /** Those of its user that it may use; null: all that its user has. */
  roles: z.nullable(z.array(z.string())),
  doors: z.array(KeyDoor),
  /** IPv4 addresses and CIDR ranges, commas between them; empty: all. */
  addresses: z.string(),
  /** Null: it does not expire. */
  expiresAt: z.nullable(z.string()),
  isExpired: z.boolean(),
  createdAt: z.string(),
  createdBy: z.string(),
  rotatedAt: z.nullable(z.string()),
  /** Until when the secret before the last rotation is valid; null: it is not. */
  formerUntil: z.nullable(z.string()),
  /** To the minute; null: never. */
  lastUse: z.nullable(z.object({ at: z.string(), clientIp: z.string(), door: KeyDoor, program: z.string() })),
})
export type ApiKey = z.infer<typeof ApiKey>

/** Of oneself where it is left out. */
const OfUser = { user: z.optional(UserName) }
const Made = z.object({
  key: ApiKey,
  /** Shown now and never again: only its hash is kept. */
  secret: z.string(),
})

const changeFails = ['NotFound', 'NoPermission', 'Conflict'] as const

/**
 * API keys of oneself, and of service users for who administers users. None of these can be called with a key, except
 * for the list.
 */
export const key = {
  list: defineCall({
    path: '/key/list',
    summary: 'List your API keys, or those of another user, newest first',
    needs: 'login',
    render: true,
    input: z.object(OfUser),
    output: z.object({ keys: z.array(ApiKey) }),
    fails: ['NotFound', 'NoPermission'],
  }),
  create: defineCall({
    path: '/key/create',
    summary: 'Create an API key for yourself or for a service user; the secret is shown once',
    needs: 'login',
    refusesKeys: true,
    input: z.object({
      ...OfUser,
      name: KeyName,
      roles: z._default(z.array(AnyRole).check(z.maxLength(LIMITS.rolesPerUser)), []),
      doors: z._default(
        z.array(KeyDoor).check(z.minLength(1, KEY_MESSAGES.doors), z.maxLength(KEY_DOORS.length)),
        [...KEY_DOORS],
      ),
      addresses: z._default(KeyAddresses, ''),
      expiresAt: z._default(z.nullable(Moment), null),
    }),
    output: Made,
    fails: ['NameTaken', 'LimitReached', 'BadInput', ...changeFails],
  }),
  rotate: defineCall({
    path: '/key/rotate',
    summary: 'Give an API key a new secret, shown once; the old one is valid for some hours',
    needs: 'login',
    refusesKeys: true,
    input: z.object({
      ...OfUser,
      keyId: KeyId,
      /** How long the old secret is valid; 0: it ends now. */
      overlapHours: z._default(z.number().check(z.minimum(0), z.maximum(LIMITS.keyOverlapHours)), 24),
    }),
    output: Made,
    fails: changeFails,
  }),
  revoke: defineCall({
    path: '/key/revoke',
    summary: 'Revoke an API key; what is connected with it is closed',
    needs: 'login',
    refusesKeys: true,
    input: z.object({ ...OfUser, keyId: KeyId }),
    output: z.object({}),
    fails: changeFails,
  }),
}
