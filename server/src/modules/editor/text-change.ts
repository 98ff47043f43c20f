import { setImmediate as letOthersOn } from 'node:timers/promises'
import { LIMITS, type TextChange } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'

const misfit = () => new AppError('BadInput', 'A change does not fit the text that it was made for.')

/** The text behind a change, which must cover all of the text before it. */
export function applyChange(text: string, change: TextChange): string {
  const parts: string[] = []
  let at = 0
  for (const part of change) {
    const [length, ...lines] = typeof part === 'number' ? [part] : part
    if (typeof length !== 'number' || at + length > text.length) throw misfit()
    if (typeof part === 'number') parts.push(text.slice(at, at + length))
    else parts.push(lines.map(lineOf).join('\n'))
    at += length
  }
  if (at !== text.length) throw misfit()
  return parts.join('')
}

/** So many characters are copied before others have their turn: that takes a few milliseconds. */
const CHARACTERS_AT_ONCE = 2_000_000

/** One change after the other, each of which copies the text: a long one with many takes longer than others should wait. */
export async function applyChanges(text: string, changes: readonly TextChange[]): Promise<string> {
  let after = text
  let copied = 0
  for (const change of changes) {
    after = applyChange(after, change)
    if (after.length > LIMITS.sqlLength)
      throw new AppError('BadInput', `A query has at most ${LIMITS.sqlLength} characters.`)
    copied += after.length
    if (copied < CHARACTERS_AT_ONCE) continue
    copied = 0
    await letOthersOn()
  }
  return after
}

function lineOf(line: number | string): string {
  if (typeof line === 'number' || /[\r\n]/.test(line)) throw misfit()
  return line
}

const isHighSurrogate = (text: string, at: number): boolean => /[\uD800-\uDBFF]/.test(text.charAt(at))

/** From one whole text to another: what is between the beginning and the end that they have in common. */
export function changeBetween(before: string, after: string): TextChange {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  if (start > 0 && isHighSurrogate(before, start - 1)) start--
  let end = 0
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  if (end > 0 && isHighSurrogate(before, before.length - end - 1)) end--
  const inserted = after.slice(start, after.length - end).split('\n')
  const replaced: TextChange = [
    [before.length - start - end, ...(inserted.join('') === '' && inserted.length === 1 ? [] : inserted)],
  ]
  return [...(start > 0 ? [start] : []), ...replaced, ...(end > 0 ? [end] : [])]
}
