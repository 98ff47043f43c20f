import { randomUUID } from 'node:crypto'
import { CODES, commentCalls, editor, LIMITS, perms, type Sent, type ShareLevel } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../testing/start-app.ts'

async function setUp() {
  const app = await startApp()
  const ann = await app.user([])
  const bob = await app.user([])
  const { tabId } = (await ann.call(editor.createTab, { tabName: 'Revenue', sql: 'select 1\nfrom boats' }))
    .data
  const share = (user: TestUser, level: ShareLevel) =>
    ann.call(editor.share, {
      of: { kind: 'query', id: tabId },
      partner: { kind: 'user', name: user.name },
      level,
    })
  /** The code of the answer, and the id of the comment. */
  async function add(user: TestUser, draft: Partial<Sent<typeof commentCalls.addComment>> = {}) {
    const commentId = draft.commentId ?? randomUUID()
    const about = { line: 2, quote: 'from boats', text: 'Which boats?' }
    app.clock.advance(1_000)
    const { code } = await user.call(commentCalls.addComment, { tabId, ...about, ...draft, commentId })
    return { code, commentId }
  }
  const listed = async (user: TestUser) => (await user.call(commentCalls.comments, { tabId })).data.list
  return { app, ann, bob, tabId, share, add, listed }
}

test('comments of a query are there for those who may see it, and for nobody else', async () => {
  const { app, ann, bob, tabId, share, add } = await setUp()
  const { commentId } = await add(ann)
  const refused = async (user: TestUser) => {
    const answers = [
      user.call(commentCalls.comments, { tabId }),
      user.call(commentCalls.addComment, {
        tabId,
        commentId: randomUUID(),
        line: 1,
        quote: '',
        text: 'Mine',
      }),
      user.call(commentCalls.resolveComment, { tabId, commentId, isResolved: true }),
      user.call(commentCalls.deleteComment, { tabId, commentId }),
    ]
    for (const answer of answers) expect((await answer).code).toBe(CODES.NotFound.code)
  }
  for (const other of [bob, await app.admin(), await app.stranger(['account_admin'])]) await refused(other)
  await share(bob, 'see')
  expect((await bob.call(commentCalls.comments, { tabId })).data.list).toHaveLength(1)
  await ann.call(editor.unshare, {
    of: { kind: 'query', id: tabId },
    partner: { kind: 'user', name: bob.name },
  })
  await refused(bob)
})

test('who sees a query comments on a line and answers; the comment keeps the line as it was', async () => {
  const { ann, bob, share, add, listed } = await setUp()
  await share(bob, 'see')
  const first = await add(bob)
  const answer = await add(ann, { replyTo: first.commentId, text: 'All of them.' })
  await add(bob, { replyTo: answer.commentId, text: 'Thanks.' })
  const list = await listed(ann)
  expect(list.map(({ replyTo, text, userName, isOwn }) => ({ replyTo, text, userName, isOwn }))).toEqual([
    { replyTo: null, text: 'Which boats?', userName: bob.name, isOwn: false },
    { replyTo: first.commentId, text: 'All of them.', userName: ann.name, isOwn: true },
    { replyTo: first.commentId, text: 'Thanks.', userName: bob.name, isOwn: false },
  ])
  expect(list[0]).toMatchObject({ line: 2, quote: 'from boats', isResolved: false })
})

test('a comment that is sent again is there once, and nobody takes the id of another one', async () => {
  const { ann, bob, share, add, listed } = await setUp()
  await share(bob, 'see')
  const { commentId } = await add(ann)
  expect((await add(ann, { commentId, text: 'Again' })).code).toBe(CODES.Ok.code)
  expect((await add(bob, { commentId })).code).toBe(CODES.Conflict.code)
  const other = (await bob.call(editor.createTab, { tabName: 'Other', sql: '' })).data.tabId
  expect((await add(bob, { tabId: other, commentId })).code).toBe(CODES.Conflict.code)
  expect((await add(bob, { tabId: other, replyTo: commentId })).code).toBe(CODES.NotFound.code)
  expect((await listed(ann)).map(({ text }) => text)).toEqual(['Which boats?'])
})

