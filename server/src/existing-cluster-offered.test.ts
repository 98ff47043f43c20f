import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findClusterOffer, offerText } from './clusters-offered.ts'
import { describeSettings, readConfig } from './config.ts'
import { catalogsFor } from './open-catalogs.ts'
import { PASSWORD, playCoordinator } from './providers/trino/existing/testing/played-coordinator.ts'

const SETTINGS = {
  BOATHOUSE_TRINO_URL: 'https://localhost:1',
  BOATHOUSE_TRINO_USER: 'boathouse-service',
  BOATHOUSE_TRINO_PASSWORD: PASSWORD,
  BOATHOUSE_TRINO_CATALOGS: 'sales@ACME',
}

type Settings = Readonly<Partial<Record<keyof typeof SETTINGS, string>>>

const told = async (settings: Settings & Record<string, string>): Promise<string> => {
  const text = await offerText(await findClusterOffer(readConfig(settings, tmpdir())))
  expect(text).not.toContain(PASSWORD)
  return text
}

const without = (name: keyof typeof SETTINGS): Record<string, string> => {
  const { [name]: _, ...others } = SETTINGS
  return others
}

test('what is missing to use a cluster is said, and nothing secret', async () => {
  expect(await told(without('BOATHOUSE_TRINO_USER'))).toMatch(/^not offered: BOATHOUSE_TRINO_USER is not set/)
  expect(await told(without('BOATHOUSE_TRINO_PASSWORD'))).toMatch(
    /^not offered: Neither .* nor BOATHOUSE_TRINO_TOKEN/,
  )
  expect(await told(without('BOATHOUSE_TRINO_CATALOGS'))).toMatch(
    /^not offered: BOATHOUSE_TRINO_CATALOGS is not set/,
  )
  expect(await told({ ...SETTINGS, BOATHOUSE_TRINO_TOKEN: 'a.b.c' })).toMatch(
    /are both set. Set one of them.$/,
  )
  expect(await told({ ...SETTINGS, BOATHOUSE_TRINO_HOME: '/opt/trino' })).toMatch(
    /are both set. Set one of them.$/,
  )
  expect(await told({ ...SETTINGS, BOATHOUSE_TRINO_CA: '/nowhere.pem' })).toMatch(
    /: \/nowhere.pem cannot be read.$/,
  )
})

test.each(['http://trino:8080', 'https://u:pass@trino', 'https://trino/path', 'trino:8443', 'nonsense'])(
  'the address %s is refused, without what may be secret in it',
  async (address) => {
    const text = await told({ ...SETTINGS, BOATHOUSE_TRINO_URL: address })
    expect(text).toMatch(/^not offered: BOATHOUSE_TRINO_URL is not an address such as/)
    expect(text).not.toContain('u:pass')
  },
)

test('a cluster is offered while it does not answer, and how it is is said', async () => {
  expect(await told(SETTINGS)).toMatch(
    /^offered: the cluster at https:\/\/localhost:1. The cluster does not answer: nothing listens at its address. \(/,
  )
  const { address, play } = await playCoordinator()
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-ca-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'ca.pem')
  await writeFile(file, address.certificates ?? '')
  const settings = { ...SETTINGS, BOATHOUSE_TRINO_URL: address.url, BOATHOUSE_TRINO_CA: file }
  expect(await told(settings)).toContain('. It answers. (')
  expect(await told({ ...settings, BOATHOUSE_TRINO_CATALOGS: 'sales@A,gone@B' })).toContain(
    'It answers, but does not show the service these catalogs: gone.',
  )
  play(({ path }) => (path === '/v1/statement' ? [401, ''] : undefined))
  expect(await told(settings)).toContain('does not accept the credentials of this service.')
})

test('a catalog is open to an account that the setting names, and to no other', () => {
  const { clusters } = readConfig(
    { BOATHOUSE_TRINO_CATALOGS: 'sales@ACME, web@ACME,web@BETA,all@*' },
    tmpdir(),
  )
  expect(catalogsFor(clusters.existing.catalogs, 'ACME')).toEqual(['sales', 'web', 'all'])
  expect(catalogsFor(clusters.existing.catalogs, 'BETA')).toEqual(['web', 'all'])
  expect(catalogsFor(clusters.existing.catalogs, 'acme')).toEqual(['all'])
  for (const wrong of ['sales', 'sales@', 'system@ACME', 'lake@*', 'Sales@ACME', 'a.b@ACME', 'sales@ACME,'])
    expect(() => readConfig({ BOATHOUSE_TRINO_CATALOGS: wrong }, tmpdir())).toThrow(
      'BOATHOUSE_TRINO_CATALOGS',
    )
})

test('secrets are masked where settings are listed', () => {
  const listed = describeSettings({ ...SETTINGS, BOATHOUSE_TRINO_TOKEN: 'a.b.c' })
  expect(JSON.stringify(listed)).not.toMatch(/a-secret|a\.b\.c/)
})
