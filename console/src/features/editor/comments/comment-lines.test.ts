import type { QueryComment } from '@boathouse/contract/editor-comments'
import { expect, test } from 'vitest'
import { discussionsIn, quoteOf } from './comment-lines.ts'

const about = (line: number, quote: string, more: Partial<QueryComment> = {}): QueryComment => ({
  commentId: `${line} ${quote}`,
  replyTo: null,
  line,
  quote,
  text: 'Why?',
  userName: 'ann',
  isOwn: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  isResolved: false,
  ...more,
})
const linesOf = (text: string, comments: readonly QueryComment[]) =>
  discussionsIn(text, comments).map(({ comment, line }) => [comment.quote, line])

test('a comment stays with its line while lines above it come and go', () => {
  const comments = [about(2, 'from boats'), about(1, 'select 1')]
  expect(linesOf('select 1\nfrom boats', comments)).toEqual([
    ['select 1', 1],
    ['from boats', 2],
  ])
  expect(linesOf('-- new\n\nselect 1\n  from boats', comments)).toEqual([
    ['select 1', 3],
    ['from boats', 4],
  ])
})

test('of several lines that say the same it is the nearest, and one that is gone comes last', () => {
  expect(linesOf('a\n\n\na', [about(3, 'a')])).toEqual([['a', 4]])
  expect(linesOf('a\n\n\na', [about(2, 'a')])).toEqual([['a', 1]])
  expect(linesOf('a', [about(1, 'gone'), about(1, 'a')])).toEqual([
    ['a', 1],
    ['gone', null],
  ])
  expect(linesOf('a', [about(7, '')])).toEqual([['', 1]])
})

test('answers are below what they answer', () => {
  const first = about(1, 'a')
  const answer = about(1, 'a', { commentId: 'answer', replyTo: first.commentId })
  expect(discussionsIn('a', [first, answer])).toMatchObject([{ comment: first, answers: [answer] }])
})

test('what is quoted of a line is bounded, and can be sent', () => {
  expect(quoteOf(`  ${'x'.repeat(300)}`)).toHaveLength(200)
  expect(quoteOf(`${'x'.repeat(199)}😀`)).toBe('x'.repeat(199))
})
