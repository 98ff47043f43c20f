import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { cell, listsIn, must, openSession, rowsOf, sharedEngine } from './fixture.ts'
import type { Suite } from './suite.ts'

/** Catalogs beside the one that an engine always has. */
export function attachmentTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)
  const attachments = () => must(shared.engine().attachments)
  const statements = () => must(shared.engine().catalogs).statements

  test('has a further catalog for every session, and no more when it is removed', async () => {
    const session = await openSession(shared.engine())
    const catalog = { kind: 'own', id: randomUUID(), name: 'Further', isNew: true } as const
    expect(attachments().named('further')).toBeNull()
    await attachments().attach(catalog)
    expect(attachments().named('further')).toBe('Further')
    await rowsOf(
      session,
      statements().createDatabase({ catalog: 'Further', database: 'inner' }, { ifNotExists: false }),
    )
    await rowsOf(session, statements().enter({ catalog: 'Further', database: 'inner' }))
    await rowsOf(session, words.createNumbered('numbers', 3))
    const other = await openSession(shared.engine(), { catalog: 'Further', database: 'inner' })
    expect(await cell(other, words.count('numbers'))).toBe('3')
    const lists = listsIn(shared.engine(), other)
    expect(await lists.databases('Further', 'all')).toContain('inner')
    expect(await lists.databases('default_catalog', 'all')).not.toContain('inner')
    await attachments().remove(catalog)
    expect(attachments().named('further')).toBeNull()
    const after = await openSession(shared.engine())
    expect(await listsIn(shared.engine(), after).databases('Further', 'all')).toEqual([])
  })

  test('gives a catalog another name under those who stand in it, and not under who uses it', async () => {
    const catalog = { kind: 'own', id: randomUUID(), name: 'Before', isNew: true } as const
    await attachments().attach(catalog)
    const session = await openSession(shared.engine(), { catalog: 'Before', database: 'main' })
    await rowsOf(session, words.createNumbered('numbers', 3))
    expect(await attachments().rename('Before', 'After')).toBe(true)
    expect([attachments().named('before'), attachments().named('after')]).toEqual([null, 'After'])
    expect(await cell(session, words.count('numbers'))).toBe('3')
    await rowsOf(session, words.createNumbered('others', 2))
    const user = await openSession(shared.engine(), { catalog: 'After', database: 'main' })
    await rowsOf(user, words.begin)
    await rowsOf(user, words.createNumbered('third', 1))
    expect(await attachments().rename('After', 'Before')).toBe(false)
    expect(attachments().named('after')).toBe('After')
    await rowsOf(user, words.commit)
    expect(await attachments().rename('After', 'AFTER')).toBe(true)
    // What had the name before may be another one's.
    const next = { kind: 'own', id: randomUUID(), name: 'Before', isNew: true } as const
    await attachments().attach(next)
    const inNext = await openSession(shared.engine(), { catalog: 'Before', database: 'main' })
    await rowsOf(inNext, words.createNumbered('numbers', 7))
    expect(await cell(inNext, words.count('numbers'))).toBe('7')
    expect(await cell(session, words.count('numbers'))).toBe('3')
    await attachments().remove({ id: catalog.id, name: 'AFTER' })
    await attachments().remove(next)
  })
}
