import { org, type Sent } from '@boathouse/contract'
import { secretOfRegion } from '../kernel/region-signature.ts'
import { MINUTES } from './fake-clock.ts'
import { startApp, type TestApp } from './start-app.ts'
import { freePort } from './free-port.ts'

export const REGION = 'eu-1'
export const REGIONS_SECRET = 'a secret that only the central server has'

/** The central server and that of a region, each with a database of its own, over real connections. */
export async function startTwoRegions(settings: Record<string, string> = {}) {
  const [centralPort, regionPort] = [await freePort(), await freePort()]
  const urls = { central: `http://127.0.0.1:${centralPort}`, region: `http://127.0.0.1:${regionPort}` }
  const central = await startApp({
    BOATHOUSE_REGION: 'us-1',
    BOATHOUSE_CSP: 'local',
    BOATHOUSE_REGIONS: `${REGION}@aws=${urls.region}`,
    BOATHOUSE_REGIONS_SECRET: REGIONS_SECRET,
    ...settings,
  })
  const region = await startApp({
    BOATHOUSE_REGION: REGION,
    BOATHOUSE_CSP: 'aws',
    BOATHOUSE_CENTRAL_URL: urls.central,
    BOATHOUSE_CENTRAL_SECRET: secretOfRegion(REGIONS_SECRET, REGION),
  })
  await central.http.listen({ host: '127.0.0.1', port: centralPort })
  await region.http.listen({ host: '127.0.0.1', port: regionPort })

  /** A minute passes on both, and they talk to each other. */
  async function talk(): Promise<void> {
    for (const app of [central, region]) app.clock.advance(MINUTES)
    await central.regions.sync(REGION)
  }

  return { central, region, urls, talk }
}

export type TwoRegions = Awaited<ReturnType<typeof startTwoRegions>>

export const NEW_ACCOUNT: Sent<typeof org.createAccount> = {
  name: 'harbour',
  edition: 'lake',
  adminName: 'grace',
  adminEmail: 'grace@boats.example',
  csp: 'aws',
  region: REGION,
}

/** An account in the other region, open. */
export async function openInRegion({ central, region, talk }: TwoRegions): Promise<string> {
  const admin = await central.admin()
  const { accountId } = (await admin.call(org.createAccount, NEW_ACCOUNT)).data
  await talk()
  await region.accountLife.advance()
  await talk()
  return accountId
}

/** The row of an account as a server has it. */
export const rowOf = (app: TestApp, accountId: string) =>
  app.store.db.selectFrom('accounts').selectAll().where('account_id', '=', accountId).executeTakeFirst()
