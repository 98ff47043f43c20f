import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { MESSAGES } from './rules.ts'

/** What is typed to have it offered: one word, as the completion sees words. */
export const SnippetName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, MESSAGES.enter('snippet name')),
    z.maxLength(LIMITS.snippetNameLength, MESSAGES.maximumLength(LIMITS.snippetNameLength)),
    z.regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, MESSAGES.namePattern),
  )

/** With fields, each written `${name}`, or `${1:name}` with its turn; a backslash before a brace keeps the brace. */
export const SnippetText = z.string().check(
  z.minLength(1, MESSAGES.enter('text')),
  z.maxLength(LIMITS.snippetLength, MESSAGES.maximumLength(LIMITS.snippetLength)),
  z.refine((text) => text.trim() !== '', MESSAGES.enter('text')),
  z.refine((text) => !/[\0\p{Surrogate}]/u.test(text), 'It contains a character that is not allowed.'),
)

const Snippet = z.object({ snippetId: z.uuid(), name: z.string(), text: z.string() })
export type Snippet = z.infer<typeof Snippet>

export const snippetCalls = {
  snippets: defineCall({
    path: '/editor/snippets',
    summary: 'List your snippets by name',
    needs: 'login',
    render: true,
    input: z.object({}),
    output: z.object({ list: z.array(Snippet) }),
  }),
  /** The sender chooses the id: what was deleted is brought back under its own, and a snippet is not there twice. */
  saveSnippet: defineCall({
    path: '/editor/save-snippet',
    summary: 'Save a snippet, a new one or over the one with this id',
    needs: 'login',
    input: z.object({ snippetId: z.uuid(), name: SnippetName, text: SnippetText }),
    output: z.object({}),
    fails: ['LimitReached', 'NameTaken', 'Conflict'],
  }),
  deleteSnippet: defineCall({
    path: '/editor/delete-snippet',
    summary: 'Delete a snippet',
    needs: 'login',
    input: z.object({ snippetId: z.uuid() }),
    output: z.object({}),
    fails: ['NotFound'],
  }),
}
