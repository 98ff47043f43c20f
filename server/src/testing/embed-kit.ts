import { type Dashboard, embed, type Sent } from '@boathouse/contract'
import { expect } from 'vitest'
import { setUpDashboards } from './dashboard-kit.ts'
import type { TestUser } from './start-app.ts'

/** What is in the address of a link. */
export function cameBy(path: string) {
  const [, embedId = '', key = ''] = /^\/embed\/([^#]+)#(.+)$/.exec(path) ?? []
  return { embedId, key }
}

/** A new link to it. */
const link = async (
  who: TestUser,
  { dashboardId }: Dashboard,
  draft: Partial<Sent<typeof embed.create>> = {},
) => {
  const made = await who.call(embed.create, { dashboardId, ...draft })
  expect(made.message).toBe('')
  return cameBy(made.data.path)
}

/** A dashboard of boats that its owner has refreshed and embedded, in an account that allows it. */
export async function setUpEmbed(settings: Record<string, string> = {}) {
  const set = await setUpDashboards(settings)
  const { app, admin, make, settle, refresh } = set
  const allow = (isAllowed: boolean) => admin.call(embed.changeSettings, { isAllowed })
  await allow(true)
  const own = await make(admin, 'SELECT a FROM boats')
  await settle(admin, own, { viewers: 'private' })
  const [first] = await refresh(admin, own)
  return {
    ...set,
    own,
    runId: first?.runId ?? '',
    link,
    allow,
    look: (came: Sent<typeof embed.open>) => app.call(embed.open, came),
  }
}
