import { CODES, editor, LIMITS, type TextChange, type TextUpdate } from '@boathouse/contract'
import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab'
import { ChangeSet, EditorState } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import { startApp, type TestUser } from '../../testing/start-app.ts'
import { applyChange, changeBetween } from './text-change.ts'

async function setUp(people: number) {
  const app = await startApp()
  const owner = await app.user([])
  const { tabId } = (await owner.call(editor.createTab, { tabName: 'Together', sql: '-' })).data
  const users = [owner]
  while (users.length < people) {
    const user = await app.user([])
    const partner = { kind: 'user' as const, name: user.name }
    await owner.call(editor.share, { of: { kind: 'query', id: tabId }, partner, level: 'edit' })
    users.push(user)
  }
  const push = (user: TestUser, revision: number, changes: TextChange[], clientId = user.name) =>
    user.call(editor.pushChanges, { tabId, clientId, revision, changes })
  const textOf = async () => (await owner.call(editor.tabDetail, { tabId })).data
  return { app, owner, users, tabId, push, textOf }
}

/** Numbers that look random and are the same in every run. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** An editor as a browser has it, without a screen. */
function openEditor(user: TestUser, tabId: string) {
  let state = EditorState.create({ doc: '-', extensions: collab({ startVersion: 1, clientID: user.name }) })
  return {
    text: () => state.doc.toString(),
    edit: (change: { from: number; to?: number; insert?: string }) => {
      state = state.update({ changes: change }).state
    },
    isSynced: () => sendableUpdates(state).length === 0,
    /** `cut`: the request is lost, or its answer. */
    async sync(cut: 'none' | 'request' | 'answer'): Promise<void> {
      if (cut === 'request') return
      const changes = sendableUpdates(state)
        .slice(0, LIMITS.liveChanges)
        .map((update) => update.changes.toJSON() as TextChange)
      const revision = getSyncedVersion(state)
      const answer = await user.call(editor.pushChanges, { tabId, clientId: user.name, revision, changes })
      expect(answer).toMatchObject({ code: CODES.Ok.code })
      expect(answer.data.isStale).toBe(false)
      if (cut === 'answer') return
      const updates = answer.data.updates.map((update: TextUpdate) => ({
        changes: ChangeSet.fromJSON(update.changes),
        clientID: update.clientId,
      }))
      state = receiveUpdates(state, updates).state
    },
  }
}

test('five people make 10,000 changes over lines that are cut: no character is lost, and all have one text', async () => {
  const { users, tabId, textOf } = await setUp(5)
  const random = randomFrom(7)
  const editors = users.map((user) => openEditor(user, tabId))
  const inserted = new Set<string>()
  const deleted = new Set<string>()
  for (let number = 0; number < 10_000; number++) {
    const own = editors[random(editors.length)]
    if (!own) throw new Error('There is no such editor.')
    const text = own.text()
    if (number % 5 === 4 && text.length > 1) {
      const from = random(text.length)
      deleted.add(text.charAt(from))
      own.edit({ from, to: from + 1 })
    } else {
      // Each character is there once, so that it is known what became of it.
      const character = String.fromCharCode(0x4e00 + number)
      inserted.add(character)
      own.edit({ from: random(text.length + 1), insert: character })
    }
    if (random(12) === 0)
      await own.sync((['none', 'none', 'request', 'answer'] as const)[random(4)] ?? 'none')
  }
  while (!editors.every((one) => one.isSynced())) for (const one of editors) await one.sync('none')
  for (const one of editors) await one.sync('none')

  const { sql } = await textOf()
  expect(editors.map((one) => one.text())).toEqual(editors.map(() => sql))
  const expected = ['-', ...inserted].filter((character) => !deleted.has(character))
  expect(sql.split('').toSorted()).toEqual(expected.toSorted())
})

