import { LIMITS, type Snippet } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { EditorStore } from './store.ts'

/** What users want to write again and again, under names of their own. */
export function createSnippets(store: EditorStore) {
  return {
    async list({ userId }: Actor): Promise<{ list: Snippet[] }> {
      const rows = await store.snippets(userId)
      return { list: rows.map(({ snippet_id: snippetId, name, text }) => ({ snippetId, name, text })) }
    },

    async save(actor: Actor, snippet: Snippet): Promise<void> {
      await store.alone(actor.userId, async (own) => {
        const { count, hasName } = await own.otherSnippets(actor.userId, snippet)
        if (hasName)
          throw new AppError('NameTaken', `You have a snippet ${snippet.name} already. Choose another name.`)
        if (count >= LIMITS.snippets)
          throw new AppError(
            'LimitReached',
            `You have ${LIMITS.snippets} snippets, the maximum. Delete some.`,
          )
        if (!(await own.saveSnippet(actor.userId, snippet)))
          throw new AppError('Conflict', 'There is a snippet with this id. Send it with another.')
      })
    },

    async delete(actor: Actor, snippetId: string): Promise<void> {
      if (!(await store.deleteSnippet(actor.userId, snippetId)))
        throw new AppError('NotFound', 'This snippet does not exist, or it was deleted.')
    },
  }
}
