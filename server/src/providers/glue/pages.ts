import { FarTooMuch } from '../hive/table-keeper.ts'

interface Paged {
  readonly NextToken?: string | null | undefined
}

/** All pages of an answer, as far as the limit goes. */
export async function* pagesOf<T extends Paged>(
  ask: (more: { NextToken?: string }) => Promise<T>,
  most: { readonly pages: number; readonly of: string },
): AsyncGenerator<T> {
  let token = ''
  for (let page = 1; page <= most.pages; page++) {
    const answer = await ask(token === '' ? {} : { NextToken: token })
    yield answer
    const next = answer.NextToken ?? ''
    // The same once more would lead round in a circle.
    if (next === '' || next === token) return
    token = next
  }
  throw new FarTooMuch(`${most.pages} pages of ${most.of}`)
}
