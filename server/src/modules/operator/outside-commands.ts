import { AppError } from '../../kernel/app-error.ts'
import { RegionId } from '@boathouse/contract'
import { z } from 'zod'
import { OPERATOR } from '../audit/author.ts'
import type { Marketplaces } from '../marketplace/service.ts'
import { type Command, command } from './command.ts'

export interface OutsideCommandParts {
  readonly marketplaces: Pick<Marketplaces, 'begin' | 'list' | 'settleUnsure'>
  readonly regions: {
    statuses(): readonly object[]
    secretOf(regionId: string): string
  }
}

const Customer = z
  .string('customer: Give the customer at the marketplace with --customer.')
  .trim()
  .min(1)
  .max(200)

/** Other regions, and the marketplace that organisations pay through. */
export function createOutsideCommands({
  marketplaces,
  regions,
}: OutsideCommandParts): Record<string, Command> {
  const Subscription = z.object({
    org: z.uuid(),
    customer: Customer,
    product: z.string().trim().max(200).default('Boathouse'),
  })
  const Settling = z.object({
    record: z.uuid(),
    taken: z.boolean().default(false),
    'not-taken': z.boolean().default(false),
  })
  return {
    'org marketplace': command(Subscription, async ({ org, customer, product }) => ({
      org,
      pays: 'marketplace',
      customer,
      ...(await marketplaces.begin({ organisationId: org, customer, product }, OPERATOR)),
    })),
    'marketplace records': command(z.object({ org: z.uuid().optional() }), ({ org }) =>
      marketplaces.list(org),
    ),
    'marketplace settle': command(Settling, async ({ record, taken, 'not-taken': notTaken }) => {
      if (taken === notTaken)
        throw new AppError(
          'BadInput',
          'Give the state of the record at the marketplace: --taken or --not-taken.',
        )
      await marketplaces.settleUnsure(record, taken)
      return { record, taken }
    }),
    'region list': command(z.object({}), async () => regions.statuses()),
    'region secret': command(z.object({ region: RegionId }), async ({ region }) => ({
      region,
      secret: regions.secretOf(region),
    })),
  }
}
