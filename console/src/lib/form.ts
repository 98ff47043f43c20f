import { type CallError, isCallError } from '@boathouse/client/call-error'
import { useRef, useState } from 'react'
import type { ChangeEvent, FormEvent } from 'react'

/** The message of what is wrong with a value, or undefined. */
type Rule<V> = (value: string, all: V) => string | undefined
export type Rules<V> = { readonly [K in keyof V]: Rule<V> }

interface Schema {
  safeParse: (value: unknown) => {
    readonly error?: { readonly issues: readonly { message: string }[] } | undefined
  }
}

/** A rule of the contract: the form says what the service would say. */
export const ruleOf =
  (schema: Schema): Rule<unknown> =>
  (value) =>
    schema.safeParse(value).error?.issues[0]?.message

/** What an input needs to be a field of the form. */
export interface FormField {
  readonly name: string
  readonly value: string
  readonly error: string | undefined
  readonly ref: (element: HTMLElement | null) => void
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void
  readonly onLeft: () => void
}

/**
 * The fields of a form. Each is judged when it is left and all when it is sent, with the focus on the first that is
 * wrong. Nothing typed is lost by a refusal, and it cannot be sent twice.
 */
export function useForm<V extends Readonly<Record<string, string>>>(
  initial: V,
  rules: Rules<V>,
  textOf: (refusal: CallError) => string = ({ message }) => message,
) {
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<{ readonly [K in keyof V]?: string | undefined }>({})
  const [refused, setRefused] = useState<string>()
  const [working, setWorking] = useState(false)
  const elements = useRef<{ [K in keyof V]?: HTMLElement | null }>({})
  const names = Object.keys(initial) as (keyof V & string)[]

  const put = (name: keyof V, value: string): void => {
    setValues((before) => ({ ...before, [name]: value }))
    setRefused(undefined)
    setErrors((before) => ({ ...before, [name]: undefined }))
  }

  function check(): boolean {
    const found = Object.fromEntries(names.map((name) => [name, rules[name](values[name] ?? '', values)]))
    setErrors(found as typeof errors)
    const wrong = names.find((name) => found[name])
    if (wrong !== undefined) elements.current[wrong]?.focus()
    return wrong === undefined
  }

  async function run(work: (values: V) => Promise<void>): Promise<void> {
    setRefused(undefined)
    setWorking(true)
    try {
      await work(values)
    } catch (failure) {
      if (!isCallError(failure)) throw failure
      setRefused(textOf(failure))
    } finally {
      setWorking(false)
    }
  }

  return {
    values,
    refused,
    working,
    put,
    field(name: keyof V & string): FormField {
      return {
        name,
        value: values[name] ?? '',
        error: errors[name],
        ref: (element: HTMLElement | null) => {
          elements.current[name] = element
        },
        onChange: (event) => put(name, event.target.value),
        onLeft: () => setErrors((before) => ({ ...before, [name]: rules[name](values[name] ?? '', values) })),
      }
    },
    onSubmit: (work: (values: V) => Promise<void>) => (event: FormEvent) => {
      event.preventDefault()
      if (!working && check()) void run(work)
    },
  }
}
