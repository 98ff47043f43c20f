import type { BoundValue, BoundValues, Parameter } from './parameters.ts'

/** Why a parameter cannot be sent. */
export type ParameterProblem = 'missing' | 'number' | 'date' | 'order'

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** The name of a parameter, without the end of a range. */
const parameterName = (bound: string): string => bound.replace(/\.(?:from|to)$/, '')

const typeOf = ({ kind, of }: Parameter): 'text' | 'number' | 'date' =>
  kind === 'range' || kind === 'date' ? 'date' : kind === 'number' ? 'number' : kind === 'text' ? 'text' : of

const isDate = (text: string): boolean => DATE.test(text) && !Number.isNaN(Date.parse(text))

/** What is wrong with the value of a parameter; null: nothing. An empty text is a text. */
export function parameterProblem(parameter: Parameter): ParameterProblem | null {
  const { kind, value } = parameter
  const type = typeOf(parameter)
  const [from = '', to = ''] = value
  if (value.length < (kind === 'range' ? 2 : 1)) return 'missing'
  if (type !== 'text' && value.some((one) => one.trim() === '')) return 'missing'
  if (type === 'number' && !value.every((one) => NUMBER.test(one.trim()))) return 'number'
  if (type === 'date' && !value.every(isDate)) return 'date'
  return kind === 'range' && from > to ? 'order' : null
}

function boundAs(parameter: Parameter, name: string): BoundValue {
  const { kind, value } = parameter
  const type = typeOf(parameter)
  const texts = type === 'text' ? value : value.map((one) => one.trim())
  if (kind === 'several') return { type, values: texts }
  return { type, value: texts[name.endsWith('.to') ? 1 : 0] ?? '' }
}

/** A parameter that nobody has described yet. */
export const newParameter = (name: string, kind: Parameter['kind'] = 'text'): Parameter => ({
  name,
  kind,
  of: 'text',
  options: [],
  optionsSql: '',
  value: [],
})

/** The parameters with these bound names, described or new: whatever has two ends is a range, and nothing else is. */
export function parametersFor(bound: readonly string[], known: readonly Parameter[]): Parameter[] {
  return [...new Set(bound.map(parameterName))].map((name) => {
    const isRange = bound.includes(`${name}.from`) || bound.includes(`${name}.to`)
    const found = known.find((one) => one.name === name) ?? newParameter(name)
    if (isRange === (found.kind === 'range')) return found
    return newParameter(name, isRange ? 'range' : 'text')
  })
}

export type Bound =
  | { readonly values: BoundValues }
  | { readonly name: string; readonly problem: ParameterProblem }

/** What is sent for these bound names, or the first parameter that cannot be. */
export function bindParameters(names: readonly string[], known: readonly Parameter[]): Bound {
  const parameters = parametersFor(names, known)
  for (const parameter of parameters) {
    const problem = parameterProblem(parameter)
    if (problem) return { name: parameter.name, problem }
  }
  const values = names.map((name) => {
    const parameter = parameters.find((one) => one.name === parameterName(name)) ?? newParameter(name)
    return [name, boundAs(parameter, name)] as const
  })
  return { values: Object.fromEntries(values) }
}

/** The parameters that were bound so, for a query that is made of what was run. */
export function parametersOfValues(values: BoundValues): Parameter[] {
  return parametersFor(Object.keys(values), []).map((parameter) => {
    const { name, kind } = parameter
    if (kind === 'range') {
      const ends = [values[`${name}.from`], values[`${name}.to`]]
      return { ...parameter, value: ends.map((end) => (end && 'value' in end ? end.value : '')) }
    }
    const bound = values[name]
    if (!bound) return parameter
    const isNumber = bound.type === 'number'
    if ('values' in bound)
      return { ...parameter, kind: 'several', of: isNumber ? 'number' : 'text', value: bound.values }
    const own = isNumber ? 'number' : bound.type === 'date' ? 'date' : 'text'
    return { ...parameter, kind: own, value: [bound.value] }
  })
}

/** As people read it. */
export function boundText(value: BoundValue): string {
  if (value === null) return 'NULL'
  return 'value' in value ? value.value : value.values.join(', ')
}
