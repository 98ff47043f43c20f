import type { Kysely } from 'kysely'
import type { Schema } from '../../../../store/schema.ts'
import { createFindWarehouse, type TargetParts } from '../stream-target.ts'
import { createPartArrivals, type PartArrivalParts } from './arriving-parts.ts'
import { type BeginParts, createBegin } from './begin-transaction.ts'
import { createLabelStates } from './label-states.ts'
import { createLiveTransactions } from './live-transactions.ts'
import { createTransactionEndings, type EndingParts } from './transaction-endings.ts'
import { createTransactionRecovery, type TransactionRecoveryParts } from './transaction-recovery.ts'
import { createTransactionSteps, type StepParts } from './transaction-steps.ts'
import { createTransactionStore } from './transaction-store.ts'
import { createTransactions, type TransactionParts } from './transactions.ts'

/** What transactions may hold; missing: as the service sees fit. */
export type TransactionLimits = Pick<BeginParts, 'mostOpen'> & Pick<PartArrivalParts, 'mostStaged'>

type BuildParts = TransactionLimits &
  Pick<BeginParts, 'authority' | 'ownerOf'> &
  Pick<TransactionParts, 'queries'> &
  Pick<PartArrivalParts, 'files' | 'places' | 'idleMs'> &
  Pick<EndingParts, 'rejections'> &
  Pick<TransactionRecoveryParts, 'runFile' | 'findRequest' | 'actorOf'> &
  Pick<StepParts, 'findTarget' | 'run' | 'inTurn' | 'clock' | 'log'> &
  Pick<TargetParts, 'warehouses'> & { readonly db: Kysely<Schema> }

/** Puts the transactions of programs together. */
export function buildTransactions(parts: BuildParts) {
  const own = { ...parts, store: createTransactionStore(parts.db), live: createLiveTransactions() }
  const end = createTransactionEndings(own)
  const { settle, undone, settleLeft } = createTransactionRecovery({ ...own, end })
  const transactions = createTransactions({
    ...own,
    arrivals: createPartArrivals(own),
    steps: createTransactionSteps({ ...own, end, undone }),
    end,
    settle,
  })
  const begin = createBegin({ ...own, findWarehouse: createFindWarehouse(parts) })
  return { ...transactions, begin, stateOf: createLabelStates(own), settle, settleLeft }
}
