import type { en } from './en.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { ui } from './en/ui.ts'

type Form = Intl.LDMLPluralRule
/** A text with forms is asked for without them: `rows` stands for `rows_one` and `rows_other`. */
type WithoutForm<K extends string> = K extends `${infer Name}_ordinal_${Form}`
  ? Name
  : K extends `${infer Name}_${Form}`
    ? Name
    : K
type KeyIn<Texts, Above extends string = ''> = {
  [K in keyof Texts & string]: Texts[K] extends string
    ? `${Above}${WithoutForm<K>}`
    : KeyIn<Texts[K], `${Above}${K}.`>
}[keyof Texts & string]

/** As in 'shell.user.logout'. */
export type TextKey = KeyIn<typeof en>

interface Values {
  readonly [name: string]: string | number | boolean | undefined
  /** Chooses the form: one row, two rows. */
  readonly count?: number
  /** The form is that of an order: 1st, 2nd, 3rd. */
  readonly ordinal?: boolean
}

/** With what every page says; the texts of a page come with it, by a file beside this one. */
const texts: Record<string, unknown> = { shell, signIn, ui }

export function addTexts(more: Partial<typeof en>): void {
  Object.assign(texts, more)
}

const cardinals = new Intl.PluralRules('en')
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })

function formOf({ count, ordinal }: Values): string {
  if (count === undefined) return ''
  return ordinal ? `_ordinal_${ordinals.select(count)}` : `_${cardinals.select(count)}`
}

function find(key: string): string | undefined {
  let found: unknown = texts
  for (const name of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[name]
  return typeof found === 'string' ? found : undefined
}

/** The text under the key, with `{name}` filled in. */
export function t(key: TextKey, values: Values = {}): string {
  const text = find(key + formOf(values)) ?? find(key) ?? key
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}