describe('changes', () => {
  test('of somebody who may only see are refused, and what others change is answered', async () => {
    const { app, owner, tabId, push } = await setUp(1)
    const reader = await app.user([])
    const stranger = await app.stranger()
    expect((await push(reader, 1, [[1, [0, 'a']]])).code).toBe(CODES.NotFound.code)
    expect((await push(stranger, 1, [])).code).toBe(CODES.NotFound.code)
    for (const level of ['see', 'run'] as const) {
      const partner = { kind: 'user' as const, name: reader.name }
      await owner.call(editor.share, { of: { kind: 'query', id: tabId }, partner, level })
      expect((await push(reader, 1, [[1, [0, 'a']]])).code).toBe(CODES.NoPermission.code)
    }
    await push(owner, 1, [[1, [0, 'b']]])
    expect((await push(reader, 1, [])).data).toEqual({
      isAccepted: false,
      isStale: false,
      updates: [{ clientId: owner.name, changes: [1, [0, 'b']] }],
    })
  })

  test('that do not fit the text are refused as a whole', async () => {
    const { owner, push, textOf } = await setUp(1)
    const misfits: TextChange[] = [[3, [0, 'a']], [[0, 'a']], [1, [0, 'a\nb']], [1, ['a']], [1, [0, 'a', 7]]]
    for (const misfit of misfits)
      expect((await push(owner, 1, [[1, [0, 'x']], misfit])).code).toBe(CODES.BadInput.code)
    expect((await push(owner, 1, [[1, [0, '\ud800']]])).code).toBe(CODES.BadInput.code)
    expect((await push(owner, 1, [[1, [0, 'x'.repeat(LIMITS.sqlLength)]]])).code).toBe(CODES.BadInput.code)
    expect(await textOf()).toMatchObject({ sql: '-', revision: 1 })
  })

  test('that come twice, because their answer was lost, are made once', async () => {
    const { owner, push, textOf } = await setUp(1)
    await push(owner, 1, [[1, [0, 'a']]])
    const again = await push(owner, 1, [[1, [0, 'a']]])
    expect(again.data).toMatchObject({ isAccepted: false, updates: [{ clientId: owner.name }] })
    expect((await textOf()).sql).toBe('-a')
  })

  test('of a whole text are changes as well, and a gap is said', async () => {
    const { owner, users, tabId, push } = await setUp(2)
    const other = users[1] ?? owner
    await push(other, 1, [[1, [0, 'a']]])
    await owner.call(editor.updateSql, { tabId, sql: '-ab\nc', revision: 2 })
    expect((await push(other, 2, [])).data.updates).toEqual([{ clientId: '', changes: [2, [0, 'b', 'c']] }])
    expect((await push(other, 0, [])).data.isStale).toBe(true)
    expect((await push(other, 99, [])).data.isStale).toBe(true)
  })

  test('are kept up to a number, and versions say who made them', async () => {
    const { app, owner, users, tabId, push } = await setUp(2)
    const other = users[1] ?? owner
    for (let revision = 1; revision < LIMITS.liveKept + 500; revision += LIMITS.liveChanges)
      await push(
        other,
        revision,
        Array.from({ length: LIMITS.liveChanges }, (_, at): TextChange => [revision + at, [0, 'a']]),
      )
    const { count } = await app.store.db
      .selectFrom('editor_updates')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(LIMITS.liveKept)
    expect((await push(owner, 1, [])).data.isStale).toBe(true)
    const { list } = (await owner.call(editor.versions, { tabId })).data
    expect(list.map(({ userName }) => userName)).toEqual([other.name, owner.name])
    // What several write at once is one version, of all of them.
    const { revision } = (await owner.call(editor.tabDetail, { tabId })).data
    await push(owner, revision, [[revision, [0, 'b']]])
    const [latest] = (await owner.call(editor.versions, { tabId })).data.list
    expect(latest?.userName).toBe(`${other.name}, ${owner.name}`)
  })
})

test('who is in a text is shown to those who are in it too, with their name', async () => {
  const { app, owner, users, tabId } = await setUp(2)
  const other = users[1] ?? owner
  const stranger = await app.user([])
  const presence = { tabId, clientId: 'window', anchor: 0, head: 1, isHere: true }
  expect((await stranger.call(editor.present, presence)).code).toBe(CODES.NotFound.code)
  await owner.call(editor.present, presence)
  const channel = await owner.channel()
  const heard = channel.hear((message) =>
    message.cmd === 3 && message.type === 'GlobalEventTypeEditorPresence' ? message.data : undefined,
  )
  await other.call(editor.present, presence)
  expect(await heard).toEqual({ ...presence, user: other.name })
})

test('who has no access any more hears nothing of who is in a text', async () => {
  const { owner, users, tabId } = await setUp(3)
  const [, revoked = owner, other = owner] = users
  const presence = { tabId, clientId: 'window', anchor: 0, head: 1, isHere: true }
  await revoked.call(editor.activeTab, { tabId })
  await revoked.call(editor.present, presence)
  await owner.call(editor.unshare, {
    of: { kind: 'query', id: tabId },
    partner: { kind: 'user', name: revoked.name },
  })
  const heard: string[] = []
  const channel = await revoked.channel()
  const end = channel.hear((message) => {
    if (message.cmd !== 3) return undefined
    heard.push(message.type)
    return message.type === 'GlobalEventTypeEditorChanged' || undefined
  })
  await other.call(editor.present, presence)
  // Notified of another list of theirs: what was sent before has arrived by then.
  await revoked.call(editor.createTab, { tabName: 'Mine', sql: '' })
  await end
  expect(heard).toEqual(['GlobalEventTypeEditorChanged'])
})

test('changes of long texts are kept up to a number of bytes, however they were saved', async () => {
  const { app, owner, tabId, push } = await setUp(1)
  const long = (letter: string) => letter.repeat(500_000)
  let length = 1
  for (let revision = 1; revision <= 6; revision++) {
    const answer = await push(owner, revision, [[[length, long(String(revision))]]])
    expect(answer.data.isAccepted).toBe(true)
    length = 500_000
  }
  for (let revision = 7; revision <= 12; revision++)
    await owner.call(editor.updateSql, { tabId, sql: long('abcdef'.charAt(revision - 7)), revision })
  const { bytes } = await app.store.db
    .selectFrom('editor_updates')
    .select((eb) => eb.fn.sum<number>('bytes').as('bytes'))
    .where('tab_id', '=', tabId)
    .executeTakeFirstOrThrow()
  expect(bytes).toBeLessThanOrEqual(LIMITS.liveKeptBytes)
  expect((await push(owner, 1, [])).data.isStale).toBe(true)
  expect((await push(owner, 12, [])).data.updates).toHaveLength(1)
})

test('a change between two texts leads from one to the other', () => {
  for (const [before, after] of [
    ['', 'a'],
    ['abc', ''],
    ['a\nb', 'a\n\nb'],
    ['aa', 'aaa'],
    ['x😀y', 'x😁y'],
    ['same', 'same'],
    ['ab', 'a\n'],
  ] as const)
    expect(applyChange(before, changeBetween(before, after))).toBe(after)
})
