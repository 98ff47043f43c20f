import { z } from 'zod/mini'
import { LIMITS } from './limits.ts'

/** What a value is bound as. */
const BOUND_TYPES = ['text', 'number', 'date', 'timestamp', 'boolean'] as const

const BOUND_NAME = /^[\p{L}_][\p{L}\p{N}_]{0,63}(?:\.(?:from|to))?$/u
const PARAMETER_NAME = /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u

const Text = z.string().check(
  z.maxLength(LIMITS.parameterLength, `a value has at most ${LIMITS.parameterLength} characters`),
  // Neither can be kept with the statement.
  z.refine((text) => !/[\0\p{Surrogate}]/u.test(text), 'a value contains a character that is not allowed'),
)
const Type = z.enum(BOUND_TYPES)

/** Numbers and times as SQL writes them, so that no digit is lost on the way; `values` are several, for IN. */
export const BoundValue = z.union([
  z.null(),
  z.object({ type: Type, value: Text }),
  z.object({
    type: Type,
    values: z.array(Text).check(z.minLength(1), z.maxLength(LIMITS.parameterValues)),
  }),
])
export type BoundValue = z.infer<typeof BoundValue>

const textsOf = (value: BoundValue): readonly string[] =>
  value === null ? [] : 'value' in value ? [value.value] : value.values

const areFew = (texts: readonly string[]): boolean =>
  texts.length <= LIMITS.parameterValues &&
  texts.reduce((sum, text) => sum + text.length, 0) <= LIMITS.parametersLength

const TOO_MUCH = `the values of a text have at most ${LIMITS.parametersLength} characters, and are at most ${LIMITS.parameterValues}`

/**
 * Values for the parameters `:name` and `{{name}}` of a text, by their names in small letters; the ends of a range are
 * `name.from` and `name.to`. They are bound, and are never read as SQL.
 */
export const BoundValues = z
  .record(z.string().check(z.regex(BOUND_NAME, 'this is not the name of a parameter')), BoundValue)
  .check(
    z.refine(
      (values) => Object.keys(values).length <= LIMITS.parameters,
      `a text has at most ${LIMITS.parameters} parameters`,
    ),
    z.refine((values) => areFew(Object.values(values).flatMap(textsOf)), TOO_MUCH),
  )
export type BoundValues = z.infer<typeof BoundValues>

/** `range`: two dates; `choice`: one of a list; `several`: values for IN. */
const PARAMETER_KINDS = ['text', 'number', 'date', 'range', 'choice', 'several'] as const
export type ParameterKind = (typeof PARAMETER_KINDS)[number]

/** A parameter of a saved query: what it takes, and its value of now. */
export const Parameter = z.object({
  /** In small letters. */
  name: z.string().check(z.regex(PARAMETER_NAME, 'this is not the name of a parameter')),
  kind: z.enum(PARAMETER_KINDS),
  /** Of a choice and of several values. */
  of: z._default(z.enum(['text', 'number']), 'text'),
  /** What can be chosen, as it is written down; empty: anything, or what the query returns. */
  options: z._default(
    z
      .array(z.string().check(z.maxLength(LIMITS.parameterLength)))
      .check(z.maxLength(LIMITS.parameterOptions)),
    [],
  ),
  /** The first column of its rows is what can be chosen. */
  optionsSql: z._default(z.string().check(z.maxLength(LIMITS.parametersLength)), ''),
  /** One, the two ends of a range, or several; none: it has no value yet. */
  value: z.array(Text).check(z.maxLength(LIMITS.parameterValues)),
})
export type Parameter = z.infer<typeof Parameter>

export const Parameters = z.array(Parameter).check(
  z.maxLength(LIMITS.parameters),
  z.refine(
    (all) => areFew(all.flatMap(({ value, options, optionsSql }) => [...value, ...options, optionsSql])),
    TOO_MUCH,
  ),
)
