import type { Expression, Value } from './statements.ts'
import type { TokenWalk } from './token-walk.ts'
import type { Token } from './tokens.ts'

const LITERALS = new Map<string, Value>([
  ['NULL', null],
  ['TRUE', true],
  ['FALSE', false],
])
/** From the weakest to the strongest. */
const SIGNS: readonly (readonly string[])[] = [
  ['AND'],
  ['=', '<>', '<', '<=', '>', '>='],
  ['+', '-', '||'],
  ['*', '/', '%'],
]

export function parseExpression(walk: TokenWalk, level = 0): Expression {
  const signs = SIGNS[level]
  if (!signs) return parseOperand(walk)
  let left = parseExpression(walk, level + 1)
  for (;;) {
    const { offset } = walk.next
    const sign = signs.find((one) => walk.skip(one))
    if (sign === undefined) return left
    left = { kind: 'binary', sign, left, right: parseExpression(walk, level + 1), offset }
  }
}

function parseOperand(walk: TokenWalk): Expression {
  const token = walk.take()
  switch (token.kind) {
    case 'number':
      return { kind: 'literal', value: BigInt(token.text) }
    case 'text':
      return { kind: 'literal', value: token.text }
    case 'sign':
      return parseSigned(walk, token)
    case 'word':
    case 'name':
      return parseNamed(walk, token)
    case 'end':
      throw walk.unexpected(token)
  }
}

function parseSigned(walk: TokenWalk, token: Token): Expression {
  if (token.text === '-') {
    const zero = { kind: 'literal', value: 0n } as const
    return { kind: 'binary', sign: '-', left: zero, right: parseOperand(walk), offset: token.offset }
  }
  if (token.text !== '(') throw walk.unexpected(token)
  const inner = parseExpression(walk)
  walk.expect(')')
  return inner
}

function parseNamed(walk: TokenWalk, token: Token): Expression {
  const { offset } = token
  const literal = token.kind === 'word' ? LITERALS.get(token.text) : undefined
  if (literal !== undefined) return { kind: 'literal', value: literal }
  const name = walk.nameOf(token)
  if (!walk.skip('(')) return { kind: 'column', name, offset }
  const args: Expression[] = []
  if (!walk.skip('*') && walk.next.text !== ')')
    do args.push(parseExpression(walk))
    while (walk.skip(','))
  walk.expect(')')
  return { kind: 'call', name: name.toLowerCase(), args, offset }
}
