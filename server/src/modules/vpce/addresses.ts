import { type Ranges, readRanges } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { availableEndpoints } from './store.ts'

const overlap = (one: Ranges, other: Ranges): boolean =>
  one.some((_, index) => {
    if (index % 2 === 1) return false
    const [first = 0, last = -1] = one.slice(index, index + 2)
    return other.some((start, at) => at % 2 === 0 && start <= last && (other[at + 1] ?? -1) >= first)
  })

/** An address leads to one account: it is all that tells clients of one from those of another. */
export async function requireOwnAddresses(
  trx: Transaction<Schema>,
  accountId: string,
  addresses: string,
): Promise<void> {
  const ranges = readRanges(addresses) ?? []
  const others = (await availableEndpoints(trx)).filter(
    (row) => row.account_id !== accountId && row.addresses !== '',
  )
  const taken = others.find((row) => overlap(ranges, readRanges(row.addresses) ?? []))
  if (taken)
    throw new AppError(
      'Conflict',
      `Some of ${addresses} already lead to the account ${taken.account_id}, by ${taken.endpoint_id}.`,
    )
}

export function requireAddresses(addresses: string | undefined): string {
  const list = addresses?.trim() ?? ''
  if (list === '' || readRanges(list) === null)
    throw new AppError(
      'BadInput',
      'Give the IPv4 addresses from which clients of the endpoint come, as in --addresses 10.20.0.0/16,10.30.0.7.',
    )
  return list
}
