/**
 * What the comments of the contract say about its calls and fields, for the OpenAPI document. Comments are not there when
 * the product runs, so that the build reads them once.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** Schemas that are what they hold, for the names of fields. */
const WRAPPERS = [
  'array',
  'nullable',
  'optional',
  'nullish',
  '_default',
  'prefault',
  'readonly',
  'partial',
  'pick',
  'omit',
  'required',
  'object',
  'looseObject',
  'strictObject',
  'lazy',
]

/** Without what only those who work on the sources can look up. */
const plain = (comment) =>
  comment
    .replaceAll(/^\s*\*+ ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[;,]? ?(?:see )?docs\/adr\/\d+/g, '')
    .replaceAll(/\b[A-Z]{2,}-\d+(?:, |\b[:.]? ?)/g, '')
    .trim()

/** A source with what is found in it by name and by place. */
function readSource(file) {
  const text = readFileSync(file, 'utf8')
  const { program, comments } = parseSync(file, text)
  const names = new Map()
  for (const statement of program.body) {
    const declared = statement.declaration ?? statement
    if (statement.type === 'ImportDeclaration')
      for (const one of statement.specifiers)
        names.set(one.local.name, {
          from: statement.source.value,
          name: one.imported?.name ?? one.local.name,
        })
    for (const one of declared.type === 'VariableDeclaration' ? declared.declarations : [])
      if (one.id.type === 'Identifier') names.set(one.id.name, { node: one.init })
  }
  const before = (node) => {
    const found = comments.findLast(({ end }) => end <= node.start)
    const isBeside =
      found?.type === 'Block' &&
      found.value.startsWith('*') &&
      /^\s*$/.test(text.slice(found.end, node.start))
    return isBeside ? plain(found.value) : ''
  }
  return { file, program, names, before }
}

function objectFields(node, place, deeper) {
  const fields = new Map()
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      for (const [name, field] of deeper(property.argument)) fields.set(name, field)
      continue
    }
    const name = property.key.name ?? property.key.value
    fields.set(name, { comment: place.source.before(property), fields: deeper(property.value) })
  }
  return fields
}

function flat(fields, before = '') {
  return [...fields].flatMap(([name, { comment, fields: below }]) => [
    ...(comment ? [[before + name, comment]] : []),
    ...flat(below, `${before}${name}.`),
  ])
}

export function contractDescriptions(folder) {
  const sources = new Map()
  const sourceOf = (file) => {
    if (!sources.has(file)) sources.set(file, readSource(file))
    return sources.get(file)
  }

  /** What a name stands for: its expression, and the source and the arguments that this is read with. */
  function meaning(name, place) {
    if (place.given?.has(name)) return place.given.get(name)
    const found = place.source.names.get(name)
    if (!found?.from) return found && { node: found.node, place: { source: place.source } }
    if (!found.from.startsWith('.')) return undefined
    const source = sourceOf(join(dirname(place.source.file), found.from))
    return meaning(found.name, { source })
  }

  /** The fields of an expression that makes a schema: name to comment and fields of its own. */
  function fieldsOf(node, place, depth = 0) {
    if (!node || depth > 12) return new Map()
    const deeper = (other, where = place) => fieldsOf(other, where, depth + 1)
    switch (node.type) {
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'ParenthesizedExpression':
        return deeper(node.expression)
      case 'ArrowFunctionExpression':
        return deeper(node.body)
      case 'Identifier': {
        const found = meaning(node.name, place)
        return found ? deeper(found.node, found.place) : new Map()
      }
      case 'ArrayExpression':
        return new Map(node.elements.flatMap((element) => [...deeper(element)]))
      case 'ObjectExpression':
        return objectFields(node, place, deeper)
      case 'CallExpression':
        return callFields(node, place, deeper)
      default:
        return new Map()
    }
  }

  function callFields(node, place, deeper) {
    const { callee, arguments: given } = node
    if (callee.type === 'MemberExpression') {
      const isZod = callee.object.name === 'z'
      const own = callee.property.name
      if (!isZod) return deeper(callee.object)
      if (own === 'extend') return new Map([...deeper(given[0]), ...deeper(given[1])])
      if (own === 'union') return deeper(given[0])
      if (own === 'discriminatedUnion' || own === 'record') return deeper(given[1])
      return WRAPPERS.includes(own) ? deeper(given[0]) : new Map()
    }
    const made = callee.type === 'Identifier' ? meaning(callee.name, place) : undefined
    if (made?.node?.type !== 'ArrowFunctionExpression') return new Map()
    const parameters = made.node.params.map((parameter, at) => [parameter.name, { node: given[at], place }])
    return deeper(made.node.body, { source: made.place.source, given: new Map(parameters) })
  }

  const described = {}
  function visit(node, source, comment) {
    if (Array.isArray(node)) return node.forEach((one) => visit(one, source, comment))
    if (!node || typeof node !== 'object' || !node.type) return
    const own = node.type === 'Property' ? source.before(node) : comment
    if (node.type === 'CallExpression' && node.callee.name === 'defineCall') {
      const parts = new Map((node.arguments[0].properties ?? []).map((one) => [one.key?.name, one.value]))
      const io = (name) => Object.fromEntries(flat(fieldsOf(parts.get(name), { source })))
      const path = parts.get('path')?.value
      if (path) described[path] = { description: comment, input: io('input'), output: io('output') }
      return
    }
    for (const part of Object.values(node)) visit(part, source, own)
  }
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.ts') && !name.endsWith('.test.ts')) {
      const source = sourceOf(join(folder, name))
      visit(source.program.body, source, '')
    }
  return described
}
