import { account } from './account.ts'
import type { Call } from './call.ts'
import { editor } from './editor.ts'
import { log } from './log.ts'
import { query } from './query.ts'
import { region } from './region.ts'
import { schema } from './schema.ts'
import { user } from './user.ts'
import { warehouse } from './warehouse.ts'

/** Everything the console and other clients can call, by module. */
export const contract = { account, editor, log, query, region, schema, user, warehouse } as const

export const API_PREFIX = '/api'

export const allCalls = (): Call[] => Object.values(contract).flatMap((module) => Object.values<Call>(module))
