import type { ValueType } from '../../../../engines/engine/columns.ts'

/** Lists, maps and structs come as the engine writes them; a client gets JSON. */
export function nestedJson(type: ValueType): (text: string) => string {
  return (text) => {
    try {
      const reader = new NestedReader(text)
      const json = reader.value(type, '')
      return reader.isAtEnd ? json : JSON.stringify(text)
    } catch (error) {
      // A text that is not read so, as one that holds a value of the user's own type, is given as it is.
      if (error instanceof UnreadableValue) return JSON.stringify(text)
      throw error
    }
  }
}

class UnreadableValue extends Error {}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/**
 * Reads a nested value by its type: which texts are quoted depends on them, so that a bare one ends at the sign that can
 * follow it.
 */
class NestedReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  /** `ends`: the signs that end a bare text. */
  value(type: ValueType, ends: string): string {
    if (type.kind === 'list') return this.#list(type.element)
    if (type.kind === 'struct') return this.#struct(type.fields)
    if (type.kind === 'map') return this.#map(type)
    const quoted = this.#quoted()
    if (quoted !== null) return scalarJson(type, quoted)
    const bare = type.kind === 'json' ? this.#json(ends) : this.#bare(ends)
    return bare === 'NULL' ? 'null' : scalarJson(type, bare)
  }

  #list(element: ValueType): string {
    if (this.#takes('NULL')) return 'null'
    return `[${this.#members(['[', ']'], () => this.value(element, ',]')).join(', ')}]`
  }

  #struct(fields: readonly { name: string; type: ValueType }[]): string {
    if (this.#takes('NULL')) return 'null'
    let at = 0
    if (fields.every(({ name }) => name === ''))
      return `[${this.#members(['(', ')'], () => this.value(this.#field(fields, at++), ',)')).join(', ')}]`
    const members = this.#members(['{', '}'], () => {
      const name = this.#quoted()
      if (name === null || !this.#takes(': ')) throw new UnreadableValue()
      return `${JSON.stringify(name)}: ${this.value(this.#field(fields, at++), ',}')}`
    })
    return `{${members.join(', ')}}`
  }

  #field(fields: readonly { type: ValueType }[], at: number): ValueType {
    const field = fields[at]
    if (!field) throw new UnreadableValue()
    return field.type
  }

  #map({ key, value }: { key: ValueType; value: ValueType }): string {
    if (this.#takes('NULL')) return 'null'
    const members = this.#members(['{', '}'], () => {
      const name = this.value(key, '=')
      if (!this.#takes('=')) throw new UnreadableValue()
      return `${name.startsWith('"') ? name : JSON.stringify(name)}: ${this.value(value, ',}')}`
    })
    return `{${members.join(', ')}}`
  }

  #members([open, close]: readonly [string, string], member: () => string): string[] {
    if (!this.#takes(open)) throw new UnreadableValue()
    const members: string[] = []
    while (!this.#takes(close)) {
      if (members.length > 0 && !this.#takes(', ')) throw new UnreadableValue()
      members.push(member())
    }
    return members
  }

  #takes(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#at)) return false
    this.#at += sign.length
    return true
  }

  #quoted(): string | null {
    if (this.#text[this.#at] !== "'") return null
    let text = ''
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      const character = this.#text[at]
      if (character === "'") {
        this.#at = at + 1
        return text
      }
      text += character === '\\' ? (this.#text[++at] ?? '') : character
    }
    throw new UnreadableValue()
  }

  #bare(ends: string): string {
    const from = this.#at
    while (this.#at < this.#text.length && !ends.includes(this.#text[this.#at] ?? '')) this.#at++
    return this.#text.slice(from, this.#at)
  }

  /** JSON within a list is not quoted: it ends where its own brackets and texts have. */
  #json(ends: string): string {
    const from = this.#at
    let [depth, isText] = [0, false]
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] ?? ''
      if (isText && character === '\\') this.#at++
      else if (character === '"') isText = !isText
      else if (isText) continue
      else if (depth === 0 && ends.includes(character)) break
      else if (character === '{' || character === '[') depth++
      else if (character === '}' || character === ']') depth--
    }
    return this.#text.slice(from, this.#at)
  }
}

function scalarJson(type: ValueType, text: string): string {
  const isNumber = type.kind === 'integer' || type.kind === 'decimal' || type.kind === 'float'
  if (isNumber) {
    const number = text.replace(/^(-?)\./, '$10.')
    return NUMBER.test(number) ? number : JSON.stringify(text)
  }
  if (type.kind === 'boolean') return text === 'true' ? 'true' : 'false'
  if (type.kind === 'json') return text
  return JSON.stringify(text)
}