test('who wrote a comment, or may edit the query, resolves it; its author and the owner of the query delete it', async () => {
  const { app, ann, bob, tabId, share, add, listed } = await setUp()
  const carl = await app.user([])
  await share(bob, 'see')
  await share(carl, 'see')
  const { commentId } = await add(bob)
  const answer = await add(ann, { replyTo: commentId })
  const resolve = async (user: TestUser, of = commentId) =>
    (await user.call(commentCalls.resolveComment, { tabId, commentId: of, isResolved: true })).code
  const remove = async (user: TestUser, of = commentId) =>
    (await user.call(commentCalls.deleteComment, { tabId, commentId: of })).code
  expect([await resolve(carl), await remove(carl)]).toEqual([
    CODES.NoPermission.code,
    CODES.NoPermission.code,
  ])
  expect(await resolve(ann, answer.commentId)).toBe(CODES.NotFound.code)
  expect(await remove(bob, answer.commentId)).toBe(CODES.NoPermission.code)
  expect(await resolve(bob)).toBe(CODES.Ok.code)
  expect((await listed(carl))[0]?.isResolved).toBe(true)
  await share(carl, 'edit')
  expect([await resolve(carl), await remove(carl)]).toEqual([CODES.Ok.code, CODES.NoPermission.code])
  // With its answers.
  expect(await remove(ann)).toBe(CODES.Ok.code)
  expect(await listed(ann)).toEqual([])
})

test('a comment has a text that can be kept, and there are so many of a query at most', async () => {
  const { app, ann, tabId, add, listed } = await setUp()
  for (const text of ['', '   ', 'a\0b', 'a\ud800', 'x'.repeat(LIMITS.queryCommentLength + 1)])
    expect((await add(ann, { text })).code).toBe(CODES.BadInput.code)
  expect((await add(ann, { line: 0 })).code).toBe(CODES.BadInput.code)
  const { user_id: userId } = await app.store.db
    .selectFrom('editor_tabs')
    .select('user_id')
    .where('tab_id', '=', tabId)
    .executeTakeFirstOrThrow()
  await app.store.db
    .insertInto('editor_comments')
    .values(
      Array.from({ length: LIMITS.queryComments - 1 }, () => ({
        comment_id: randomUUID(),
        tab_id: tabId,
        user_id: userId,
        line: 1,
        quote: '',
        text: 'One of many',
        created_at: app.clock.now(),
      })),
    )
    .execute()
  const codes = (await Promise.all([add(ann), add(ann), add(ann)])).map(({ code }) => code)
  expect(codes.filter((code) => code === CODES.Ok.code)).toHaveLength(1)
  expect(codes.filter((code) => code === CODES.LimitReached.code)).toHaveLength(2)
  expect(await listed(ann)).toHaveLength(LIMITS.queryComments)
})

test('what a removed user wrote stays, without their name', async () => {
  const { app, ann, bob, share, add, listed } = await setUp()
  await share(bob, 'see')
  await add(bob)
  await (await app.admin()).call(perms.deleteUser, { user: bob.name })
  expect(await listed(ann)).toMatchObject([{ userName: null, isOwn: false, text: 'Which boats?' }])
})

test('those who have the query open are notified of a comment', async () => {
  const { ann, bob, tabId, share, add } = await setUp()
  await share(bob, 'see')
  await bob.call(editor.activeTab, { tabId })
  const channel = await bob.channel()
  const heard = channel.hear((message) =>
    message.cmd === 3 && message.type === 'GlobalEventTypeEditorComments' ? message.data : undefined,
  )
  await add(ann)
  expect(await heard).toEqual({ tabId })
})
