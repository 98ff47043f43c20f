import { expect, test } from 'vitest'
import { createLog } from '../../kernel/log.ts'
import type { GivenCatalog } from '../../kernel/outside.ts'
import { createGivenCatalogs } from './given-catalogs.ts'
import { ClusterRefused } from './refused.ts'

const catalog = (name: string, more: Partial<GivenCatalog> = {}): GivenCatalog => ({
  id: `id-${name}`,
  name,
  region: 'eu-central-1',
  endpoint: '',
  accessKey: null,
  whyNot: null,
  ...more,
})

/** Remembers what it was asked, and has these catalogs from before. */
function aCluster(before: string[] = []) {
  const asked: string[] = []
  const cluster = { refuses: '' }
  const given = createGivenCatalogs({
    fixed: ['lake'],
    keys: new Set(['id-early']),
    relayUrl: 'http://127.0.0.1:1',
    log: createLog('silent'),
    async run(sql) {
      asked.push(sql.split(' USING')[0] ?? '')
      if (cluster.refuses !== '' && sql.includes(cluster.refuses)) throw new ClusterRefused('it is wrong.')
      return sql.startsWith('SELECT') ? before.map((name) => [name]) : []
    },
  })
  const told = (): string[] => asked.splice(0).filter((sql) => !sql.startsWith('SELECT'))
  return { given, cluster, told }
}

test('it follows what the account has, and is asked for nothing that stays', async () => {
  const { given, told } = aCluster()
  await given.follow([catalog('Shop'), catalog('sea')])
  expect(told()).toEqual(['CREATE CATALOG "shop"', 'CREATE CATALOG "sea"'])
  await given.follow([catalog('Shop'), catalog('sea')])
  expect(told()).toEqual([])
  await given.follow([catalog('sea'), catalog('air')])
  expect(told()).toEqual(['DROP CATALOG "shop"', 'CREATE CATALOG "air"'])
  expect(given.names()).toEqual(['sea', 'air'])
  // Of the same name, and another one.
  await given.follow([catalog('sea', { id: 'other' }), catalog('air')])
  expect(told()).toEqual(['DROP CATALOG "sea"', 'CREATE CATALOG "sea"'])
})

test('what an earlier service has left is made again', async () => {
  const { given, told } = aCluster(['lake', 'system', 'jmx', 'shop'])
  await given.follow([catalog('shop')])
  expect(told()).toEqual(['DROP CATALOG "shop"', 'CREATE CATALOG "shop"'])
})

test('one that cannot be made says why, keeps no other from being made, and is tried again', async () => {
  const { given, cluster, told } = aCluster()
  cluster.refuses = 'CREATE CATALOG "sea"'
  const wanted = [
    catalog('sea'),
    catalog('Café'),
    catalog('lake'),
    catalog('hive', { whyNot: 'clusters do not read it.' }),
    catalog('early', { accessKey: 'AKIA' }),
    catalog('late', { accessKey: 'AKIA' }),
  ]
  await given.follow(wanted)
  expect(given.names()).toEqual(['early'])
  expect(given.whyNot('SEA')).toBe('The catalog sea cannot be read in this warehouse: it is wrong.')
  expect(given.whyNot('café')).toContain('letters without accents')
  expect(given.whyNot('lake')).toContain('a catalog of this name itself')
  expect(given.whyNot('hive')).toContain('clusters do not read it')
  expect(given.whyNot('late')).toContain('Suspend and resume the warehouse')
  expect(given.whyNot('early')).toBeNull()
  told()
  cluster.refuses = ''
  await given.follow(wanted)
  expect(told()).toEqual(['CREATE CATALOG "sea"'])
  expect(given.whyNot('sea')).toBeNull()
})

test('after a cluster did not answer, the next look does the rest', async () => {
  const { given, cluster, told } = aCluster()
  cluster.refuses = 'SELECT'
  await expect(given.follow([catalog('sea')])).rejects.toThrow(ClusterRefused)
  cluster.refuses = ''
  await given.follow([catalog('sea')])
  expect(told()).toEqual(['CREATE CATALOG "sea"'])
})
