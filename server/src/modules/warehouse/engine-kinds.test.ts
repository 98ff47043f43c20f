import { expect, test } from 'vitest'
import { engineOfNew, kindsFor } from './engine-kinds.ts'

const HOME = { id: 'home', label: 'Home' }
const CLUSTER = { id: 'cluster', label: 'Cluster', isCluster: true } as const
const KINDS = [HOME, CLUSTER]

test('an account has the engines that it has chosen', () => {
  expect(kindsFor(KINDS, 'both')).toEqual([HOME, CLUSTER])
  expect(kindsFor(KINDS, 'embedded')).toEqual([HOME])
  expect(kindsFor(KINDS, 'cluster')).toEqual([CLUSTER])
})

test('an account of clusters gets a sentence when clusters are no longer offered', () => {
  expect(() => kindsFor([HOME], 'cluster')).toThrow('does not offer at this moment')
  expect(kindsFor([HOME], 'both')).toEqual([HOME])
})

test('a new warehouse has the first engine of its account, or the one that is named and allowed', () => {
  expect(engineOfNew({ kinds: KINDS, chosen: KINDS }, null)).toBe(null)
  expect(engineOfNew({ kinds: KINDS, chosen: KINDS }, 'cluster')).toBe('cluster')
  expect(engineOfNew({ kinds: KINDS, chosen: [CLUSTER] }, null)).toBe('cluster')
  expect(() => engineOfNew({ kinds: KINDS, chosen: [CLUSTER] }, 'home')).toThrow('has one of: cluster')
  expect(() => engineOfNew({ kinds: KINDS, chosen: [HOME] }, 'cluster')).toThrow('has one of: home')
})
