import type { Bundle } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Clusters } from '../cluster/service.ts'
import type { Packages } from '../pkg/service.ts'
import type { History } from '../query/history/history.ts'
import type { Warehouses } from '../warehouse/service.ts'
import { hiddenProfile, hiddenStatement } from './hidden.ts'

interface DiagnosesOptions {
  readonly history: Pick<History, 'detail' | 'list'>
  readonly warehouses: Pick<Warehouses, 'activity' | 'describe' | 'findByName' | 'isOperated'>
  readonly clusters: Clusters
  readonly packages: Packages
  readonly clock: Clock
}

const FORM = 'boathouse-diagnostics-1'
const LEFT_OUT =
  'Texts, numbers and comments of statements, quoted parts of messages, user names, addresses, and all rows.'
const MOST_ACTIVITIES = 50
const MOST_STATEMENTS = 50

/** Bundles for people who help. Made of what the asking user may see, and of nothing else. */
export function createDiagnoses({ history, warehouses, clusters, packages, clock }: DiagnosesOptions) {
  const head = async (about: string) => ({
    form: FORM,
    about,
    madeAt: clock.now().toISOString(),
    leftOut: LEFT_OUT,
    installed: await packages.list(),
  })

  async function warehouseFacts(actor: Actor, warehouseId: string) {
    const {
      createdBy: _createdBy,
      description: _description,
      ...facts
    } = await warehouses.describe(actor, warehouseId)
    const page = { warehouseId, cursor: null, limit: MOST_ACTIVITIES }
    const mayKnow = await warehouses.isOperated(actor, warehouseId)
    const { activities } = mayKnow ? await warehouses.activity(actor, page) : { activities: [] }
    return {
      warehouse: facts,
      cluster: await clusters.describe(actor, warehouseId),
      activity: activities.map(({ actor: _actor, ...activity }) => activity),
    }
  }

  return {
    async statement(actor: Actor, queryId: string): Promise<Bundle> {
      const { entry, profile, runs } = await history.detail(actor, queryId)
      const warehouse = entry.warehouse ? await warehouses.findByName(actor, entry.warehouse) : undefined
      return {
        fileName: `boathouse-statement-${queryId}.json`,
        bundle: {
          ...(await head('statement')),
          statement: hiddenStatement(entry),
          profile: profile && hiddenProfile(profile),
          otherRuns: runs.map(({ user: _user, ...run }) => run),
          ...(warehouse && (await warehouseFacts(actor, warehouse.warehouse_id))),
        },
      }
    },

    async warehouse(actor: Actor, warehouseId: string): Promise<Bundle> {
      const facts = await warehouseFacts(actor, warehouseId)
      const page = { warehouse: warehouseId, limit: MOST_STATEMENTS, endedOnly: false }
      const { entries } = await history.list(actor, page)
      return {
        fileName: `boathouse-warehouse-${facts.warehouse.name}.json`,
        bundle: { ...(await head('warehouse')), ...facts, statements: entries.map(hiddenStatement) },
      }
    },
  }
}

export type Diagnoses = ReturnType<typeof createDiagnoses>
